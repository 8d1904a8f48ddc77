// Ends uploads whose time is over, so that what they reserved is free again.

import { expire } from '../commands/finish-upload.ts'
import { dueUploads } from '../queries/upload.ts'
import { partitionOf } from '../stores/contract/partition.ts'
import type { ProcessDeps } from './deps.ts'
import { ownIntent } from './intent.ts'
import type { Timed } from './tick.ts'

const EVERY_MS = 500
const AT_ONCE = 500

export function expireUploads({ commands, queries }: Pick<ProcessDeps, 'commands' | 'queries'>): Timed {
  return {
    name: 'expire_uploads',
    everyMs: EVERY_MS,
    async run(partitions, nowMs, signal) {
      for (const { id, bucket, game } of await dueUploads(queries, nowMs, AT_ONCE)) {
        if (signal.aborted) return
        if (partitions.has(partitionOf(game))) await expire(commands, { bucket, game }, id, ownIntent(nowMs))
      }
    },
  }
}
