// Repeats the steps of a player deletion, in case its request failed halfway: destroys the keys of the player's text
// and the sign-in secrets, and releases the external id. Ends the player's sessions.

import { forget, forgetSession } from '../commands/forget.ts'
import { everySessionOf } from '../queries/session.ts'
import { onBehalfOf, onPlayerDeleted, type Reaction, type ReactionDeps } from './reaction.ts'
import { waitForViews } from './wait.ts'

export function finishDeletions(deps: ReactionDeps): Reaction {
  const { commands, queries, now } = deps
  return onPlayerDeleted('finish_deletions', async ({ meta, position, ...player }, signal) => {
    const context = onBehalfOf(meta, now())
    await forget(commands, player, context)
    // The views must contain all sessions that began before the deletion.
    if (!(await waitForViews(deps, { game: player.game, position }, signal))) return
    for (const session of await everySessionOf(queries, player.player)) {
      await forgetSession(commands, { game: player.game, player: player.player, session }, context)
    }
  })
}
