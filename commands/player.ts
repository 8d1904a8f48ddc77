// Commands that create, name, ban and delete players. An external id is claimed first on its own stream, so that one of
// any number of callers gets it. The player is then created from the claim: by the call, or by a reaction after a
// crash.

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
import { foldStream } from './fold.ts'
import { aboutNewPlayer, aboutPlayer, playerNow } from './player-now.ts'
import { publishPlayer } from './publish-revocations.ts'

/** The name of a player who gave none: `Guest` and four characters. */
const guestName = (player: string): string => `Guest${player.slice(0, 4)}`

export interface PlayerRef {
  readonly game: string
  readonly player: string
}

/** Creates a guest. */
export async function makeGuest(deps: CommandDeps, game: string, name: string | null, context: CommandContext) {
  const id = context.generator.id('player')
  const data = { name: name ?? guestName(id), guest: true, externalId: null }
  return { id, handled: await deps.handler.handle(player, aboutNewPlayer(game, id), context, createPlayer(data)) }
}

/** Creates a player for the tenant. 409 `external_id_taken`. */
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
    const about = { stream: externalStream(game, digest), game, player: id }
    await deps.handler.handle(externalId, about, context, claimExternalId(claim))
  }
  const data = { ...fresh, guest: false }
  return { id, handled: await deps.handler.handle(player, aboutNewPlayer(game, id), context, createPlayer(data)) }
}

/** Creates the player of a claim after a crash in between. Idempotent. */
export function finishExternalClaim(
  deps: CommandDeps,
  game: string,
  claim: ExternalClaimedData,
  context: CommandContext,
) {
  const data = { name: claim.name, externalId: claim.externalId, guest: false }
  return deps.handler.handle(player, aboutPlayer(game, claim.player), context, createPlayer(data))
}

export function rename(deps: CommandDeps, ref: PlayerRef, name: string, context: CommandContext) {
  return deps.handler.handle(player, aboutPlayer(ref.game, ref.player), context, namePlayer(name))
}

/**
 * This and the following commands give 404 `player_not_found`, and publish the change to all nodes before they resolve.
 */
export function ban(deps: CommandDeps, ref: PlayerRef, data: PlayerBannedData, context: CommandContext) {
  return handleAndPublish(deps, ref, context, banPlayer(data, context.nowMs))
}

export function unban(deps: CommandDeps, ref: PlayerRef, context: CommandContext) {
  return handleAndPublish(deps, ref, context, unbanPlayer)
}

/**
 * Makes every earlier session invalid on all nodes, even before its end is recorded. `open` returns the player's open
 * sessions. `ended`: how many of them it ended; repeated calls give the same number.
 */
export async function signOut(
  deps: CommandDeps,
  ref: PlayerRef,
  open: () => Promise<readonly Pick<SessionStartedData, 'signOuts'>[]>,
  context: CommandContext,
) {
  const before = (await playerNow(deps, ref.player))?.signOuts ?? 0
  const sessions = (await open()).filter((session) => !isSignedOut(session, before)).length
  const handled = await handleAndPublish(deps, ref, context, signOutPlayer(before, sessions))
  const [event] = handled.events
  return { ...handled, ended: event?.type === 'PlayerSignedOut' ? (event.data.sessions ?? 0) : 0 }
}

/** Ends a ban whose end has passed; else does nothing. */
export function endBan(deps: CommandDeps, ref: PlayerRef, context: CommandContext) {
  return handleAndPublish(deps, ref, context, endDueBan(context.nowMs))
}

/**
 * Records that the player is deleted. Callers use `deletePlayer` in commands/forget.ts, which also deletes the secrets.
 */
export function remove(deps: CommandDeps, ref: PlayerRef, context: CommandContext) {
  const decision = deletePlayer((external) => externalDigest(deps, ref.game, external))
  return handleAndPublish(deps, ref, context, decision)
}

async function handleAndPublish(
  deps: CommandDeps,
  ref: PlayerRef,
  context: CommandContext,
  decision: Decision<Player | null, PlayerEvent>,
) {
  const handled = await deps.handler.handle(player, aboutPlayer(ref.game, ref.player), context, decision)
  await publishPlayer(deps, ref.player, handled, (state) => state && statusOf(state))
  return handled
}

/** Who holds an external id in a game by the log; null: nobody. */
export const holderOfExternalId = (deps: Pick<CommandDeps, 'keys' | 'log'>, game: string, external: string) =>
  foldStream(deps.log, externalId, externalStream(game, externalDigest(deps, game, external)))

/** The digest that names the stream of an external id's claim. */
export const externalDigest = ({ keys }: Pick<CommandDeps, 'keys'>, game: string, external: string) =>
  keyedDigest(keys.digest, 'external', game, external).toString('hex')
