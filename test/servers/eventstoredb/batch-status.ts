// The refusal of a batch append: a status inside the reply, with a typed detail that the client recognises.

import type { Code } from '@eventstore/db-client/generated/code_pb.js'
import codes from '@eventstore/db-client/generated/code_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import type { Status } from '@eventstore/db-client/generated/status_pb.js'
import statuses from '@eventstore/db-client/generated/status_pb.js'
import anys from 'google-protobuf/google/protobuf/any_pb.js'
import empties from 'google-protobuf/google/protobuf/empty_pb.js'
import type { Outcome } from './appending.ts'
import type { Expected } from './expectation.ts'

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
