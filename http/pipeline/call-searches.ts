// Searches of the log for calls that the views do not show yet. Many calls, or parts of one, may look for theirs at
// once: those of a game share a search.

import type { Position } from '../../domain/event.ts'
import type { CallsAfter, callsAfter } from '../../queries/call.ts'

export type SearchLog = (
  of: { readonly game: string; readonly commands: ReadonlySet<string> },
  position: Position | null,
) => ReturnType<typeof callsAfter>

/** A search that has not begun. */
interface Waiting {
  readonly commands: Set<string>
  /** The earliest of the positions that they ask for; null: the beginning of the log. */
  position: Position | null
  readonly found: Promise<CallsAfter>
}

/**
 * Runs one search of a game at a time. A call that asks while one runs waits for the next: what it looks for may have
 * been recorded after the running search has read that part of the log.
 */
export class CallSearches {
  readonly #search: SearchLog
  readonly #waiting = new Map<string, Waiting>()
  /** By game: resolves when the last search of it has ended. */
  readonly #ended = new Map<string, Promise<unknown>>()

  constructor(search: SearchLog) {
    this.#search = search
  }

  /** What was recorded after a position, or an earlier one. Rejects as the search does. */
  find(game: string, command: string, position: Position | null): Promise<CallsAfter> {
    const waiting = this.#waiting.get(game) ?? this.#enqueue(game, position)
    waiting.commands.add(command)
    waiting.position = earlier(waiting.position, position)
    return waiting.found
  }

  #enqueue(game: string, position: Position | null): Waiting {
    const before = this.#ended.get(game) ?? Promise.resolve()
    const commands = new Set<string>()
    const found = before.then(() => {
      this.#waiting.delete(game)
      return this.#search({ game, commands }, waiting.position)
    })
    const waiting: Waiting = { commands, position, found }
    this.#waiting.set(game, waiting)
    const end = () => {
      if (this.#ended.get(game) === ended) this.#ended.delete(game)
    }
    const ended = found.then(end, end)
    this.#ended.set(game, ended)
    return waiting
  }
}

const earlier = (one: Position | null, other: Position | null): Position | null =>
  one === null || other === null ? null : one < other ? one : other
