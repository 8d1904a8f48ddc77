// Reads: of a stream or of $all, forwards or backwards. What is committed when the read begins is what it gives.

import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerWritableStream } from '@grpc/grpc-js'
import { rightOn } from './access.ts'
import { eventFrame, notFoundFrame } from './frames.ts'
import type { Journal, StreamLog } from './journal.ts'
import { type Node, refusalOfCall, whenHeld, whenOver } from './node.ts'
import { streamName } from './proto-values.ts'
import { type ReadRequest, readRequestOf } from './read-request.ts'
import type { LogRecord } from './record.ts'
import { endedWithoutStatus, handlerThrew, streamDeleted, unexpectedResult } from './refusals.ts'
import { isSoftDeleted, visibleOf } from './stream-metadata.ts'
import { subscribe } from './subscription.ts'

/** A reply as a message, or encoded already. */
export type Frame = ReadResp | Buffer
export type ReadCall = ServerWritableStream<ReadReq, Frame>

export function readCall(node: Node, call: ReadCall): void {
  whenHeld(
    node,
    () => call.cancelled,
    () => {
      try {
        begin(node, call)
      } catch (refusal) {
        call.emit('error', refusal)
      }
    },
  )
}

/** Throws what the call is refused with. */
function begin(node: Node, call: ReadCall): void {
  const isOfAll = call.request.getOptions()?.hasAll() ?? false
  const stream = streamName(call.request.getOptions()?.getStream()?.getStreamIdentifier())
  const refusal = refusalOfCall(node, call.metadata, isOfAll ? 'readAll' : rightOn(stream, 'readStreams'))
  if (refusal !== null) throw refusal
  const request = understood(call.request)
  if (request.count === null) subscribe(node, call, request)
  else if (request.stream === null) readAll(node, call, request)
  else {
    node.counters.streamReads += 1
    readStream(node, call, request, request.stream)
  }
}

function understood(message: ReadReq): ReadRequest {
  try {
    return readRequestOf(message)
  } catch {
    throw handlerThrew()
  }
}

function readAll(node: Node, call: ReadCall, request: ReadRequest): void {
  if (typeof request.from === 'number' && !node.journal.isBoundary(request.from)) {
    throw unexpectedResult('ReadAllResult')
  }
  send(node, call, request, ofAll(node, request))
}

function readStream(node: Node, call: ReadCall, request: ReadRequest, stream: string): void {
  const { journal } = node
  if (journal.isTombstoned(stream)) throw streamDeleted(stream)
  if (request.count === 0 || (request.from === 'end' && !request.backwards)) throw unexpectedResult('ReadStreamResult')
  const log = journal.stream(stream)
  if (log === undefined || visibleOf(journal, log).last < 0 || isSoftDeleted(journal, stream)) {
    call.write(notFoundFrame(stream))
    call.end()
  } else {
    send(node, call, request, ofStream(journal, log, request))
  }
}

/** Sends events as fast as the reader takes them. */
function send(node: Node, call: ReadCall, request: ReadRequest, records: Iterator<LogRecord>): void {
  let left = request.count ?? 0
  const open = { endByStop: () => call.emit('error', endedWithoutStatus()) }
  node.openCalls.add(open)
  whenOver(call, () => node.openCalls.delete(open))
  const more = (): void => {
    while (node.running && !call.cancelled && call.writable) {
      const next = left > 0 ? records.next() : { done: true as const, value: undefined }
      if (next.done) {
        call.end()
        return
      }
      left -= 1
      if (!call.write(eventFrame(node.journal, next.value, request.form))) {
        call.once('drain', more)
        return
      }
    }
  }
  more()
}

function* ofStream(journal: Journal, log: StreamLog, { from, backwards }: ReadRequest): Generator<LogRecord> {
  const { first, last, isFresh } = visibleOf(journal, log)
  const begin = from === 'start' ? 0 : from === 'end' ? last : from
  const step = backwards ? -1 : 1
  let revision = backwards ? Math.min(begin, last) : Math.max(begin, first)
  for (; revision >= first && revision <= last; revision += step) {
    const record = log.records[revision]
    if (record !== undefined && isFresh(record)) yield record
  }
}

function* ofAll({ journal }: Node, { from, backwards, filter }: ReadRequest): Generator<LogRecord> {
  const stop = journal.committed
  const begin = from === 'start' ? 0 : from === 'end' ? stop : journal.indexFrom(from)
  const step = backwards ? -1 : 1
  for (let index = backwards ? begin - 1 : begin; index >= 0 && index < stop; index += step) {
    const record = journal.records[index]
    if (record !== undefined && (filter === null || filter.matches(record))) yield record
  }
}
