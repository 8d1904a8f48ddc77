// Classifies a failed call: another node leads, the connection is lost, the user lacks a permission, or there was no
// answer in time.

import { StreamDeletedError } from '@eventstore/db-client'
import type { Metadata } from '@grpc/grpc-js'
import type { Host } from './url.ts'

const CANCELLED = 1
const DEADLINE_EXCEEDED = 4
const PERMISSION_DENIED = 7
const UNAVAILABLE = 14
const UNAUTHENTICATED = 16
/** gRPC's message for a call that this process cancelled. */
const CANCELLED_HERE = 'Cancelled on client'

interface Failure {
  readonly code?: unknown
  readonly details?: unknown
  readonly message?: unknown
  readonly metadata?: Metadata
}

const failureOf = (error: unknown): Failure => (typeof error === 'object' && error !== null ? error : {})

/** The leader's address, from the refusal of a node that is not the leader; null for every other error. */
export function leaderIn(error: unknown): Host | null {
  const { metadata } = failureOf(error)
  const read = (key: string): string => String(metadata?.get(key)[0] ?? '')
  if (read('exception') !== 'not-leader') return null
  const address = read('leader-endpoint-host')
  const port = Number(read('leader-endpoint-port'))
  return address !== '' && Number.isInteger(port) && port > 0 ? { address, port } : null
}

/** Whether a new connection may help: this one is lost, or none could be opened. */
export function isConnectionLost(error: unknown): boolean {
  const { code, details, message } = failureOf(error)
  if (code === CANCELLED) return details !== CANCELLED_HERE
  // An error without a code comes from leader discovery or from gRPC's transport.
  return code === UNAVAILABLE || code === undefined || String(message).includes('write after end')
}

/** Whether a call failed without an answer of the node. */
export function isUnanswered(error: unknown): boolean {
  const { code } = failureOf(error)
  return code === undefined || code === CANCELLED || code === DEADLINE_EXCEEDED || code === UNAVAILABLE
}

/** `user`: the server rejects the user or password. `right`: the user lacks a permission. */
type Denial = 'user' | 'right'

/** Null if the error is not an access refusal. */
export function denialIn(error: unknown): Denial | null {
  const { code, message } = failureOf(error)
  if (code === UNAUTHENTICATED) return 'user'
  if (code === PERMISSION_DENIED || /access ?denied/i.test(String(message))) return 'right'
  return null
}

/** Whether the stream has a tombstone. */
export function isStreamDeleted(error: unknown): boolean {
  const { metadata, message } = failureOf(error)
  if (metadata?.get('exception')[0] === 'stream-deleted') return true
  return error instanceof StreamDeletedError || /stream .* is deleted/i.test(String(message))
}

/** No answer in time. The outcome is unknown. */
export class NoAnswer extends Error {
  constructor(what: string, ms: number) {
    super(`EventStoreDB gave no answer within ${Math.round(ms)} ms: ${what}`)
    this.name = 'NoAnswer'
  }
}

/** Creates the error for a call that was not answered in time. */
export const noAnswerTo =
  (what: string) =>
  (ms: number): Error =>
    new NoAnswer(what, ms)
