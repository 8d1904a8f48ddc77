// Runs previews of rule changes, one at a time and within a number of bytes, because each needs much memory. The pages
// of one list of movers are answered from the preview that began the list.

import type { Rules } from '../domain/board-rules.ts'
import type { Position } from '../domain/event.ts'
import type { Paging, QueryDeps } from './deps.ts'
import type { Board } from './leaderboard.ts'
import { PackedMovers } from './packed-movers.ts'
import { type Preview, previewAnswer } from './preview-answer.ts'
import { PreviewCache } from './preview-cache.ts'
import { effectOfRules } from './rule-effect.ts'
import { type ReadCaller, ReadQueue } from './work-queue.ts'

/** Share of the bytes for the cache. A cached preview takes less than a tenth of what computing it takes. */
const CACHE_SHARE = 0.1

interface PreviewDeps {
  readonly queries: QueryDeps
  /** The position up to which a game's history is complete; null if there is none yet. */
  reached(game: string): Promise<Position | null>
  /** Maximum bytes of the running preview and the cached ones. */
  readonly maxBytes: number
  readonly queue?: ReadQueue
  /** Milliseconds of a clock that never goes back, for the age of cached previews. */
  readonly now?: () => number
}

/**
 * Previews a board under other rules. `readCurrent` reads the board and the rules, once at the call and again when the
 * caller's turn comes, because they may change while it waits. Throws what `readCurrent` throws, 503 `reads_busy`, 422
 * `board_too_large`, and the signal's reason.
 *
 * Without a page, or with the first one, the preview is computed. A later page continues the caller's last preview of
 * the same rules of the same board, if it is cached, includes `requiredPosition`, and shows no player who is hidden by
 * now. Otherwise the preview is computed again. So the pages of one list show one state.
 */
export type Previews = (caller: ReadCaller, readCurrent: () => Promise<PreviewTarget>) => Promise<Preview>

interface PreviewTarget {
  readonly board: Board
  readonly rules: Rules
  /** The page of players that move; null: none. */
  readonly paging?: Paging | null
  /** Whether the answer has a summary. */
  readonly summary?: boolean
  /** A position that the answer must include; null: none. */
  readonly requiredPosition?: Position | null
}

export function createPreviews(deps: PreviewDeps): Previews {
  const { queries, reached, maxBytes, queue = new ReadQueue(), now } = deps
  const cacheBytes = Math.floor(maxBytes * CACHE_SHARE)
  const cache = new PreviewCache(cacheBytes, now)

  /** The answer from a cached preview; null if there is none to continue. */
  const continued = async (key: string, target: PreviewTarget) => {
    const { paging = null, summary = false, requiredPosition = null } = target
    if (paging === null || paging.offset === 0) return null
    const found = cache.get(key)
    if (found === null || (requiredPosition !== null && requiredPosition > (found.upTo ?? ''))) return null
    const { preview, areAllShown } = await previewAnswer(queries, found, { paging, summary })
    if (areAllShown) return preview
    cache.delete(key)
    return null
  }

  return async (caller, readCurrent) => {
    const target = await readCurrent()
    const early = await continued(keyOf(caller, target), target)
    if (early !== null) return early
    return queue.run(caller, 'preview', async (slices) => {
      const current = await readCurrent()
      const key = keyOf(caller, current)
      // Of pages that are requested at once, the first one computes the list for all.
      const late = await continued(key, current)
      if (late !== null) return late
      const { board, rules, paging = null, summary = false } = current
      const upTo = await reached(board.game)
      const request = { board, rules, upTo, maxBytes: maxBytes - cacheBytes, slices }
      const effect = await effectOfRules(queries, request)
      const movers = await PackedMovers.of(effect.movers, slices)
      cache.set(key, { ...effect, game: board.game, upTo, movers })
      return (await previewAnswer(queries, effect, { paging, summary })).preview
    })
  }
}

/** The caller, and all that the list of movers is computed from, except for the history and the bans. */
function keyOf({ path }: ReadCaller, { board, rules }: PreviewTarget): string {
  return JSON.stringify([path.at(-1), board.id, board.generation, board.state.rules, rules])
}
