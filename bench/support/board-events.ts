// The history of a board: players with ten submissions each.

import { type Append, type BoardReference, numbers, playerCreated, playerId, submitted } from './events.ts'

/** Submissions per player, as in the rebuild benchmark. */
export const A_PLAYER = 10
export const SCORES = 1_000_000

/** Creates players and their submissions, round-robin. */
export function* boardEvents(boardRef: BoardReference, submissions: number): Iterable<Append> {
  const random = numbers(1)
  const players = submissions / A_PLAYER
  for (let n = 0; n < players; n++) yield playerCreated(boardRef.game, n)
  for (let n = 0; n < submissions; n++) {
    yield submitted(boardRef, playerId(n % players), random(SCORES), Math.floor(n / players), n)
  }
}
