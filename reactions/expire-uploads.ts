// Ends expired uploads, which frees their reserved quota.

import pMap from 'p-map'
import { expire } from '../commands/finish-upload.ts'
import { partitionOf } from '../domain/partition.ts'
import { type DueUpload, dueUploads } from '../queries/upload.ts'
import { ownContext, type ReactionDeps } from './reaction.ts'
import type { Timed } from './tick.ts'

const EVERY_MS = 500
const MAX_PER_RUN = 500
/** Commands run at once. With only one, a bucket with many expired uploads would delay the other buckets. */
const CONCURRENCY = 32

export function expireUploads(deps: Pick<ReactionDeps, 'commands' | 'queries' | 'isDeleted'>): Timed {
  const { commands, queries } = deps
  return {
    name: 'expire_uploads',
    everyMs: EVERY_MS,
    async run(partitions, nowMs, signal) {
      const due = await dueUploads(queries, nowMs, MAX_PER_RUN)
      const ours = due.filter(({ game }) => partitions.has(partitionOf(game)) && deps.isDeleted?.(game) !== true)
      const failures: unknown[] = []
      const end = async ({ id, bucket, game }: DueUpload) => {
        if (signal.aborted) return
        // A failure must not block the uploads after it.
        await expire(commands, { bucket, game }, id, ownContext(nowMs)).catch((error: unknown) => failures.push(error))
      }
      await pMap(ours, end, { concurrency: CONCURRENCY })
      if (failures.length > 0) throw failures[0]
    },
  }
}
