// The one question that every way to sign in asks before it lets a player in.

import { bannedRefusal, isBanned, type Player } from '../../domain/player.ts'
import { signInRejected } from '../../domain/session.ts'

/** 401 `sign_in_rejected` for a player who is not there, 403 `player_banned` for one who is banned. */
export function mayPlay(state: Player | null, nowMs: number): Player {
  if (state === null || state.deleted) throw signInRejected()
  if (isBanned(state.banned, nowMs)) throw bannedRefusal(state.banned)
  return state
}
