// Progress of a leaderboard's rebuild, as answered; and what the builder asks: how much
// there is, and whether it can be.

import { LRUCache } from 'lru-cache'
import type { Leaderboard } from '../domain/leaderboard.ts'
import type { Rebuild } from '../domain/rebuild.ts'
import { rankingKey } from '../ranking/key.ts'
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.ts'
import type { History } from '../stores/contract/history.ts'
import type { QueryDeps } from './deps.ts'

/** So many are counted in one step: about a millisecond. */
const COUNT_STEP = 8_192

/** Boards whose last count is remembered. */
const COUNTED_MOST = 256

interface Counted {
  readonly count: number
  /** The last event counted; null for none. */
  readonly after: string | null
}

/** What is recorded stays: the next count of a board goes on from the last one. */
const counted = new WeakMap<History, LRUCache<string, Counted>>()

/** How many events a board has, counted in steps that leave the event loop free. */
export async function countEvents(history: History, board: string): Promise<number> {
  const known = counted.get(history) ?? new LRUCache<string, Counted>({ max: COUNTED_MOST })
  counted.set(history, known)
  let { count, after } = known.get(board) ?? { count: 0, after: null }
  for (let step = COUNT_STEP; step >= 1; ) {
    const last = await history.nth({ board }, after, step)
    if (last === null) step = Math.floor(step / 2)
    else {
      count += step
      after = last.position
      known.set(board, { count, after })
      await yieldToEventLoop()
    }
  }
  return count
}

/** Why a generation cannot be built; null where nothing is wrong with it. */
export async function whyBroken(deps: QueryDeps, board: string, generation: number): Promise<string | null> {
  const [document] = await deps.views.get(deps.viewKey('entries'), 'generations', [rankingKey(board, generation)])
  return (document?.body.broken ?? null) as string | null
}

/** The last rebuild of a board, or null where there never was one. */
export async function rebuildAnswer(deps: QueryDeps, board: string, { rebuild }: Pick<Leaderboard, 'rebuild'>) {
  if (rebuild === null) return null
  const { id, state, started, finished, error } = rebuild
  const done = doneOf(rebuild)
  const total = rebuild.total === null ? await countEvents(deps.history, board) : Math.max(rebuild.total, done)
  const perSecond = speedOf(rebuild, done)
  const left = finished !== null ? 0 : total - done
  const eta = finished === null && perSecond > 0 ? Math.ceil(left / perSecond) : null
  return {
    id,
    leaderboard: board,
    state,
    done,
    total,
    per_second: perSecond,
    eta_seconds: eta,
    started,
    finished,
    error,
  }
}

/** Where the history is folded first, an event that is folded is half done. */
const doneOf = ({ done, folded = 0 }: Rebuild): number => done + Math.floor(Math.max(0, folded - done) / 2)

/** Events a second, so far. */
function speedOf({ started, moved }: Rebuild, done: number): number {
  const seconds = (Date.parse(moved) - Date.parse(started)) / 1_000
  return seconds > 0 ? Math.round(done / seconds) : 0
}
