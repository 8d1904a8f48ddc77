// Making, naming, banning and deleting players. A player with an external id is claimed first, on a stream of that id's
// own: one winner among any number of callers; the player is then made from the claim, by the call or, after a crash,
// by a process.

import { keyedDigest } from '../credentials/master.ts'
import type { Decision } from '../domain/decider.ts'
import {
  banPlayer,
  claimExternalId,
  createPlayer,
  deletePlayer,
  type ExternalClaimedData,
  endDueBan,
  externalId,
  externalStream,
  namePlayer,
  type Player,
  type PlayerBannedData,
  type PlayerEvent,
  player,
  signOutPlayer,
  statusOf,
  unbanPlayer,
} from '../domain/player.ts'
import { isSignedOut, type SessionStartedData } from '../domain/session.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { aboutPlayer, playerNow } from './player-now.ts'
import { publishPlayer } from './publish-revocations.ts'

/** What is shown for a player who gave no name: `Guest` and four characters. */
const guestName = (player: string): string => `Guest${player.slice(0, 4)}`

export interface PlayerPlace {
  readonly game: string
  readonly player: string
}

/** A guest: a new player who gave at most a name. */
export async function makeGuest(deps: CommandDeps, game: string, name: string | null, context: CommandContext) {
  const id = context.generator.id('player')
  const data = { name: name ?? guestName(id), guest: true, externalId: null }
  return { id, handled: await deps.handler.handle(player, aboutPlayer(game, id), context, createPlayer(data)) }
}

/** A player made by the tenant. 409 `external_id_taken`. */
export async function makePlayer(
  deps: CommandDeps,
  game: string,
  fresh: { readonly name: string; readonly externalId: string | null },
  context: CommandContext,
) {
  const id = context.generator.id('player')
  if (fresh.externalId !== null) {
    const claim = { player: id, ...fresh }
    const digest = externalDigest(deps, game, fresh.externalId)
    const place = { stream: externalStream(game, digest), game, player: id }
    await deps.handler.handle(externalId, place, context, claimExternalId(claim))
  }
  const data = { ...fresh, guest: false }
  return { id, handled: await deps.handler.handle(player, aboutPlayer(game, id), context, createPlayer(data)) }
}

/** Makes the player that a claim was for, where a crash came between. Harmless when they are there. */
export function finishExternalClaim(
  deps: CommandDeps,
  game: string,
  claim: ExternalClaimedData,
  context: CommandContext,
) {
  const data = { name: claim.name, externalId: claim.externalId, guest: false }
  return deps.handler.handle(player, aboutPlayer(game, claim.player), context, createPlayer(data))
}

export function rename(deps: CommandDeps, place: PlayerPlace, name: string, context: CommandContext) {
  return deps.handler.handle(player, aboutPlayer(place.game, place.player), context, namePlayer(name))
}

/** Each of these refuses with 404 `player_not_found`, and tells every node before it answers. */
export function ban(deps: CommandDeps, place: PlayerPlace, data: PlayerBannedData, context: CommandContext) {
  return handleAndTell(deps, place, context, banPlayer(data, context.nowMs))
}

export function unban(deps: CommandDeps, place: PlayerPlace, context: CommandContext) {
  return handleAndTell(deps, place, context, unbanPlayer)
}

/**
 * After this no session that began before is good anywhere, whether or not its end is recorded yet. `open` gives the
 * player's open sessions. `ended`: how many of them it ended, the same each time that the call is repeated.
 */
export async function signOut(
  deps: CommandDeps,
  place: PlayerPlace,
  open: () => Promise<readonly Pick<SessionStartedData, 'signOuts'>[]>,
  context: CommandContext,
) {
  const before = (await playerNow(deps, place.player))?.signOuts ?? 0
  const sessions = (await open()).filter((session) => !isSignedOut(session, before)).length
  const handled = await handleAndTell(deps, place, context, signOutPlayer(before, sessions))
  const [event] = handled.events
  return { ...handled, ended: event?.type === 'PlayerSignedOut' ? (event.data.sessions ?? 0) : 0 }
}

/** Ends a ban that is due; harmless where it is not. */
export function endBan(deps: CommandDeps, place: PlayerPlace, context: CommandContext) {
  return handleAndTell(deps, place, context, endDueBan(context.nowMs))
}

/** Records that the player is deleted. Whoever deletes one calls commands/forget.ts, which does what follows. */
export function remove(deps: CommandDeps, place: PlayerPlace, context: CommandContext) {
  const decision = deletePlayer((external) => externalDigest(deps, place.game, external))
  return handleAndTell(deps, place, context, decision)
}

async function handleAndTell(
  deps: CommandDeps,
  place: PlayerPlace,
  context: CommandContext,
  decision: Decision<Player | null, PlayerEvent>,
) {
  const handled = await deps.handler.handle(player, aboutPlayer(place.game, place.player), context, decision)
  await publishPlayer(deps, place.player, handled, (state) => state && statusOf(state))
  return handled
}

/** What the claim on an external id is named by. */
export const externalDigest = ({ keys }: Pick<CommandDeps, 'keys'>, game: string, external: string) =>
  keyedDigest(keys.digest, 'external', game, external).toString('hex')
