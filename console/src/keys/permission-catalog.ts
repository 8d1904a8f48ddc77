// The permissions that a key of a game can have, with what each of them allows.

import { texts } from '../texts.ts'

export interface OfferedPermission {
  readonly permission: string
  readonly about: string
}

/** All permissions that calls need, as keys usually hold them: for each leaderboard, score and bucket of the game. */
export function offeredPermissions(game: string): readonly OfferedPermission[] {
  return Object.entries(texts.permissions).map(([shape, about]) => ({
    permission: shape.replace('{game}', game),
    about,
  }))
}
