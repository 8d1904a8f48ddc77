// Deletes vault secrets that nothing can use any more: those of expired sessions, and those of claims that were never
// recorded.

import { setTimeout } from 'node:timers/promises'
import { destroySecrets } from '../commands/sign-in/claims.ts'
import { type StoredEvent, unsafeCast } from '../domain/event.ts'
import type { LoginBegunData } from '../domain/login.ts'
import { findSessions } from '../queries/session.ts'
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts'
import { SESSION_KINDS } from '../stores/contract/vault.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import type { Reaction, ReactionDeps } from './reaction.ts'
import type { Timed } from './tick.ts'
import { waitForAge } from './wait.ts'

const EVERY_MS = 60_000
/** Ids per page: a millisecond or two of reads, and one transaction for all that is destroyed. */
const PAGE_SIZE = 100
const PAGES_PER_RUN = 10
/** Time after the end of a session until it is swept: the clocks of nodes differ by less. */
export const EXPIRED_KEPT_MS = 24 * 60 * 60_000

/**
 * Destroys the refresh tokens of expired sessions, and the days of their last use. Each run examines 1,000 of the
 * tokens and days in the vault; a round through a million takes a day. The owner of the first partition sweeps. A new
 * owner begins with a new round.
 */
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

/**
 * Far longer than a request can last, with all its retries and with the machine suspended meanwhile: a claim recorded
 * after this would have no password.
 */
export const UNCLAIMED_KEPT_MS = 24 * 60 * 60_000

/**
 * Deletes the secrets of a claim on a login or an address that was never recorded because its request failed in
 * between: otherwise a password hash or an address would stay with no player to erase it for.
 */
export function sweepSecrets({ commands, now }: Pick<ReactionDeps, 'commands' | 'now'>): Reaction {
  return {
    name: 'sweep_secrets',
    takes: ['LoginBegun'],
    async react(event, signal) {
      if (!(await waitForAge(event, now, signal, UNCLAIMED_KEPT_MS))) return
      const { secret } = unsafeCast<LoginBegunData>(event.data)
      for await (const later of eventsFrom(commands.log, event.stream, event.revision + 1)) {
        if (names(later, secret)) return
      }
      // After a long freeze another node may own the partition and have swept, and the repeated call may have claimed.
      // Let due timers run first: one of them aborts the signal.
      await setTimeout(0)
      if (!signal.aborted) await destroySecrets(commands, secret)
    },
  }
}

/** A claim is released with its player; if the call was repeated since, the repeat is awaited on its own. */
const names = ({ type, data }: StoredEvent, secret: string): boolean =>
  (type === 'LoginClaimed' || type === 'LoginBegun') && data.secret === secret
