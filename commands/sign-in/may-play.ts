// The check that every sign-in method makes before it lets a player in.

import { bannedRefusal, isBanned, type Player } from '../../domain/player.ts'
import { signInRejected } from '../../domain/session.ts'

/** 401 `sign_in_rejected` for an unknown or deleted player, 403 `player_banned` for a banned one. */
export function mayPlay(state: Player | null, nowMs: number): Player {
  if (state === null || state.deleted) throw signInRejected()
  if (isBanned(state.banned, nowMs)) throw bannedRefusal(state.banned)
  return state
}
