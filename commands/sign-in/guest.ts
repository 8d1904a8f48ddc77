// Signs in as a new guest, or as the same guest again by a guest token.

import type { Player } from '../../domain/player.ts'
import type { CommandContext } from '../command-context.ts'
import type { CommandDeps } from '../command-deps.ts'
import { makeGuest } from '../player.ts'
import { playerNow, playerOfGame } from '../player-now.ts'
import { ownerOf, storeTokenHash } from '../session.ts'
import { mayPlay } from './may-play.ts'
import type { Proven } from './sign-in-deps.ts'

/** Creates a guest and a guest token, which only this call's answer contains. */
export async function newGuest(
  deps: CommandDeps,
  game: string,
  name: string | null,
  context: CommandContext,
): Promise<{ readonly player: Proven<Player>; readonly guestToken: string }> {
  const { id, handled } = await makeGuest(deps, game, name, context)
  // The player may have been banned or deleted since the first call.
  if (handled.replayed) mayPlay(await playerNow(deps, id), context.nowMs)
  const guestToken = await storeTokenHash(deps, 'guest-token', id, context.generator.secret('guest token'))
  return { player: { id, state: handled.after as Player, made: true }, guestToken }
}

/** 401 `sign_in_rejected` for any wrong token; 403 `player_banned`. */
export async function knownGuest(
  deps: CommandDeps,
  game: string,
  token: string,
  nowMs: number,
): Promise<Proven<Player>> {
  const id = await ownerOf(deps, 'guest-token', token)
  return {
    id,
    // From the log, as with every sign-in method: the views may not have applied a ban yet.
    state: mayPlay(await playerOfGame(deps, game, id), nowMs),
    made: false,
    // If the address owner has taken the player over, the guest token is invalid.
    isStillValid: async () => {
      const present = await playerNow(deps, id)
      return present?.takenOver === null && !present.deleted
    },
  }
}
