// Searches of the log for calls that the views do not show yet. Many calls, or parts of one, may look for theirs at
// once: those of a game share a search.

import type { Position } from '../../domain/event.ts'
import type { CallsAfter, callsAfter } from '../../queries/call.ts'
import { SingleFlight } from '../../runtime/single-flight.ts'

export type SearchLog = (
  of: { readonly game: string; readonly commands: ReadonlySet<string> },
  position: Position | null,
) => ReturnType<typeof callsAfter>

/** What a search that has not begun looks for. */
interface Wanted {
  readonly commands: Set<string>
  /** The earliest of the positions that its callers ask for; null: the beginning of the log. */
  position: Position | null
}

/**
 * Runs one search of a game at a time. A call that asks while one runs waits for the next: what it looks for may have
 * been recorded after the running search has read that part of the log.
 */
export class CallSearches {
  readonly #search: SearchLog
  readonly #searches = new SingleFlight<string, CallsAfter>()
  /** By game. */
  readonly #wanted = new Map<string, Wanted>()

  constructor(search: SearchLog) {
    this.#search = search
  }

  /** What was recorded after a position, or an earlier one. Rejects as the search does. */
  find(game: string, command: string, position: Position | null): Promise<CallsAfter> {
    const wanted = this.#wanted.get(game) ?? { commands: new Set(), position }
    wanted.commands.add(command)
    wanted.position = earlier(wanted.position, position)
    this.#wanted.set(game, wanted)
    return this.#searches.following(game, () => {
      this.#wanted.delete(game)
      return this.#search({ game, commands: wanted.commands }, wanted.position)
    })
  }
}

const earlier = (one: Position | null, other: Position | null): Position | null =>
  one === null || other === null ? null : one < other ? one : other
