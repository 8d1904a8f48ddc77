// Types that the connections of one server share.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Release } from './budget.ts'
import type { ParseCounter } from './parse-counter.ts'

/** Why this process closes a connection; the values are labels of a metric. */
export type CloseReason = 'waiting' | 'unread' | 'stalled' | 'chunks'

/** A request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  start(): void
}

/** A connection with an unanswered request. */
export interface BusyConnection {
  readonly socket: Socket
  /** Whether its answer has stalled for longer than allowed. Must be polled: each call also records progress. */
  isStalled(nowMs: number): boolean
}

/** Limits the requests that wait behind others of their connections. */
export interface WaitingSlots {
  /** Takes a slot for one more waiting request; false if its address or the process has none left. */
  take(socket: Socket): boolean
  /** Releases up to `count` slots of a connection. */
  release(socket: Socket, count: number): void
}

/** What all connections of a server share. */
export interface ConnectionDeps {
  readonly busy: Set<BusyConnection>
  /** How long an answer may make no progress, and how long a stream may. */
  readonly answerStallMs: number
  readonly streamStallMs: number
  readonly counter: ParseCounter
  readonly slots: WaitingSlots
  /** Reserves memory for the body of a waiting request; null if the limit is reached. */
  reserveBody(request: IncomingMessage): Release | null
  closed(reason: CloseReason): void
  /** Calls `start` when it is the turn of the request's network address. Returns a function that cancels it. */
  inTurn(request: IncomingMessage, start: () => void): () => void
}
