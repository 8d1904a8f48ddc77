// One HTTP/1.1 client connection. Requests are answered one at a time, in the order they arrived, and the socket is not
// read while any of them wait. So a client that pipelines without reading costs one answer and the requests of one
// socket read.

import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Release } from './budget.ts'
import { abortCheaply } from './cheap-aborts.ts'
import type { ConnectionDeps, Exchange } from './connection-deps.ts'
import { REQUESTS_IN_WORK_PER_CONNECTION } from './limits.ts'
import { countParsed, countWith } from './parse-counter.ts'
import { PendingExchanges } from './pending-exchanges.ts'
import { SocketReads } from './socket-reads.ts'
import { Stall } from './stall.ts'

const connections = new WeakMap<Duplex, HttpConnection>()

/** The connection of a socket that has carried a request; undefined for any other. */
export const connectionOf = (socket: Duplex | null): HttpConnection | undefined =>
  socket === null ? undefined : connections.get(socket)

/** Listeners that a connection added to its socket. */
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

  /** See SocketReads. */
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
