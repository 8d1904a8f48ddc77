// Which events of a game belong to an instant: all up to its cut, the position of the last event whose time is not
// later. Clocks may be set back, so an event before the cut may have a later time; all events after it have.

import { leastPosition, type Position } from '../../domain/event.ts'
import { lru } from '../../runtime/lru.ts'
import { absencesReached } from './absences.ts'
import type { PastDeps } from './deps.ts'

/** Instants whose cuts are cached, so that the pages of one instant do not look for it again. */
const MAX_CACHED_CUTS = 1_000

interface CachedCut {
  /** Position up to which the game's history was examined. */
  readonly upTo: Position
  readonly cut: Position | null
}

export class Cuts {
  readonly #deps: PastDeps
  readonly #cached = lru<string, CachedCut>(MAX_CACHED_CUTS)

  constructor(deps: PastDeps) {
    this.#deps = deps
  }

  /**
   * The cut of an instant (ISO 8601, UTC, milliseconds) in a game; null if all of the game's events are later. It may
   * move on while events are recorded that are not later. Reads the index entries of what was recorded since the
   * instant; for an instant that is cached, of what was recorded since it was last asked for.
   */
  async of(game: string, asOf: string): Promise<Position | null> {
    const { queries, activeBuilds } = this.#deps
    const upTo = await this.#reached(game)
    if (upTo === null) return null
    const key = `${game}@${asOf}@${activeBuilds()}`
    const known = this.#cached.get(key)
    if (known !== undefined && known.upTo >= upTo) return known.cut
    const later = await queries.history.lastBy(game, { after: known?.upTo ?? null, upTo }, asOf)
    const cut = later ?? known?.cut ?? null
    this.#cached.set(key, { upTo, cut })
    return cut
  }

  /**
   * The cuts of instants in order of time, none later than `last`. A later instant never has an earlier cut. `between`
   * runs after each.
   */
  async ofAll(
    game: string,
    last: Position,
    instants: readonly string[],
    between: () => Promise<void>,
  ): Promise<(Position | null)[]> {
    const { history } = this.#deps.queries
    const cuts: (Position | null)[] = []
    let upTo: Position | null = last
    for (const instant of instants.toReversed()) {
      if (upTo !== null) upTo = await history.lastBy(game, { after: null, upTo }, instant)
      cuts.push(upTo)
      await between()
    }
    return cuts.reverse()
  }

  /** Bans and deletions of players are read from a view, which may be behind the history. */
  async #reached(game: string): Promise<Position | null> {
    const { queries, reached } = this.#deps
    return leastPosition([await reached(game), await absencesReached(queries, game)])
  }
}
