// The deleted games that this process knows of: their keys are refused, and once the erasure of their events has
// begun, every reader of the log skips what is left of them.

import {
  DELETED_GAMES_STREAM,
  type DeletedGamesEvent,
  type DeletedGamesState,
  deletedGames,
} from '../../../domain/deleted-games.ts'
import { recordedAt, type StoredEvent, unsafeCast } from '../../../domain/event.ts'
import { LEFT_OF_DELETED } from '../../../domain/game.ts'
import { gameOf } from '../../../domain/slots.ts'
import type { Log } from '../../contract/log.ts'
import { hasErasureBegun } from '../../support/erasure-begun.ts'
import { eventsFrom } from '../../support/events-from.ts'

/** `erased`: the log said so when this process started. */
type State = 'deleted' | 'hidden' | 'erased'

export class DeletedGames {
  readonly #games = new Map<string, State>()

  /** Whether the game is deleted, so that its calls are rejected. */
  readonly has = (game: string | null): boolean => game !== null && this.#games.has(game)

  add(game: string): void {
    if (!this.#games.has(game)) this.#games.set(game, 'deleted')
  }

  /** From now on readers skip the game's events. */
  hide(game: string): void {
    if (this.#games.get(game) !== 'erased') this.#games.set(game, 'hidden')
  }

  /** Whether readers skip an event. */
  hides({ type, stream, meta }: Pick<StoredEvent, 'type' | 'stream' | 'meta'>): boolean {
    if (this.#games.size === 0) return false
    const game = gameOf(stream, meta.game)
    return game !== null && this.isHidden(game) && !LEFT_OF_DELETED.has(type)
  }

  /** Whether readers skip all events of a game. */
  isHidden(game: string): boolean {
    const state = this.#games.get(game)
    return state === 'hidden' || state === 'erased'
  }

  /** The games whose events readers skip, and whether the log said that they are erased when this process started. */
  hidden(): { readonly game: string; readonly isErased: boolean }[] {
    const all = [...this.#games].map(([game, state]) => ({ game, isErased: state === 'erased' }))
    return all.filter(({ game }) => this.isHidden(game))
  }

  /** Number of deleted games. */
  get size(): number {
    return this.#games.size
  }

  /** Reads the deleted games from their stream, and the game's own stream of each that is not erased yet. */
  async read(log: Pick<Log, 'readStream'>): Promise<void> {
    let state: DeletedGamesState = deletedGames.initial
    for await (const event of eventsFrom(log, DELETED_GAMES_STREAM)) {
      state = deletedGames.evolve(state, unsafeCast<DeletedGamesEvent>(event), recordedAt(event))
    }
    for (const [game, isErased] of Object.entries(state)) {
      this.add(game)
      if (isErased) this.#games.set(game, 'erased')
      else if (await hasErasureBegun(log, game)) this.hide(game)
    }
  }
}
