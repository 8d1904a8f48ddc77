// Does what follows the deletion of a player, where the call that deleted them did not come to it: destroys what opens their
// text and what they signed in by, ends their sessions, gives back their external id.

import type { CommandDeps } from '../commands/deps.ts'
import { forget, forgetSession } from '../commands/forget.ts'
import type { Seen } from '../commands/intent.ts'
import { Refusal } from '../domain/decider.ts'
import { shaped } from '../domain/event.ts'
import type { PlayerDeletedData } from '../domain/player.ts'
import type { QueryDeps } from '../queries/deps.ts'
import { everySessionOf } from '../queries/session.ts'
import { onBehalfOf } from './intent.ts'
import type { Process } from './process.ts'

/** How long it waits for the views to know of the sessions begun before the deletion; then the event comes again. */
const SEEN_MS = 5_000

export function finishDeletions(commands: CommandDeps, queries: QueryDeps, seen: Seen): Process {
  return {
    name: 'finish_deletions',
    takes: ['PlayerDeleted'],
    async react({ data, meta, position }, signal) {
      const { game, player } = meta
      if (game === null || player === undefined) return
      const intent = onBehalfOf(meta)
      await forget(commands, { game, player, ...shaped<PlayerDeletedData>(data) }, intent)
      if (!(await seen({ game, position }, SEEN_MS))) {
        if (signal.aborted) return
        throw new Refusal('unavailable', 'behind', `The views have not come to the deletion of player ${player}.`)
      }
      for (const session of await everySessionOf(queries, player)) {
        await forgetSession(commands, { game, player, session }, intent)
      }
    },
  }
}
