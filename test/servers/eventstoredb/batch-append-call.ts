// The batch append: one call shared by all appends of a client. Replies are matched by correlation id and may come in
// any order. A refusal is a reply and does not end the call.

import type { Code } from '@eventstore/db-client/generated/code_pb.js'
import codes from '@eventstore/db-client/generated/code_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import type { Status } from '@eventstore/db-client/generated/status_pb.js'
import statuses from '@eventstore/db-client/generated/status_pb.js'
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { type ServerDuplexStream, status } from '@grpc/grpc-js'
import anys from 'google-protobuf/google/protobuf/any_pb.js'
import empties from 'google-protobuf/google/protobuf/empty_pb.js'
import { rightOn } from './access.ts'
import { append, type Outcome } from './appending.ts'
import type { Expected } from './expectation.ts'
import { type Node, refusalOfCall, whenOver } from './node.ts'
import { expectedOf, proposedOf, streamName, structuredUuid, uuidText } from './proto-values.ts'
import type { Proposed } from './record.ts'
import { endedWithoutStatus } from './refusals.ts'

type Call = ServerDuplexStream<BatchAppendReq, BatchAppendResp>

/** A request whose messages have not all arrived. */
interface Gathered {
  readonly correlation: string
  readonly options: BatchAppendReq.Options | undefined
  readonly messages: BatchAppendReq.ProposedMessage[]
}

export function batchAppendCall(node: Node, call: Call): void {
  const gathered = new Map<string, Gathered>()
  const open = { endByStop: () => call.emit('error', endedWithoutStatus()) }
  node.openCalls.add(open)
  call.on('data', (message: BatchAppendReq) => {
    const correlation = uuidText(message.getCorrelationId())
    if (correlation === null) return
    const request = gathered.get(correlation) ?? { correlation, options: message.getOptions(), messages: [] }
    for (const proposed of message.getProposedMessagesList()) request.messages.push(proposed)
    if (message.getIsFinal()) {
      gathered.delete(correlation)
      handle(node, call, request)
    } else {
      gathered.set(correlation, request)
    }
  })
  call.on('end', () => call.end())
  whenOver(call, () => node.openCalls.delete(open))
}

function handle(node: Node, call: Call, { correlation, options, messages }: Gathered): void {
  const stream = streamName(options?.getStreamIdentifier())
  const expected =
    options === undefined ? null : expectedOf(options, options.hasStreamPosition() ? options.getStreamPosition() : null)
  const refusal = refusalOfCall(node, call.metadata, rightOn(stream, 'append'))
  // A missing right and a node that is not ready reject only this append; any other refusal ends the call.
  if (refusal !== null && refusal.code !== status.PERMISSION_DENIED && refusal.code !== status.UNAVAILABLE) {
    call.emit('error', refusal)
    return
  }
  const refuse = (status: Status): void => {
    const reply = replyTo(correlation, options)
    reply.setError(status)
    send(node, call, reply)
  }
  if (refusal?.code === status.PERMISSION_DENIED) {
    refuse(denied())
    return
  }
  if (stream === null || expected === null) {
    refuse(badRequest('The stream or the expectation is missing.'))
    return
  }
  const events = messages.map(proposedOf)
  if (events.includes(null)) {
    refuse(badRequest('The id or the type of an event is missing or malformed.'))
    // As observed: the real server forgets that it has answered.
    setTimeout(() => refuse(timeout()), node.settings.secondReplyMs)
    return
  }
  const request = {
    stream,
    expected,
    events: events.filter((event): event is Proposed => event !== null),
    deadlineMs: deadlineOf(options),
    duplicateMs: node.settings.duplicateBatchMs,
    cancelled: () => call.cancelled,
  }
  append(node, request, (outcome) => {
    if (outcome.kind === 'conflict') {
      const reply = replyTo(correlation, options)
      // As observed: it does not repeat the expected revision.
      if (options?.hasStreamPosition()) reply.setStreamPosition('0')
      reply.setError(refused(outcome, expected, node.settings.maxAppendBytes, Buffer.from(stream)))
      return send(node, call, reply)
    }
    if (outcome.kind !== 'appended') {
      return refuse(refused(outcome, expected, node.settings.maxAppendBytes, Buffer.from(stream)))
    }
    const reply = replyTo(correlation, options)
    reply.setSuccess(success(outcome.revision, outcome.position))
    send(node, call, reply)
  })
}

function deadlineOf(options: BatchAppendReq.Options | undefined): number {
  const deadline = options?.getDeadline()
  return deadline === undefined
    ? Number.POSITIVE_INFINITY
    : deadline.getSeconds() * 1000 + Math.ceil(deadline.getNanos() / 1e6)
}

function send(node: Node, call: Call, reply: BatchAppendResp): void {
  if (node.running && !call.cancelled && call.writable) call.write(reply)
}

/** A reply that names its request: correlation id, stream and expectation, as received. */
function replyTo(correlation: string, options: BatchAppendReq.Options | undefined): BatchAppendResp {
  const reply = new streams.BatchAppendResp()
  reply.setCorrelationId(structuredUuid(correlation))
  reply.setStreamIdentifier(options?.getStreamIdentifier() ?? new shared.StreamIdentifier())
  if (options?.hasStreamPosition()) reply.setStreamPosition(options.getStreamPosition())
  else if (options?.hasNoStream()) reply.setNoStream(options.getNoStream())
  else if (options?.hasAny()) reply.setAny(options.getAny())
  else if (options?.hasStreamExists()) reply.setStreamExists(options.getStreamExists())
  return reply
}

function success(revision: number, at: number | null): BatchAppendResp.Success {
  const done = new streams.BatchAppendResp.Success()
  if (revision < 0) done.setNoStream(new empties.Empty())
  else done.setCurrentRevision(String(revision))
  if (at === null) {
    done.setNoPosition(new empties.Empty())
  } else {
    const position = new shared.AllStreamPosition()
    position.setCommitPosition(String(at))
    position.setPreparePosition(String(at))
    done.setPosition(position)
  }
  return done
}

interface Detail {
  serializeBinary(): Uint8Array
}

function statusOf(code: Code, message: string, detail: Detail, type = `event_store.client.${message}`): Status {
  const any = new anys.Any()
  any.pack(detail.serializeBinary(), type)
  const refusal = new statuses.Status()
  refusal.setCode(code)
  refusal.setMessage(message)
  refusal.setDetails(any)
  return refusal
}

export function badRequest(message: string): Status {
  const detail = new shared.BadRequest()
  detail.setMessage(message)
  return statusOf(codes.Code.INVALID_ARGUMENT, 'BadRequest', detail)
}

export const timeout = (): Status => statusOf(codes.Code.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout())
export const denied = (): Status => statusOf(codes.Code.PERMISSION_DENIED, 'AccessDenied', new shared.AccessDenied())
type Refused = Exclude<Outcome, { kind: 'appended' }>

export function refused(outcome: Refused, expected: Expected, maxAppendBytes: number, name: Uint8Array): Status {
  if (outcome.kind === 'conflict') return conflict(expected, outcome.current)
  if (outcome.kind === 'timeout') return timeout()
  if (outcome.kind === 'not-ready') {
    return statusOf(codes.Code.OK, 'Server Is Not Ready', new empties.Empty(), 'google.protobuf.Empty')
  }
  if (outcome.kind === 'deleted') {
    const identifier = new shared.StreamIdentifier()
    identifier.setStreamName(name)
    const detail = new shared.StreamDeleted()
    detail.setStreamIdentifier(identifier)
    return statusOf(codes.Code.NOT_FOUND, 'StreamDeleted', detail)
  }
  const detail = new shared.MaximumAppendSizeExceeded()
  detail.setMaxappendsize(maxAppendBytes)
  return statusOf(codes.Code.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', detail)
}

function conflict(expected: Expected, current: number): Status {
  const detail = new shared.WrongExpectedVersion()
  if (current < 0) detail.setCurrentNoStream(new empties.Empty())
  else detail.setCurrentStreamRevision(String(current))
  if (expected === 'any') detail.setExpectedAny(new empties.Empty())
  else if (expected === 'no_stream') detail.setExpectedNoStream(new empties.Empty())
  else if (expected === 'stream_exists') detail.setExpectedStreamExists(new empties.Empty())
  else detail.setExpectedStreamPosition(String(expected))
  return statusOf(codes.Code.ALREADY_EXISTS, 'WrongExpectedVersion', detail)
}
