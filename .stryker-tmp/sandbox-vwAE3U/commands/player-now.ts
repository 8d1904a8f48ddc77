// A player as the log has them now, whatever the views know: what is asked before
// something is decided in another stream.

import { type Player, player, playerStream } from '../domain/player.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import type { CommandDeps } from './command-deps.ts'
import { fold, foldStream, unfolded } from './fold.ts'

/** Where commands about a player go. */
export const aboutPlayer = (game: string, id: string) => ({ stream: playerStream(id), game, player: id })

/** Null where there never was one. */
export const playerNow = ({ log }: Pick<CommandDeps, 'log'>, id: string): Promise<Player | null> =>
  foldStream(log, player, playerStream(id))

/** Likewise of a player who must be the game's own; null for another game's. */
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
