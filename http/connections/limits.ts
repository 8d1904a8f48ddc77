// Every limit on connections, requests in flight, bodies and unread answers, in one place. docs/protocol.md lists those that
// callers notice, docs/operations.md those that operators watch.

import type { BudgetLimits } from './budget.ts'

// Connections. Those of TRUSTED_PROXIES are not counted: a proxy speaks for many clients, and bounds them itself.

/** Connections from one network address. More than the rooms take, so that a handshake over their limit gets its answer. */
export const CONNECTIONS_PER_ADDRESS = 3_000
/** Connections to one process. The rooms alone may have 20,000. */
export const CONNECTIONS_PER_PROCESS = 24_000

// Requests of one connection.

/** Requests that one connection has in work: those pipelined behind it wait, and the socket is paused meanwhile. */
export const REQUESTS_IN_WORK_PER_CONNECTION = 1
/**
 * Requests that wait behind others of their connections, in the whole process and of one network address. Node parses all of one read (64 KiB) before
 * a pause takes effect, which is up to 3,640 requests of 1.5 KiB each.
 */
export const WAITING_PER_PROCESS = 16_384
export const WAITING_PER_ADDRESS = 8_192
/** Pipelined requests and chunks of a network address in one turn. Past them its other connections are read one per turn. */
export const PARSED_PER_TURN = 256
/** Past those, its connections that are new, and then those that pipeline, are read at no more than this rate. */
export const PARSED_PER_SECOND = 8_192
/** A request with more headers counts as a pipelined one for each so many of them: reading them takes as long. */
export const HEADERS_PER_REQUEST = 50
/** While so many of its requests wait, only connections that were used and never pipelined are read. */
export const WAITING_DEFERS_READS = 1_024
/** A connection that is not read for so long is closed. */
export const READ_DEFERRED_MAX_MS = 10_000
/** A request for an upgrade that is not served, with others behind it, counts as so many: it takes a parser of its own. */
export const PARSED_BY_UPGRADE = 64

/** A request that was half there when its connection was paused has so long to arrive once it is read again. */
export const PARTIAL_REQUEST_MS = 15_000

// Requests in flight, from the first byte of a request to the last of its answer.

export const REQUESTS_PER_ADDRESS = 1_000
export const REQUESTS_PER_PROCESS = 5_000

/** Requests of one network address that start in one turn of the event loop, … */
export const STARTS_PER_TURN = 4
/** … after a turn that took longer than this, … */
export const LONG_TURN_MS = 4
export const STARTS_PER_LONG_TURN = 1
/** … and where no other address sent a request for so long. More at once share a write to the log. */
export const STARTS_PER_TURN_ALONE = 64
export const STARTS_SHARED_MS = 1_000

// Bodies that did not arrive together with their headers.

export const BODIES_PER_ADDRESS = 256
export const BODIES_PER_PROCESS = 2_048
export const BODY_MAX_BYTES = 65_536
/** Each chunk costs as much as 400 bytes until it is copied, however short it is. */
export const BODY_MAX_CHUNKS = 1_024
/** A connection whose bytes were refused is closed after so long, whatever its client does. */
export const REFUSED_LINGER_MS = 1_000
/** A connection that sent more chunks than that is not read any more, and is closed after so long. */
export const CHUNKS_LINGER_MS = 10_000
/** Chunks of one body that a polling client of the rooms posts, while nothing reads them. A connection that sends more is closed. */
export const UNREAD_MAX_CHUNKS = 64
/** From the moment that a body is asked for to its last byte. */
export const BODY_TIMEOUT_MS = 20_000

// Answers that their callers do not read.

/** An answer of which nothing is taken for so long ends with its connection. */
export const ANSWER_STALL_MS = 60_000
/** The same for streams of events, of which a game has a bounded number. */
export const STREAM_STALL_MS = 600_000
/** How often progress is looked at: a stalled connection is closed at most so much later. */
const PROGRESS_CHECK_EVERY_MS = 1_000
/** Larger answers go out in pieces of this size, each when the one before has been taken. */
export const ANSWER_PIECE_BYTES = 65_536
/** Bytes of answers in more than one piece that may be held at once. */
export const ANSWERS_PER_ADDRESS_BYTES = 33_554_432
export const ANSWERS_PER_PROCESS_BYTES = 134_217_728

/** Seconds in `Retry-After` where a limit of the whole process or of their address is reached. */
export const RETRY_AFTER_S = 2

/** The limits that a listener keeps; tests keep smaller ones. */
export interface EdgeLimits {
  readonly connections: BudgetLimits
  readonly requests: BudgetLimits
  readonly bodies: BudgetLimits
  readonly answers: BudgetLimits
  readonly waiting: BudgetLimits
  readonly bodyTimeoutMs: number
  readonly answerStallMs: number
  readonly streamStallMs: number
  readonly progressCheckEveryMs: number
}

export const EDGE_LIMITS: EdgeLimits = {
  connections: { perAddress: CONNECTIONS_PER_ADDRESS, perProcess: CONNECTIONS_PER_PROCESS },
  requests: { perAddress: REQUESTS_PER_ADDRESS, perProcess: REQUESTS_PER_PROCESS },
  bodies: { perAddress: BODIES_PER_ADDRESS, perProcess: BODIES_PER_PROCESS },
  answers: { perAddress: ANSWERS_PER_ADDRESS_BYTES, perProcess: ANSWERS_PER_PROCESS_BYTES },
  waiting: { perAddress: WAITING_PER_ADDRESS, perProcess: WAITING_PER_PROCESS },
  bodyTimeoutMs: BODY_TIMEOUT_MS,
  answerStallMs: ANSWER_STALL_MS,
  streamStallMs: STREAM_STALL_MS,
  progressCheckEveryMs: PROGRESS_CHECK_EVERY_MS,
}
