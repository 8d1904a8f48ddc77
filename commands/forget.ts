// Deletes a player's secrets and claims after PlayerDeleted. The most sensitive go first, in case of an interruption:
// the key of their text, then their sign-in methods, then the external id. Every step is idempotent.

import { filesKeyOf } from '../domain/personal.ts'
import { externalId, externalStream, type PlayerDeletedData, releaseExternalId } from '../domain/player.ts'
import { type CommandContext, withoutIdempotencyKey } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { remove } from './player.ts'
import { end } from './session.ts'
import { forgetSignIns } from './sign-in/claims.ts'

export interface Forgotten extends PlayerDeletedData {
  readonly game: string
  readonly player: string
}

/** Makes all text that the player wrote unreadable (null), in the log and in every copy of it. */
export const forgetText = ({ vault }: Pick<CommandDeps, 'vault'>, player: string): Promise<void> =>
  vault.destroyForGood('player-key', player)

/** Makes the paths of their files and folders unreadable (null). Only after those are removed or released. */
export const forgetPaths = ({ vault }: Pick<CommandDeps, 'vault'>, player: string): Promise<void> =>
  vault.destroyForGood('player-key', filesKeyOf(player))

/** Deletes a player, publishes it to all nodes, and deletes their secrets; a reaction finishes this after a failure. */
export async function deletePlayer(deps: CommandDeps, game: string, player: string, context: CommandContext) {
  const handled = await remove(deps, { game, player }, context)
  for (const { type, data } of handled.events) {
    if (type === 'PlayerDeleted') await forget(deps, { game, player, ...data }, context).catch(() => {})
  }
  return handled
}

/** All steps except the end of the sessions. */
export async function forget(
  deps: CommandDeps,
  { game, player, external, links }: Forgotten,
  asked: CommandContext,
): Promise<void> {
  // A repeat finds these steps done by the state, so their calls need not be remembered.
  const context = withoutIdempotencyKey(asked)
  await forgetText(deps, player)
  await forgetSignIns(deps, { game, player }, links, context)
  if (external === null) return
  const about = { stream: externalStream(game, external), game, player }
  await deps.handler.handle(externalId, about, context, releaseExternalId(player))
}

/** Ends a session, and destroys its refresh token and the day of its last use. */
export async function forgetSession(
  deps: CommandDeps,
  ref: { readonly game: string; readonly player: string; readonly session: string },
  context: CommandContext,
): Promise<void> {
  await deps.vault.destroy('refresh-token', ref.session)
  await end(deps, ref, context)
  await deps.vault.destroy('session-used', ref.session)
}
