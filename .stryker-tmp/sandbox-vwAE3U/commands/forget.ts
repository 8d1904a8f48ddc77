// What follows the deletion of a player, in an order that leaves the least behind wherever it breaks off: first what
// opens their text, then what they signed in by, then what others may have again. Each step may be done any number of
// times.

import { filesKeyOf } from '../domain/personal.ts'
import { externalId, externalStream, type PlayerDeletedData, releaseExternalId } from '../domain/player.ts'
import { besides, type CommandContext } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { remove } from './player.ts'
import { end } from './session.ts'
import { forgetSignIns } from './sign-in/claims.ts'

export interface Forgotten extends PlayerDeletedData {
  readonly game: string
  readonly player: string
}

/** After this everything the player wrote reads as null, in the log and in all that is copied from it. */
export const forgetText = ({ vault }: Pick<CommandDeps, 'vault'>, player: string): Promise<void> =>
  vault.bury('player-key', player)

/** After this the names of their files and folders read as null: only once those are removed, or released. */
export const forgetPaths = ({ vault }: Pick<CommandDeps, 'vault'>, player: string): Promise<void> =>
  vault.bury('player-key', filesKeyOf(player))

/**
 * Deletes a player, tells every node, and does what follows. Where that does not come to an
 * end, a process goes on with it.
 */
export async function deletePlayer(deps: CommandDeps, game: string, player: string, context: CommandContext) {
  const handled = await remove(deps, { game, player }, context)
  for (const { type, data } of handled.events) {
    if (type === 'PlayerDeleted') await forget(deps, { game, player, ...data }, context).catch(() => {})
  }
  return handled
}

/** All but the sessions. */
export async function forget(
  deps: CommandDeps,
  { game, player, external, links }: Forgotten,
  asked: CommandContext,
): Promise<void> {
  // Whether there is anything to do is read off the state: a repeat is not remembered, and does nothing more.
  const context = besides(asked)
  await forgetText(deps, player)
  await forgetSignIns(deps, { game, player }, links, context)
  if (external === null) return
  const place = { stream: externalStream(game, external), game, player }
  await deps.handler.handle(externalId, place, context, releaseExternalId(player))
}

/** Ends a session and forgets what renews it. */
export async function forgetSession(
  deps: CommandDeps,
  place: { readonly game: string; readonly player: string; readonly session: string },
  context: CommandContext,
): Promise<void> {
  await deps.vault.destroy('refresh-token', place.session)
  await end(deps, place, context)
}
