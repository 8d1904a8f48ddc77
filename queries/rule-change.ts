// The progress of a leaderboard's rule change as an API answer, and what the reaction that drives it needs to know: the
// number of events, and whether the generation can be built.

import type { Leaderboard } from '../domain/leaderboard.ts'
import type { RuleChange } from '../domain/rule-change.ts'
import { rankingKey } from '../ranking/key.ts'
import { type LRUCache, lru } from '../runtime/lru.ts'
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts'
import type { History } from '../stores/contract/history.ts'
import type { QueryDeps } from './deps.ts'

/** Events counted per step: about a millisecond. */
const COUNT_STEP = 8_192

/** Boards whose last count is cached. */
const MAX_CACHED_COUNTS = 256

interface Counted {
  readonly count: number
  /** Position of the last counted event; null for none. */
  readonly after: string | null
}

/** The history only grows, so the next count of a board continues from the last one. */
const counted = new WeakMap<History, LRUCache<string, Counted>>()

/** The number of events of a board, counted in steps that yield to the event loop. */
export async function countEvents(history: History, board: string): Promise<number> {
  const known = counted.get(history) ?? lru<string, Counted>(MAX_CACHED_COUNTS)
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

/** The reason why a generation cannot be built; null if it can. */
export async function buildErrorOf(deps: QueryDeps, board: string, generation: number): Promise<string | null> {
  const [document] = await deps.views.get(deps.viewKey('entries'), 'generations', [rankingKey(board, generation)])
  return (document?.body.broken ?? null) as string | null
}

/** The last rule change of a board, or null if there was none. */
export async function ruleChangeAnswer(deps: QueryDeps, board: string, { rebuild }: Pick<Leaderboard, 'rebuild'>) {
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

/** If the history is folded first, a folded event counts as half done. */
const doneOf = ({ done, folded = 0 }: RuleChange): number => done + Math.floor(Math.max(0, folded - done) / 2)

/** Events a second, so far. */
function speedOf({ started, moved }: RuleChange, done: number): number {
  const seconds = (Date.parse(moved) - Date.parse(started)) / 1_000
  return seconds > 0 ? Math.round(done / seconds) : 0
}
