// Removes streams: a tombstone ends a stream for ever, and stream metadata hides its beginning. The server frees the
// bytes when it is scavenged; until then reads of the whole log return the events.

import { randomUUID } from 'node:crypto'
import { ANY } from '@eventstore/db-client'
import type { StreamErasure } from '../contract/erasure.ts'
import { StoreUnavailable } from '../contract/faults.ts'
import type { Log } from '../contract/log.ts'
import type { Access } from './access.ts'
import type { Line } from './line.ts'
import { isStreamDeleted } from './refusals.ts'

interface StreamErasureOptions {
  readonly line: Line
  readonly append: Log['append']
  readonly access: Access
  readonly deadlineMs: number
}

export function createStreamErasure({ line, append, access, deadlineMs }: StreamErasureOptions): StreamErasure {
  return {
    async deleteStream(stream) {
      try {
        const options = { expectedRevision: ANY, deadline: deadlineMs, requiresLeader: true } as const
        await line.connection().tombstoneStream(stream, options)
        line.heard()
        access.succeeded('deleteStream')
      } catch (error) {
        if (isStreamDeleted(error)) return
        const denial = access.failed('deleteStream', error)
        throw new StoreUnavailable(denial ?? `EventStoreDB: stream ${stream} could not be deleted`, error)
      }
    },
    async truncateStream(stream, before) {
      const id = randomUUID()
      const meta = { v: 1, game: null, command: id, actor: null, request: null, time: new Date(0).toISOString() }
      // Existing metadata is ours, because no other program sets any.
      await append(`$$${stream}`, 'none', [{ id, type: '$metadata', data: { $tb: before }, meta }])
    },
  }
}
