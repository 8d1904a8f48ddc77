// The one question that every way to sign in asks before it lets a player in.

import { Refusal } from '../../domain/decider.ts'
import type { Player } from '../../domain/player.ts'
import { signInRejected } from '../session.ts'

/** What a game's tenant may have decided about a player. */
interface Standing {
  readonly deleted?: boolean
  readonly banned?: { readonly until: string | null } | null
}

/** 401 `sign_in_rejected` for a player who is not there, 403 `player_banned` for one who is banned. */
export function mayPlay(state: (Player & Standing) | null, nowMs: number): Player {
  if (state === null || state.deleted === true) throw signInRejected()
  const { banned = null } = state
  if (banned !== null && (banned.until === null || Date.parse(banned.until) > nowMs)) {
    throw new Refusal('forbidden', 'player_banned', 'This player is banned from the game.')
  }
  return state
}
