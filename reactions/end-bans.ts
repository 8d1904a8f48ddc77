// Ends expired bans by recording an event, so that rebuilt views agree with the live ones.

import { endBan } from '../commands/player.ts'
import { partitionOf } from '../domain/partition.ts'
import { dueBans } from '../queries/player.ts'
import { ownContext, type ReactionDeps } from './reaction.ts'
import type { Timed } from './tick.ts'

/** A ban ends at most this much later, plus the delay of the views. */
const EVERY_MS = 500

export function endBans(deps: Pick<ReactionDeps, 'commands' | 'queries' | 'isDeleted'>): Timed {
  const { commands, queries } = deps
  return {
    name: 'end_bans',
    everyMs: EVERY_MS,
    async run(partitions, nowMs, signal) {
      for await (const { id, game } of dueBans(queries, nowMs)) {
        if (signal.aborted) return
        if (deps.isDeleted?.(game) === true) continue
        if (game !== null && partitions.has(partitionOf(game)))
          await endBan(commands, { game, player: id }, ownContext(nowMs))
      }
    },
  }
}
