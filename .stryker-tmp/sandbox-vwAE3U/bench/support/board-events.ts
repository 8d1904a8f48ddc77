// The history of a board whose rules are changed: players, and ten submissions of each.

import { type Append, numbers, type Place, playerCreated, playerId, submitted } from './events.ts'

/** As many as where whole views are rebuilt. */
export const A_PLAYER = 10
export const SCORES = 1_000_000

/** Players, and what they submit in turn. */
export function* boardEvents(place: Place, submissions: number): Iterable<Append> {
  const random = numbers(1)
  const players = submissions / A_PLAYER
  for (let n = 0; n < players; n++) yield playerCreated(place.game, n)
  for (let n = 0; n < submissions; n++) {
    yield submitted(place, playerId(n % players), random(SCORES), Math.floor(n / players), n)
  }
}
