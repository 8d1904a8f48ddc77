// One HTTP/1.1 client connection. Requests are answered one at a time, in the order they arrived, and the socket is not
// read while any of them wait. So a client that pipelines without reading costs one answer and the requests of one
// socket read.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Release } from './budget.ts'
import { CHUNKS_LINGER_MS, PARTIAL_REQUEST_MS, REQUESTS_IN_WORK_PER_CONNECTION } from './limits.ts'

const connections = new WeakMap<Duplex, HttpConnection>()

/** The connection of a socket that has carried a request; undefined for any other. */
export const connectionOf = (socket: Duplex | null): HttpConnection | undefined =>
  socket === null ? undefined : connections.get(socket)

interface Listeners {
  close(): void
  drain(): void
  abortDearly(): void
}

export class HttpConnection {
  readonly socket: Socket
  readonly #deps: ConnectionDeps
  readonly #reads: SocketReads
  readonly #pending: PendingExchanges
  readonly #stall: Stall
  #inWork: Exchange | null = null
  #afterAnswers: (() => void) | null = null
  readonly #listeners: Listeners

  constructor(socket: Socket, deps: ConnectionDeps) {
    this.socket = socket
    this.#deps = deps
    this.#stall = new Stall(socket)
    this.#pending = new PendingExchanges(socket, deps)
    connections.set(socket, this)
    countWith(socket, deps.counter)
    deps.counter.used(socket)
    this.#reads = new SocketReads(socket)
    const close = () => this.#closed()
    socket.once('close', close)
    const drain = () => this.#inWork?.response.emit('drain')
    this.#listeners = { close, drain, abortDearly: abortCheaply(socket) }
  }

  #closed(): void {
    this.#pending.dropAll()
    this.#deps.busy.delete(this)
    this.#afterAnswers = null
    this.#reads.endPartial()
  }

  /** Unanswered requests, including waiting ones. */
  get unanswered(): number {
    return (this.#inWork === null ? 0 : REQUESTS_IN_WORK_PER_CONNECTION) + this.#pending.length
  }

  /** Whether a request is being answered, or waits for it; not while the answer waits for the rest of a body. */
  get isAnswering(): boolean {
    if (this.#pending.length > 0) return true
    if (this.#inWork === null) return false
    const { request, response } = this.#inWork
    // What is received and not read waits for this process, not for the client.
    return request.complete || request.readableLength > 0 || response.headersSent
  }

  /**
   * Starts a request once the earlier ones are answered. Closes the connection if the limit of waiting requests is
   * reached. Ignores requests after the last answer of the connection.
   */
  take(exchange: Exchange): void {
    if (!this.socket.writable || this.#afterAnswers !== null) {
      countParsed(this.socket)
      return
    }
    this.#reads.endPartial()
    if (this.#inWork === null && this.#pending.length === 0) {
      this.#begin(exchange)
      return
    }
    this.pauseForAnswers()
    countParsed(this.socket)
    if (this.#pending.add(exchange)) return
    this.#pending.dropAll()
    this.socket.destroy()
    this.#deps.closed('waiting')
  }

  excuseTimeout(): boolean {
    return this.#reads.excuseTimeout()
  }

  /** Stops reading from the socket until no request waits. */
  pauseForAnswers(): void {
    this.#reads.pauseForAnswers()
  }

  /** Stops reading for good, and closes the socket some time after the last answer, so that the client can read it. */
  stop(): void {
    if (this.#reads.isStopped) return
    this.#reads.stop()
    if (this.unanswered === 0) this.#reads.endPause()
  }

  /** Runs `then` once all requests taken so far are answered, and takes no more of them. Only the first call counts. */
  afterAnswers(then: () => void): void {
    if (this.#afterAnswers !== null) return
    this.#afterAnswers = then
    this.pauseForAnswers()
    if (this.unanswered === 0) this.#finish()
  }

  /** The socket now speaks another protocol: no request is expected. */
  handedOver(): void {
    this.#reads.endPartial()
  }

  /** As `afterAnswers`, after Node has removed its listeners from the socket (Upgrade or CONNECT). */
  afterAnswersAlone(then: () => void): void {
    this.socket.on('drain', this.#listeners.drain)
    this.afterAnswers(then)
  }

  /**
   * Called when the client's bytes cannot be parsed. Calls `refuse` once the earlier requests are answered, instead of
   * answering the request that was cut off. If that answer has begun, the connection is destroyed.
   */
  fail(refuse: () => void): void {
    const inWork = this.#inWork
    if (inWork !== null && !inWork.request.complete) {
      if (inWork.response.headersSent) this.socket.destroy()
      else {
        this.#leave()
        refuse()
      }
      return
    }
    if (this.#pending.last?.request.complete === false) this.#pending.dropLast()
    this.afterAnswers(refuse)
  }

  /** A body exceeds UNREAD_MAX_CHUNKS: closes the connection after the earlier answers. */
  failUnreadChunks(): void {
    this.#deps.closed('chunks')
    this.fail(() => this.socket.destroy())
  }

  /** The current answer is a stream, which may stall for longer. */
  answersStream(): void {
    this.#stall.allow(this.#deps.streamStallMs)
  }

  /**
   * Whether the current answer has stalled for longer than allowed. Must be polled: each call also records progress.
   */
  isStalled(nowMs: number): boolean {
    return this.#stall.isOver(nowMs)
  }

  #begin(exchange: Exchange, release: Release = () => {}): void {
    const { request, response, start } = exchange
    this.#inWork = exchange
    this.#stall.begin(this.#deps.answerStallMs)
    this.#deps.busy.add(this)
    let cancelStart = () => {}
    response.once('close', () => {
      cancelStart()
      release()
      this.#answered()
    })
    cancelStart = this.#deps.inTurn(request, () => {
      if (!response.destroyed && !this.socket.destroyed) start()
    })
  }

  #answered(): void {
    this.#inWork = null
    this.#deps.busy.delete(this)
    if (this.socket.destroyed) return
    if (!this.socket.writable) {
      // The answer closes the connection: drop the requests after it.
      this.#pending.dropAll()
    } else if (this.#pending.length > 0) {
      // Later, so that a long pipeline does not block the event loop.
      setImmediate(() => this.#next())
    } else if (this.#afterAnswers === null) this.#reads.endPause()
    else this.#finish()
  }

  #next(): void {
    const next = this.#pending.shift()
    // The last waiting request may have a body that is still to arrive.
    if (this.#pending.length === 0 && this.#afterAnswers === null) this.#reads.endPause()
    if (next !== undefined) this.#begin(next, next.release)
    else if (this.#afterAnswers !== null) this.#finish()
  }

  #finish(): void {
    const then = this.#afterAnswers
    this.#leave()
    then?.()
  }

  /** Detaches from the socket, which now belongs to another protocol or parser.  */
  #leave(): void {
    const { close, drain, abortDearly } = this.#listeners
    connections.delete(this.socket)
    this.#reads.detach()
    this.socket.off('close', close)
    this.socket.off('drain', drain)
    abortDearly()
  }
}

/** Why this process closes a connection; the values are labels of a metric. */
export type CloseReason = 'waiting' | 'unread' | 'stalled' | 'chunks'

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  start(): void
}

export interface BusyConnection {
  readonly socket: Socket
  /** Whether its answer has stalled for longer than allowed. Must be polled: each call also records progress. */
  isStalled(nowMs: number): boolean
}

/** Limits the requests that wait behind others of their connections. */
export interface WaitingSlots {
  /** Takes a slot for one more waiting request; false if its address or the process has none left. */
  take(socket: Socket): boolean
  release(socket: Socket, count: number): void
}

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

interface PendingExchange extends Exchange {
  readonly release: Release
}

/** The requests of one connection that wait for the answers before them. */
class PendingExchanges {
  readonly #socket: Socket
  readonly #deps: Pick<ConnectionDeps, 'slots' | 'reserveBody'>
  #pending: PendingExchange[] = []

  constructor(socket: Socket, deps: Pick<ConnectionDeps, 'slots' | 'reserveBody'>) {
    this.#socket = socket
    this.#deps = deps
  }

  get length(): number {
    return this.#pending.length
  }

  get last(): PendingExchange | undefined {
    return this.#pending.at(-1)
  }

  /** False if a limit on waiting requests or bodies is reached. */
  add(exchange: Exchange): boolean {
    const { slots, reserveBody } = this.#deps
    // The first is free: a client that does not pipeline may send its next request before Node reports the end of an
    // answer.
    const isFirst = this.#pending.length === 0
    if (!isFirst && !slots.take(this.#socket)) return false
    const release = reserveBody(exchange.request)
    if (release === null) {
      if (!isFirst) slots.release(this.#socket, 1)
      return false
    }
    this.#pending.push({ ...exchange, release })
    return true
  }

  shift(): PendingExchange | undefined {
    const first = this.#pending.shift()
    if (this.#pending.length > 0) this.#deps.slots.release(this.#socket, 1)
    return first
  }

  dropLast(): void {
    this.#pending.pop()?.release()
    if (this.#pending.length > 0) this.#deps.slots.release(this.#socket, 1)
  }

  dropAll(): void {
    this.#deps.slots.release(this.#socket, Math.max(0, this.#pending.length - 1))
    for (const { release } of this.#pending) release()
    this.#pending = []
  }
}

/**
 * Pauses and resumes reading of one HTTP connection: paused while its requests wait for answers, and for good once
 * stopped.
 */
class SocketReads {
  readonly #socket: Socket
  #isPaused = false
  #isStopped = false
  /** False once Node has reported a request timeout, which it reports only once. */
  #isTimed = true
  #partial: NodeJS.Timeout | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    // Node resumes the socket after each request and body, even if it was paused.
    socket.on('resume', this.#onResume)
  }

  readonly #onResume = () => {
    if (this.#isPaused) pauseReading(this.#socket)
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  pauseForAnswers(): void {
    this.#isPaused = true
    pauseReading(this.#socket)
  }

  /** Stops reading for good: `endPause` then closes the connection. */
  stop(): void {
    this.#isStopped = true
    this.pauseForAnswers()
  }

  /**
   * Resumes reading. A stopped connection is closed after CHUNKS_LINGER_MS instead, so that its client can read the
   * answers.
   */
  endPause(): void {
    if (!this.#isPaused) return
    if (this.#isStopped) {
      setTimeout(() => this.#socket.destroy(), CHUNKS_LINGER_MS).unref()
      return
    }
    this.#isPaused = false
    this.#socket.resume()
    if (this.#isTimed) return
    this.#isTimed = true
    this.#partial = setTimeout(() => this.#socket.destroy(), PARTIAL_REQUEST_MS)
  }

  /**
   * Handles Node's request timeout, which it reports once. Returns true while the socket is paused, as the delay is
   * then not the sender's fault: the request gets PARTIAL_REQUEST_MS once the socket is read again.
   */
  excuseTimeout(): boolean {
    if (this.#isPaused) this.#isTimed = false
    return this.#isPaused
  }

  /** The partly received request has arrived: stops its timer. */
  endPartial(): void {
    clearTimeout(this.#partial)
  }

  detach(): void {
    this.#socket.off('resume', this.#onResume)
    this.#isPaused = false
    this.endPartial()
  }
}

/** Detects answers that the client has stopped reading. */
class Stall {
  readonly #socket: Socket
  /** Time of the last progress; null if nothing waits to be sent. */
  #sinceMs: number | null = null
  #takenBytes = 0
  #allowedMs = 0

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** Starts watching a new answer, which may stall for `allowedMs`. */
  begin(allowedMs: number): void {
    this.#sinceMs = null
    this.#allowedMs = allowedMs
  }

  /** Changes how long the current answer may stall. */
  allow(allowedMs: number): void {
    this.#allowedMs = allowedMs
  }

  /** Whether it has stalled for longer than allowed. Must be polled: each call also records progress. */
  isOver(nowMs: number): boolean {
    const unsent = this.#socket.writableLength
    // `bytesWritten` includes bytes that are still buffered.
    const taken = this.#socket.bytesWritten - unsent
    if (unsent === 0 || taken !== this.#takenBytes) {
      this.#takenBytes = taken
      this.#sinceMs = unsent === 0 ? null : nowMs
      return false
    }
    this.#sinceMs ??= nowMs
    return nowMs - this.#sinceMs >= this.#allowedMs
  }
}

/**
 * Leaves out the stack traces of the errors with which Node ends the requests of a connection that closes: with 1,500
 * of them pipelined, capturing the traces takes four times as long as parsing the requests. Call it after Node has
 * added its own listeners. Returns a function that undoes it.
 */
export function abortCheaply(socket: Socket): () => void {
  let usual = Error.stackTraceLimit
  const before = () => {
    usual = Error.stackTraceLimit
    Error.stackTraceLimit = 0
  }
  const after = () => {
    Error.stackTraceLimit = usual
  }
  socket.prependOnceListener('close', before)
  socket.once('close', after)
  return () => {
    socket.off('close', before)
    socket.off('close', after)
  }
}

/**
 * Node stops reading at the event `pause` and reads again at the event `resume`, which comes a tick after the call.
 * Where a socket is resumed and paused within one tick, `pause()` emits no event, so this function emits it.
 */
export function pauseReading(socket: Socket): void {
  if (socket.readableFlowing === false) socket.emit('pause')
  socket.pause()
}

/**
 * Counts the requests and chunks that Node parses per connection, for the scheduler that decides which connections are
 * read.
 */
export interface ParseCounter {
  /** Called for a request that is not known to be pipelined. */
  used(socket: Duplex): void
  /** Counts a pipelined request or a chunk of a body. `weight`: how many of them it counts as. */
  parsed(socket: Duplex, weight?: number): void
}

const counters = new WeakMap<Duplex, ParseCounter>()

/** Makes `countParsed` report this socket to the counter, also after its last request. */
const countWith = (socket: Duplex, counter: ParseCounter): void => {
  counters.set(socket, counter)
}

/** Counts a pipelined request or a chunk of a body. `weight`: how many of them it counts as. */
export const countParsed = (socket: Duplex | null, weight?: number): void => {
  if (socket !== null) counters.get(socket)?.parsed(socket, weight)
}
