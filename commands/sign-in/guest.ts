// Signing in as a guest: a new one, or by the guest token the same one again.

import type { Player } from '../../domain/player.ts'
import type { CommandContext } from '../command-context.ts'
import type { CommandDeps } from '../command-deps.ts'
import { makeGuest } from '../player.ts'
import { playerNow, playerOfGame } from '../player-now.ts'
import { ownerOf, storeTokenHash } from '../session.ts'
import { mayPlay } from './may-play.ts'
import type { Proven } from './sign-in-deps.ts'

/** Makes a guest, and the token that they come back with: shown once, by the answer to this call. */
export async function newGuest(
  deps: CommandDeps,
  game: string,
  name: string | null,
  context: CommandContext,
): Promise<{ readonly player: Proven<Player>; readonly guestToken: string }> {
  const { id, handled } = await makeGuest(deps, game, name, context)
  // A repeated call's player may have been banned or deleted since.
  if (handled.replayed) mayPlay(await playerNow(deps, id), context.nowMs)
  const guestToken = await storeTokenHash(deps, 'guest-token', id, context.generator.secret('guest token'))
  return { player: { id, state: handled.after as Player, made: true }, guestToken }
}

/** 401 `sign_in_rejected` for every kind of wrong token; 403 `player_banned`. */
export async function knownGuest(
  deps: CommandDeps,
  game: string,
  token: string,
  nowMs: number,
): Promise<Proven<Player>> {
  const id = await ownerOf(deps, 'guest-token', token)
  return {
    id,
    // By the log, as with every way to sign in: the views of this node may yet know of no ban.
    state: mayPlay(await playerOfGame(deps, game, id), nowMs),
    made: false,
    // Whoever owns the player's address may have taken them over: then a guest's token counts no more.
    isStillValid: async () => {
      const present = await playerNow(deps, id)
      return present?.takenOver === null && !present.deleted
    },
  }
}
