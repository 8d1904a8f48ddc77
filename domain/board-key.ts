// The key of a leaderboard: a short name that callers may send in place of its id. A leaderboard claims a key on the
// key's own stream before it takes it, so that one leaderboard of a game has it.

import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { streamName } from './streams.ts'

const KEY_GRAMMAR = /^[a-z][a-z0-9-]{1,62}$/
/** Ids made by the server (`IdGenerator.id`). */
const ID_FORM = /^[a-z2-7]{24}$/

export const KEY_MAX_CHARACTERS = 63

/** Whether a text has the form of an id made by the server: it is then never a key. */
export const hasIdForm = (text: string): boolean => ID_FORM.test(text)

/** Whether a text can be a key. */
export const isBoardKey = (text: string): boolean => KEY_GRAMMAR.test(text) && !hasIdForm(text)

/** A key has no character that separates it in the name. */
export const boardKeyStream = (game: string, key: string): string => streamName('boardkey-', game, key)

export interface KeyClaim {
  readonly board: string
  /** Made by each call that claims the key, so that releasing an earlier claim leaves a later one. */
  readonly claim: string
}

export type BoardKeyEvent =
  | { readonly type: 'LeaderboardKeyClaimed'; readonly data: KeyClaim }
  | { readonly type: 'LeaderboardKeyReleased'; readonly data: KeyClaim }

/** The present claim on a key of a game; null if it is free. */
export const boardKey: Aggregate<KeyClaim | null, BoardKeyEvent> = {
  name: 'board key',
  initial: null,
  evolve(state, event) {
    switch (event.type) {
      case 'LeaderboardKeyClaimed':
        return event.data
      case 'LeaderboardKeyReleased':
        return null
      default:
        return state
    }
  },
}

/** Replaces an earlier claim of the same leaderboard. 409 `leaderboard_key_taken` if another one has the key. */
export function claimKey(data: KeyClaim): Decision<KeyClaim | null, BoardKeyEvent> {
  return (state) => {
    if (state !== null && state.board !== data.board) throw keyTaken(state.board)
    return state?.claim === data.claim ? [] : [{ type: 'LeaderboardKeyClaimed', data }]
  }
}

function keyTaken(leaderboard: string): Refusal {
  const detail = 'Another leaderboard of this game has this key. Choose another key, or take it from that leaderboard.'
  return new Refusal('conflict', 'leaderboard_key_taken', detail, { leaderboard })
}

/** Releases this claim; a later one stays. */
export function releaseKey({ claim }: Pick<KeyClaim, 'claim'>): Decision<KeyClaim | null, BoardKeyEvent> {
  return (state) => (state?.claim === claim ? [{ type: 'LeaderboardKeyReleased', data: state }] : [])
}
