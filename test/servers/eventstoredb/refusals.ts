// The errors of the real server: a gRPC status, and metadata from which the client creates its error classes.

import { Metadata, type ServiceError, status } from '@grpc/grpc-js'

function refusal(code: status, details: string, metadata: Readonly<Record<string, string>> = {}): ServiceError {
  const trailer = new Metadata()
  for (const [key, value] of Object.entries(metadata)) {
    // A header contains ASCII only, so other names cannot be sent unchanged.
    trailer.set(key, /^[\x20-\x7e]*$/.test(value) ? value : encodeURIComponent(value))
  }
  return Object.assign(new Error(details), { code, details, metadata: trailer })
}

export const handlerThrew = (): ServiceError => refusal(status.UNKNOWN, 'Exception was thrown by handler.')

export const notReady = (): ServiceError => refusal(status.UNAVAILABLE, 'Server Is Not Ready')

export const unexpectedResult = (kind: 'ReadStreamResult' | 'ReadAllResult'): ServiceError =>
  refusal(status.UNKNOWN, `Unexpected ${kind}: Error`)

export const streamDeleted = (stream: string): ServiceError =>
  refusal(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  })

export const wrongExpectedVersion = (
  operation: string,
  stream: string,
  expected: number,
  actual: number,
): ServiceError =>
  refusal(
    status.FAILED_PRECONDITION,
    `${operation} failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${expected}, ` +
      `Actual version: ${actual}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': String(expected),
      'actual-version': String(actual),
    },
  )

export const appendTooLarge = (limit: number): ServiceError =>
  refusal(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(limit),
  })

export const commitTimeout = (): ServiceError => refusal(status.ABORTED, 'Operation timed out: Commit phase timeout.')

export const consumerTooSlow = (): ServiceError =>
  refusal(
    status.ABORTED,
    'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
  )

/**
 * The outcome of a running call when the node is stopped: the client's wording for a call that ends without a status.
 */
export const endedWithoutStatus = (): ServiceError =>
  refusal(status.INTERNAL, 'Received RST_STREAM with code 0 (Call ended without gRPC status)')

/** The error of a node that is not the leader, for a call that requires the leader. */
export const notLeader = (leaderPort: number): ServiceError =>
  refusal(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': '127.0.0.1',
    'leader-endpoint-port': String(leaderPort),
  })

export const unauthenticated = (): ServiceError => refusal(status.UNAUTHENTICATED, 'Unauthenticated')

export const accessDenied = (): ServiceError =>
  refusal(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' })
