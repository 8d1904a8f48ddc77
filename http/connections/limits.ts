// Every limit on connections, requests in flight, bodies and unread answers, in one place. docs/protocol.md lists those
// that callers notice, docs/operations.md those that operators watch.

import type { IncomingMessage } from 'node:http'
import type { BudgetLimits } from './budget.ts'

// Connections. Those of TRUSTED_PROXIES are not counted: a proxy serves many clients and limits them itself.

/**
 * Connections from one network address. Above the limit of the realtime rooms, so that their refusal reaches the
 * client.
 */
export const CONNECTIONS_PER_ADDRESS = 3_000
/** Connections to one process, of which the realtime rooms may use 20,000. */
export const CONNECTIONS_PER_PROCESS = 24_000

// Requests of one connection.

/** Requests that run at once on one connection. The others wait, and the socket is paused until one ends. */
export const REQUESTS_IN_WORK_PER_CONNECTION = 1
/**
 * Requests that wait behind others of their connections, per process and per network address. Node parses a whole read
 * (64 KiB) before a pause takes effect, which is up to 3,640 requests of 1.5 KiB each.
 */
export const WAITING_PER_PROCESS = 16_384
export const WAITING_PER_ADDRESS = 8_192
/**
 * Pipelined requests and chunks of a network address in one turn. Past them its other connections are read one per
 * turn.
 */
export const PARSED_PER_TURN = 256
/** Past those, its connections that are new, and then those that pipeline, are read at no more than this rate. */
export const PARSED_PER_SECOND = 8_192
/**
 * Headers of a request. Node would keep 2,000 of each head that is arriving, which take four times the bytes that were
 * sent.
 */
export const HEADERS_MAX = 100
/** A listener lets Node keep one header more than are allowed. */
export const hasTooManyHeaders = ({ rawHeaders }: IncomingMessage): boolean => rawHeaders.length > 2 * HEADERS_MAX
/**
 * A request with more headers counts as this many pipelined requests: parsing the 16 KiB that they may have takes as
 * long.
 */
export const PARSED_BY_TOO_MANY_HEADERS = 64
/** While an address has this many waiting requests, only its connections that never pipelined are read. */
export const WAITING_DEFERS_READS = 1_024
/** A connection that is not read for this long is closed. */
export const READ_DEFERRED_MAX_MS = 10_000
/** An ignored upgrade with requests behind it counts as this many requests: it needs a new parser. */
export const PARSED_BY_UPGRADE = 64

/** Time for a partly received request to arrive after its paused connection is read again. */
export const PARTIAL_REQUEST_MS = 15_000

// Requests in flight, from the first byte of a request to the last of its answer.

export const REQUESTS_PER_ADDRESS = 1_000
export const REQUESTS_PER_PROCESS = 5_000

/** Requests of one network address that start in one turn of the event loop, … */
export const STARTS_PER_TURN = 4
/** … after a turn that took longer than this, … */
export const LONG_TURN_MS = 4
export const STARTS_PER_LONG_TURN = 1
/**
 * … and if no other address has sent a request for STARTS_SHARED_MS. More requests at once share a write to the log.
 */
export const STARTS_PER_TURN_ALONE = 64
export const STARTS_SHARED_MS = 1_000

// Bodies that did not arrive together with their headers.

export const BODIES_PER_ADDRESS = 256
export const BODIES_PER_PROCESS = 2_048
export const BODY_MAX_BYTES = 65_536
/** Each chunk costs about 400 bytes until it is copied, however short it is. */
export const BODY_MAX_CHUNKS = 1_024
/** The rest of a refused body is read and dropped up to this size. If more arrives, the connection is closed. */
export const DRAIN_MAX_BYTES = 1_048_576
export const DRAIN_MAX_CHUNKS = 4_096
/** Then after this time, in which the client can read the answer. */
export const DRAIN_LINGER_MS = 1_000
/** A connection with unparsable bytes is closed this long after the answer. */
export const REFUSED_LINGER_MS = 1_000
/**
 * A connection whose last answer was sent before the whole body had arrived is closed this long after the answer, and
 * so is one with a refused upload whose rest has not arrived by then.
 */
export const CLOSING_LINGER_MS = 5_000
/** A connection that sent too many chunks is no longer read, and is closed after this time. */
export const CHUNKS_LINGER_MS = 10_000
/** Unread chunks of one body that a polling rooms client posts. A connection that sends more is closed. */
export const UNREAD_MAX_CHUNKS = 64
/** From the start of reading a body to its last byte. */
export const BODY_TIMEOUT_MS = 20_000

// Unread answers.

/** An answer without progress for this long is cut with its connection. */
export const ANSWER_STALL_MS = 60_000
/** The same for event streams, whose number per game is limited. */
export const STREAM_STALL_MS = 600_000
/** Interval between progress checks: a stalled connection is closed at most this much later. */
const PROGRESS_CHECK_EVERY_MS = 1_000
/** Larger answers are sent in chunks of this size, each once the previous one was taken. */
export const ANSWER_CHUNK_BYTES = 65_536
/** Bytes of answers above ANSWER_CHUNK_BYTES that may be held at once. */
export const ANSWERS_PER_ADDRESS_BYTES = 33_554_432
export const ANSWERS_PER_PROCESS_BYTES = 134_217_728

/** `Retry-After` in seconds at a limit of the process or of a network address. */
export const RETRY_AFTER_S = 2

/** The limits of a listener; tests use smaller ones. */
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
