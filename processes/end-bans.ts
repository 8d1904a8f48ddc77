// Ends bans whose end has come, by an event, so that views rebuilt later agree with those that were live.

import type { CommandDeps } from '../commands/deps.ts'
import { endBan } from '../commands/player.ts'
import type { QueryDeps } from '../queries/deps.ts'
import { dueBans } from '../queries/player.ts'
import { partitionOf } from '../stores/contract/partition.ts'
import { ownIntent } from './intent.ts'
import type { Timed } from './tick.ts'

/** A ban ends at most so much, and the time that views take, after its end. */
const EVERY_MS = 500

export function endBans(commands: CommandDeps, queries: QueryDeps): Timed {
  return {
    name: 'end_bans',
    everyMs: EVERY_MS,
    async run(partitions, nowMs, signal) {
      for await (const { id, game } of dueBans(queries, nowMs)) {
        if (signal.aborted) return
        if (game !== null && partitions.has(partitionOf(game))) await endBan(commands, game, id, ownIntent(nowMs))
      }
    },
  }
}
