// Reads the present state of a player from the log, before a decision in another stream: it may be newer than the
// views.

import { type Player, player, playerStream } from '../domain/player.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import type { CommandDeps } from './command-deps.ts'
import { fold, foldStream, unfolded } from './fold.ts'

/** The target of commands about a player. */
export const aboutPlayer = (game: string, id: string) => ({ stream: playerStream(id), game, player: id })

/** The target of the command that creates a player whose id this call generated. */
export const aboutNewPlayer = (game: string, id: string) => ({ ...aboutPlayer(game, id), isNew: true })

/** Null for an unknown player. */
export const playerNow = ({ log }: Pick<CommandDeps, 'log'>, id: string): Promise<Player | null> =>
  foldStream(log, player, playerStream(id))

/** The same, but null for a player of another game. */
export async function playerOfGame(
  { log }: Pick<CommandDeps, 'log'>,
  game: string,
  id: string,
): Promise<Player | null> {
  let folded = unfolded(player)
  for await (const event of eventsFrom(log, playerStream(id))) {
    if (event.meta.game !== game) return null
    folded = fold(player, folded, event)
  }
  return folded.state
}
