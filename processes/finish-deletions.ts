// Does what follows the deletion of a player, where the call that deleted them did not come to it: destroys what opens their
// text and what they signed in by, ends their sessions, gives back their external id.

import { forget, forgetSession } from '../commands/forget.ts'
import { everySessionOf } from '../queries/session.ts'
import { onPlayerDeleted } from './deleted-player.ts'
import { onBehalfOf } from './intent.ts'
import type { Process } from './process.ts'
import type { ProcessDeps } from './process-deps.ts'
import { viewsHave } from './wait.ts'

export function finishDeletions(deps: Omit<ProcessDeps, 'now'>): Process {
  const { commands, queries } = deps
  return onPlayerDeleted('finish_deletions', async ({ meta, position, ...player }, signal) => {
    const intent = onBehalfOf(meta)
    await forget(commands, player, intent)
    // They must know of all sessions begun before the deletion.
    if (!(await viewsHave(deps, { game: player.game, position }, signal))) return
    for (const session of await everySessionOf(queries, player.player)) {
      await forgetSession(commands, { game: player.game, player: player.player, session }, intent)
    }
  })
}
