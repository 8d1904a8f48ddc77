// What the connections of one server have in common, and what they keep of a request.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Release } from './budget.ts'
import type { Reading } from './reading.ts'

/** Why this process closes a connection. */
export type Closed = 'waiting' | 'unread' | 'stalled' | 'chunks'

export interface Taken {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  start(): void
}

export interface Waiting extends Taken {
  /** Gives back the room of its body. */
  readonly release: Release
}

/** A connection with an unanswered request. */
export interface Busy {
  readonly socket: Socket
  /** Whether its answer has stalled for longer than it may. To be asked again and again. */
  isStalled(nowMs: number): boolean
}

/** What all connections of a server share. */
export interface Shared {
  readonly busy: Set<Busy>
  /** How long an answer may make no progress, and how long a stream may. */
  readonly answerStallMs: number
  readonly streamStallMs: number
  readonly reading: Reading
  /** Takes room for the body of a request that has to wait; null where there is none. */
  holdBody(request: IncomingMessage): Release | null
  closed(why: Closed): void
  /** Calls `start` when it is the turn of the network address that the request comes from. Returns how to take that back. */
  inTurn(request: IncomingMessage, start: () => void): () => void
}
