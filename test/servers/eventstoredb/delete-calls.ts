// Deletes a stream: softly, by metadata that truncate all of it, or permanently, by a tombstone.

import { randomUUID } from 'node:crypto'
import type { DeleteReq, DeleteResp, TombstoneReq, TombstoneResp } from '@eventstore/db-client/generated/streams_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { Metadata, ServerUnaryCall, ServiceError, sendUnaryData } from '@grpc/grpc-js'
import { expectedNumber, judge } from './expectation.ts'
import type { Journal } from './journal.ts'
import { isReady, type Node, whenHeld } from './node.ts'
import { expectedOf, streamName } from './proto-values.ts'
import { jsonRecord, type LogRecord } from './record.ts'
import { handlerThrew, notReady, streamDeleted, wrongExpectedVersion } from './refusals.ts'
import { deletingMetadata } from './stream-metadata.ts'

export function deleteCall(
  node: Node,
  call: ServerUnaryCall<DeleteReq, DeleteResp>,
  reply: sendUnaryData<DeleteResp>,
): void {
  const options = call.request.getOptions()
  remove(node, call, options, softly, (error, record) => {
    if (record === null) {
      reply(error)
      return
    }
    const position = new streams.DeleteResp.Position()
    position.setCommitPosition(String(record.position))
    position.setPreparePosition(String(record.position))
    const done = new streams.DeleteResp()
    done.setPosition(position)
    reply(null, done)
  })
}

export function tombstoneCall(
  node: Node,
  call: ServerUnaryCall<TombstoneReq, TombstoneResp>,
  reply: sendUnaryData<TombstoneResp>,
): void {
  const options = call.request.getOptions()
  remove(node, call, options, forEver, (error, record) => {
    if (record === null) {
      reply(error)
      return
    }
    const position = new streams.TombstoneResp.Position()
    position.setCommitPosition(String(record.position))
    position.setPreparePosition(String(record.position))
    const done = new streams.TombstoneResp()
    done.setPosition(position)
    reply(null, done)
  })
}

type Done = (error: ServiceError | null, record: LogRecord | null) => void
type How = (journal: Journal, stream: string) => LogRecord
type Options = DeleteReq.Options | TombstoneReq.Options | undefined

function remove(
  node: Node,
  call: { readonly cancelled: boolean; readonly metadata: Metadata },
  options: Options,
  how: How,
  done: Done,
): void {
  whenHeld(
    node,
    () => call.cancelled,
    () => {
      const denied = node.access?.refusal(call.metadata, 'deleteStreams') ?? null
      const written = denied ?? attempt(node, options, how)
      if ('code' in written) done(written, null)
      else node.writer.afterCommit(() => node.running && done(null, written))
    },
  )
}

function attempt(node: Node, options: Options, how: How): ServiceError | LogRecord {
  const { journal } = node
  const stream = streamName(options?.getStreamIdentifier())
  const expected =
    options === undefined ? null : expectedOf(options, options.hasRevision() ? options.getRevision() : null)
  if (!isReady(node)) return notReady()
  if (stream === null || expected === null) return handlerThrew()
  const verdict = judge(journal, node.recent, stream, expected, [])
  if (verdict.kind === 'deleted') return streamDeleted(stream)
  const current = journal.tip(stream)
  const isMissing = how === softly && expected === 'any' && current < 0
  if (verdict.kind === 'conflict' || isMissing) {
    return wrongExpectedVersion('Delete', stream, expectedNumber(expected), current)
  }
  return how(journal, stream)
}

function softly(journal: Journal, stream: string): LogRecord {
  const text = deletingMetadata(journal, stream)
  return journal.addOne(`$$${stream}`, jsonRecord(randomUUID(), '$metadata', text))
}

function forEver(journal: Journal, stream: string): LogRecord {
  return journal.addOne(stream, jsonRecord(randomUUID(), '$streamDeleted', '{}'))
}
