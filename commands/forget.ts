// What follows the deletion of a player, in an order that leaves the least behind wherever it breaks off: first what opens
// their text, then what they signed in by, then what others may have again. Each step may be done any number of times.

import { externalId, externalStream, releaseExternalId } from '../domain/player.ts'
import type { CommandDeps } from './deps.ts'
import type { Intent } from './intent.ts'
import { end } from './session.ts'

export interface Forgotten {
  readonly game: string
  readonly player: string
  /** As PlayerDeleted has it. */
  readonly external: string | null
}

/** After this everything the player wrote reads as null, in the log and in all that is copied from it. */
export const forgetText = ({ vault }: Pick<CommandDeps, 'vault'>, player: string): Promise<void> =>
  vault.bury('player-key', player)

/** All but the sessions. Whatever else a player can sign in by is forgotten here too. */
export async function forget(deps: CommandDeps, { game, player, external }: Forgotten, asked: Intent): Promise<void> {
  // Whether there is anything to do is read off the state: a repeat is not remembered, and does nothing more.
  const intent = { ...asked, call: null }
  await forgetText(deps, player)
  await deps.vault.destroy('guest-token', player)
  if (external === null) return
  const place = { stream: externalStream(game, external), game, player }
  await deps.handler.handle(externalId, place, intent, releaseExternalId(player))
}

/** Ends a session and forgets what renews it. */
export async function forgetSession(
  deps: CommandDeps,
  place: { readonly game: string; readonly player: string; readonly session: string },
  intent: Intent,
): Promise<void> {
  await deps.vault.destroy('refresh-token', place.session)
  await end(deps, place, intent)
}
