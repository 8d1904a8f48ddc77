// Destroys the refresh tokens of expired sessions, and the days of their last use: nothing can use them any more. Each
// run examines 1,000 of the tokens and days in the vault. A round through a million takes a day.

import { findSessions } from '../queries/session.ts'
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts'
import { SESSION_KINDS } from '../stores/contract/vault.ts'
import type { ReactionDeps } from './reaction.ts'
import type { Timed } from './tick.ts'

const EVERY_MS = 60_000
/** Ids per page: a millisecond or two of reads, and one transaction for all that is destroyed. */
const PAGE_SIZE = 100
const PAGES_PER_RUN = 10
/** Time after the end of a session until it is swept: the clocks of nodes differ by less. */
export const EXPIRED_KEPT_MS = 24 * 60 * 60_000

/** The owner of the first partition sweeps. A new owner begins with a new round. */
export function sweepSessions({ commands, queries }: Pick<ReactionDeps, 'commands' | 'queries'>): Timed {
  const { vault } = commands
  let kind = SESSION_KINDS[0]
  let after: string | null = null

  /** Returns whether it ended a round, which goes through the ids of all kinds. */
  async function sweepPage(nowMs: number): Promise<boolean> {
    const ids = await vault.idsOf(kind, after, PAGE_SIZE)
    // The views may not contain a new session yet: unknown ones are not swept.
    const found = await findSessions(queries, ids)
    const expired = found.filter(({ state }) => Date.parse(state.expires) + EXPIRED_KEPT_MS <= nowMs)
    await Promise.all(expired.flatMap(({ id }) => SESSION_KINDS.map((one) => vault.destroy(one, id))))
    after = ids.length < PAGE_SIZE ? null : (ids.at(-1) ?? null)
    if (after !== null) return false
    const next = SESSION_KINDS[SESSION_KINDS.indexOf(kind) + 1]
    kind = next ?? SESSION_KINDS[0]
    return next === undefined
  }

  return {
    name: 'sweep_sessions',
    everyMs: EVERY_MS,
    async run(partitions, nowMs, signal) {
      if (!partitions.has(0)) return
      for (let page = 0; page < PAGES_PER_RUN && !signal.aborted; page++) {
        if (await sweepPage(nowMs)) return
        await yieldToEventLoop()
      }
    },
  }
}
