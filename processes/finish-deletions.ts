// Does what follows the deletion of a player, where the call that deleted them did not come to it: destroys what opens their
// text and what they signed in by, ends their sessions, gives back their external id.

import { forget, forgetSession } from '../commands/forget.ts'
import { shaped } from '../domain/event.ts'
import type { PlayerDeletedData } from '../domain/player.ts'
import { everySessionOf } from '../queries/session.ts'
import type { ProcessDeps } from './deps.ts'
import { onBehalfOf } from './intent.ts'
import type { Process } from './process.ts'
import { viewsHave } from './wait.ts'

export function finishDeletions(deps: Omit<ProcessDeps, 'now'>): Process {
  const { commands, queries } = deps
  return {
    name: 'finish_deletions',
    takes: ['PlayerDeleted'],
    async react({ data, meta, position }, signal) {
      const { game, player } = meta
      if (game === null || player === undefined) return
      const intent = onBehalfOf(meta)
      await forget(commands, { game, player, ...shaped<PlayerDeletedData>(data) }, intent)
      // They must know of all sessions begun before the deletion.
      if (!(await viewsHave(deps, { game, position }, signal))) return
      for (const session of await everySessionOf(queries, player)) {
        await forgetSession(commands, { game, player, session }, intent)
      }
    },
  }
}
