// Making and naming players. A player with an external id is claimed first, on a stream of that id's own: one winner among
// any number of callers; the player is then made from the claim, by the call or, after a crash, by a process.

import { keyedDigest } from '../credentials/master.ts'
import {
  claimExternalId,
  createPlayer,
  type ExternalClaimedData,
  externalId,
  externalStream,
  namePlayer,
  player,
  playerStream,
} from '../domain/player.ts'
import type { CommandDeps } from './deps.ts'
import type { Intent } from './intent.ts'

const about = (id: string, game: string) => ({ stream: playerStream(id), game, player: id })

/** What is shown for a player who gave no name: `Guest` and four characters. */
export const guestName = (player: string): string => `Guest${player.slice(0, 4)}`

/** A guest: a new player who gave at most a name. */
export async function makeGuest(deps: CommandDeps, game: string, name: string | null, intent: Intent) {
  const id = intent.mint.id('player')
  const data = { name: name ?? guestName(id), guest: true, externalId: null }
  return { id, handled: await deps.handler.handle(player, about(id, game), intent, createPlayer(data)) }
}

/** A player made by the tenant. 409 `external_id_taken`. */
export async function makePlayer(
  deps: CommandDeps,
  game: string,
  fresh: { readonly name: string; readonly externalId: string | null },
  intent: Intent,
) {
  const id = intent.mint.id('player')
  if (fresh.externalId !== null) {
    const claim = { player: id, ...fresh }
    const digest = keyedDigest(deps.keys.digest, 'external', game, fresh.externalId).toString('hex')
    const place = { stream: externalStream(game, digest), game, player: id }
    await deps.handler.handle(externalId, place, intent, claimExternalId(claim))
  }
  const data = { ...fresh, guest: false }
  return { id, handled: await deps.handler.handle(player, about(id, game), intent, createPlayer(data)) }
}

/** Makes the player that a claim was for, where a crash came between. Harmless when they are there. */
export function finishClaim(deps: CommandDeps, game: string, claim: ExternalClaimedData, intent: Intent) {
  const data = { name: claim.name, externalId: claim.externalId, guest: false }
  return deps.handler.handle(player, about(claim.player, game), intent, createPlayer(data))
}

export function rename(deps: CommandDeps, game: string, id: string, name: string, intent: Intent) {
  return deps.handler.handle(player, about(id, game), intent, namePlayer(name))
}
