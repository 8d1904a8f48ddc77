// The unary append: one call, a stream of messages from the client, one reply. A conflict is a reply, not an error.

import shared from '@eventstore/db-client/generated/shared_pb.js'
import type { AppendReq } from '@eventstore/db-client/generated/streams_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerReadableStream, sendUnaryData } from '@grpc/grpc-js'
import { rightOn } from './access.ts'
import { append, type Outcome } from './appending.ts'
import type { Expected } from './expectation.ts'
import { type Node, refusalOfCall } from './node.ts'
import { expectedOf, proposedOf, streamName } from './proto-values.ts'
import type { Proposed } from './record.ts'
import { appendTooLarge, commitTimeout, handlerThrew, notReady, streamDeleted } from './refusals.ts'

type Reply = import('@eventstore/db-client/generated/streams_pb.js').AppendResp

export function appendCall(
  node: Node,
  call: ServerReadableStream<AppendReq, Reply>,
  reply: sendUnaryData<Reply>,
): void {
  const messages: AppendReq[] = []
  call.on('data', (message: AppendReq) => messages.push(message))
  call.on('end', () => handle(node, call, messages, reply))
}

function handle(
  node: Node,
  call: ServerReadableStream<AppendReq, Reply>,
  messages: readonly AppendReq[],
  reply: sendUnaryData<Reply>,
): void {
  const options = messages[0]?.getOptions()
  const stream = streamName(options?.getStreamIdentifier())
  const expected =
    options === undefined ? null : expectedOf(options, options.hasRevision() ? options.getRevision() : null)
  const events = messages.slice(1).map((message) => {
    const proposed = message.getProposedMessage()
    return proposed === undefined ? null : proposedOf(proposed)
  })
  const refusal = refusalOfCall(node, call.metadata, rightOn(stream, 'append'))
  if (refusal !== null || stream === null || expected === null || events.includes(null)) {
    reply(refusal ?? handlerThrew())
    return
  }
  const request = {
    stream,
    expected,
    events: events.filter((event): event is Proposed => event !== null),
    deadlineMs: Number.POSITIVE_INFINITY,
    duplicateMs: node.settings.duplicateUnaryMs,
    // A frozen node writes these requests when it continues, even if the client has given up.
    cancelled: () => node.faults.delayMs > 0 && call.cancelled,
  }
  append(node, request, (outcome) => answer(node, stream, expected, outcome, reply))
}

function answer(node: Node, stream: string, expected: Expected, outcome: Outcome, reply: sendUnaryData<Reply>): void {
  if (outcome.kind === 'appended') reply(null, success(outcome.revision, outcome.position))
  else if (outcome.kind === 'conflict') reply(null, conflict(expected, outcome.current))
  else if (outcome.kind === 'deleted') reply(streamDeleted(stream))
  else if (outcome.kind === 'too-large') reply(appendTooLarge(node.settings.maxAppendBytes))
  else reply(outcome.kind === 'timeout' ? commitTimeout() : notReady())
}

function success(revision: number, at: number | null): Reply {
  const done = new streams.AppendResp.Success()
  if (revision < 0) done.setNoStream(new shared.Empty())
  else done.setCurrentRevision(String(revision))
  if (at === null) {
    done.setNoPosition(new shared.Empty())
  } else {
    const position = new streams.AppendResp.Position()
    position.setCommitPosition(String(at))
    position.setPreparePosition(String(at))
    done.setPosition(position)
  }
  const reply = new streams.AppendResp()
  reply.setSuccess(done)
  return reply
}

function conflict(expected: Expected, current: number): Reply {
  const wrong = new streams.AppendResp.WrongExpectedVersion()
  if (current < 0) wrong.setCurrentNoStream(new shared.Empty())
  else wrong.setCurrentRevision(String(current))
  if (expected === 'any') wrong.setExpectedAny(new shared.Empty())
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new shared.Empty())
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new shared.Empty())
  else wrong.setExpectedRevision(String(expected))
  const reply = new streams.AppendResp()
  reply.setWrongExpectedVersion(wrong)
  return reply
}
