// One stream lists the ids of all deleted games: it still says that a game is deleted once the game's own events are
// removed. One more stream for each deleted game lists the secrets that it had.

import type { Aggregate, Decision } from './decider.ts'
import { streamName } from './streams.ts'

export const deletionsStream = (list: string): string => streamName('deletions-', list)

export const DELETED_GAMES_STREAM = deletionsStream('games')

export type DeletedGamesEvent =
  | { readonly type: 'GameDeletionListed'; readonly data: { readonly game: string } }
  /** All data of the game is removed. `events`: the number of events it had. */
  | { readonly type: 'GameErased'; readonly data: { readonly game: string; readonly events: number } }

/** Game id -> whether all its data is removed. */
export type DeletedGamesState = Readonly<Record<string, boolean>>

export const deletedGames: Aggregate<DeletedGamesState, DeletedGamesEvent> = {
  name: 'deleted games',
  initial: {},
  evolve(state, event) {
    switch (event.type) {
      case 'GameDeletionListed':
        return { ...state, [event.data.game]: state[event.data.game] ?? false }
      case 'GameErased':
        return { ...state, [event.data.game]: true }
      default:
        return state
    }
  },
}

export function listDeletion(game: string): Decision<DeletedGamesState, DeletedGamesEvent> {
  return (state) => (game in state ? [] : [{ type: 'GameDeletionListed', data: { game } }])
}

export function recordErased(game: string, events: number): Decision<DeletedGamesState, DeletedGamesEvent> {
  return (state) => (state[game] === true ? [] : [{ type: 'GameErased', data: { game, events } }])
}

/** Kinds of secrets that a game has in the vault. */
export type GameSecretKind =
  | 'key-secret'
  | 'refresh-token'
  | 'guest-token'
  | 'password'
  | 'login'
  | 'email'
  | 'player-key'

/** Kind -> ids. */
export type GameSecrets = { readonly [K in GameSecretKind]?: readonly string[] }

/**
 * Recorded in the stream `deletions-<game>` before the events that name these secrets are removed: a vault restored
 * from an older backup contains the secrets again, and nothing else names them.
 */
export interface GameSecretsListed {
  readonly type: 'GameSecretsListed'
  readonly data: { readonly secrets: GameSecrets }
}

/** The latest list. */
export const gameSecrets: Aggregate<GameSecrets | null, GameSecretsListed> = {
  name: 'secrets of a deleted game',
  initial: null,
  evolve: (state, event) => (event.type === 'GameSecretsListed' ? event.data.secrets : state),
}

/** Records nothing if the latest list is the same: an interrupted removal reads the same events again. */
export function listSecrets(secrets: GameSecrets): Decision<GameSecrets | null, GameSecretsListed> {
  return (latest) =>
    Object.keys(secrets).length === 0 || JSON.stringify(latest) === JSON.stringify(secrets)
      ? []
      : [{ type: 'GameSecretsListed', data: { secrets } }]
}
