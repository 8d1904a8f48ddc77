// Destroys the refresh tokens of expired sessions, and the days of their last use: nothing can use them any more. Goes
// through all of them, some at each run; a round through millions takes hours.

import { findSessions } from '../queries/session.ts'
import type { ProcessDeps } from './process-deps.ts'
import type { Timed } from './tick.ts'

const EVERY_MS = 60_000
/** Some milliseconds of reads. */
const PAGE_SIZE = 500
const PAGES_PER_RUN = 10
/** Node clocks differ by less. */
export const EXPIRED_KEPT_MS = 24 * 60 * 60_000

/** The owner of the first partition sweeps. Another owner begins a round of its own. */
export function sweepSessions({ commands, queries }: Pick<ProcessDeps, 'commands' | 'queries'>): Timed {
  const { vault } = commands
  let kind: 'refresh-token' | 'session-used' = 'refresh-token'
  let after: string | null = null

  async function sweepPage(nowMs: number): Promise<void> {
    const ids = await vault.idsOf(kind, after, PAGE_SIZE)
    // A session that the views do not contain, yet or any longer, is left alone.
    const found = await findSessions(queries, ids)
    const expired = found.filter(({ state }) => Date.parse(state.expires) + EXPIRED_KEPT_MS <= nowMs)
    await Promise.all(expired.map(({ id }) => vault.destroy('refresh-token', id)))
    await Promise.all(expired.map(({ id }) => vault.destroy('session-used', id)))
    after = ids.length < PAGE_SIZE ? null : (ids.at(-1) ?? null)
    if (after === null) kind = kind === 'refresh-token' ? 'session-used' : 'refresh-token'
  }

  return {
    name: 'sweep_sessions',
    everyMs: EVERY_MS,
    async run(partitions, nowMs, signal) {
      if (!partitions.has(0)) return
      for (let page = 0; page < PAGES_PER_RUN && !signal.aborted; page++) {
        const before = kind
        await sweepPage(nowMs)
        // A round through few sessions needs one run, and is not repeated within it.
        if (before === 'session-used' && kind === 'refresh-token') return
      }
    },
  }
}
