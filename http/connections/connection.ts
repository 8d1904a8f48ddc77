// One client connection as HTTP/1.1 needs it: requests are answered one after the other in the order they came, and the socket
// is not read while any of them wait. So a client that pipelines and does not read costs one answer and one read's requests.

import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Release } from './budget.ts'
import { abortCheaply } from './cheap-aborts.ts'
import { CHUNKS_LINGER_MS, PARTIAL_REQUEST_MS, REQUESTS_IN_WORK_PER_CONNECTION } from './limits.ts'
import { pauseReading } from './pause-reading.ts'
import { countParsed, countWith } from './reading.ts'
import type { Shared, Taken, Waiting } from './shared.ts'
import { Stall } from './stall.ts'

const connections = new WeakMap<Duplex, HttpConnection>()

/** The connection of a socket that has carried a request; undefined for any other. */
export const connectionOf = (socket: Duplex | null): HttpConnection | undefined =>
  socket === null ? undefined : connections.get(socket)

export class HttpConnection {
  readonly socket: Socket
  readonly #shared: Shared
  #inWork: Taken | null = null
  #waiting: Waiting[] = []
  #isHeld = false
  #afterAnswers: (() => void) | null = null
  readonly #stall: Stall
  #isTimed = true
  #isStopped = false
  #partial: NodeJS.Timeout | undefined
  readonly #abortDearly: () => void

  constructor(socket: Socket, shared: Shared) {
    this.socket = socket
    this.#shared = shared
    this.#stall = new Stall(socket)
    connections.set(socket, this)
    countWith(socket, shared.reading)
    shared.reading.used(socket)
    // Node reads on after each parsed request and each body, whatever was paused before.
    socket.on('resume', this.#onResume)
    socket.once('close', this.#onClose)
    this.#abortDearly = abortCheaply(socket)
  }

  readonly #onResume = () => {
    if (this.#isHeld) pauseReading(this.socket)
  }

  readonly #onClose = () => {
    this.#dropWaiting()
    this.#shared.busy.delete(this)
    this.#afterAnswers = null
    clearTimeout(this.#partial)
  }

  /** Requests that are not answered yet, those that wait included. */
  get unanswered(): number {
    return (this.#inWork === null ? 0 : REQUESTS_IN_WORK_PER_CONNECTION) + this.#waiting.length
  }

  /** Starts a request as soon as those before it are answered. Closes the connection where it has no room to wait. */
  take(taken: Taken): void {
    if (this.socket.destroyed || this.#afterAnswers !== null) {
      countParsed(this.socket)
      return
    }
    clearTimeout(this.#partial)
    if (this.#inWork === null && this.#waiting.length === 0) {
      this.#begin(taken)
      return
    }
    this.hold()
    countParsed(this.socket)
    // The first is free: a client that does not pipeline may send its next request before Node reports the end of an answer.
    const hasPlace = this.#waiting.length === 0 || this.#shared.reading.enterWaiting(this.socket)
    const release = hasPlace ? this.#shared.holdBody(taken.request) : null
    if (release === null) {
      // Its own place, which is not in the list yet.
      if (hasPlace && this.#waiting.length > 0) this.#shared.reading.leaveWaiting(this.socket, 1)
      this.#dropWaiting()
      this.socket.destroy()
      this.#shared.closed('waiting')
      return
    }
    this.#waiting.push({ ...taken, release })
  }

  /**
   * Node reports once that a request takes too long to arrive. While the socket is held that is not its sender's fault: true,
   * and the request has some time from the moment that the socket is read again.
   */
  excuseTimeout(): boolean {
    if (this.#isHeld) this.#isTimed = false
    return this.#isHeld
  }

  /** Stops reading from the socket, until nothing waits any more. */
  hold(): void {
    this.#isHeld = true
    pauseReading(this.socket)
  }

  /** Reads nothing more from the socket, and closes it after the answers, when there was time to read them. */
  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.hold()
    if (this.unanswered === 0) this.#release()
  }

  /** Runs `then` once all requests taken so far are answered, and takes no more of them. Only the first call counts. */
  afterAnswers(then: () => void): void {
    if (this.#afterAnswers !== null) return
    this.#afterAnswers = then
    this.hold()
    if (this.unanswered === 0) this.#finish()
  }

  /** Its bytes are no longer HTTP's: no request is expected to arrive. */
  handedOver(): void {
    clearTimeout(this.#partial)
  }

  /** As `afterAnswers`, where Node has taken its listeners from the socket: at an upgrade, or where a tunnel is asked for. */
  afterAnswersAlone(then: () => void): void {
    this.socket.on('drain', this.#onDrain)
    this.afterAnswers(then)
  }

  readonly #onDrain = () => {
    this.#inWork?.response.emit('drain')
  }

  /**
   * The client's bytes cannot be read on: calls `refuse` in place of answering the request that they cut off, once those before
   * it are answered. An answer that has begun is cut.
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
    if (this.#waiting.at(-1)?.request.complete === false) this.#dropLast()
    this.afterAnswers(refuse)
  }

  /** A body comes in more chunks than are kept for its reader: ends the connection after the earlier answers. */
  failUnreadChunks(): void {
    this.#shared.closed('chunks')
    this.fail(() => this.socket.destroy())
  }

  /** The answer in work is a stream, which may pause for longer. */
  answersStream(): void {
    this.#stall.allow(this.#shared.streamStallMs)
  }

  /** Whether the answer in work has stalled for longer than it may. To be asked again and again. */
  isStalled(nowMs: number): boolean {
    return this.#stall.isOver(nowMs)
  }

  #begin(taken: Taken, release: Release = () => {}): void {
    const { request, response, start } = taken
    this.#inWork = taken
    this.#stall.begin(this.#shared.answerStallMs)
    this.#shared.busy.add(this)
    let takeBack = () => {}
    response.once('close', () => {
      takeBack()
      release()
      this.#answered()
    })
    takeBack = this.#shared.inTurn(request, () => {
      if (!response.destroyed && !this.socket.destroyed) start()
    })
  }

  #answered(): void {
    this.#inWork = null
    this.#shared.busy.delete(this)
    if (this.socket.destroyed) return
    if (!this.socket.writable) {
      // The answer closes the connection: what came after its request is not read.
      this.#dropWaiting()
    } else if (this.#waiting.length > 0) {
      // Later, so that a long pipeline does not keep the event loop from others.
      setImmediate(() => this.#next())
    } else if (this.#afterAnswers === null) this.#release()
    else this.#finish()
  }

  #next(): void {
    const next = this.#waiting.shift()
    if (this.#waiting.length > 0) this.#shared.reading.leaveWaiting(this.socket, 1)
    // The last that waits may have a body that is still to come.
    else if (this.#afterAnswers === null) this.#release()
    if (next !== undefined) this.#begin(next, next.release)
    else if (this.#afterAnswers !== null) this.#finish()
  }

  #release(): void {
    if (!this.#isHeld) return
    if (this.#isStopped) {
      setTimeout(() => this.socket.destroy(), CHUNKS_LINGER_MS).unref()
      return
    }
    this.#isHeld = false
    this.socket.resume()
    if (this.#isTimed) return
    this.#isTimed = true
    this.#partial = setTimeout(() => this.socket.destroy(), PARTIAL_REQUEST_MS)
  }

  #finish(): void {
    const then = this.#afterAnswers
    this.#leave()
    then?.()
  }

  /** From here on the socket is not HTTP's, or not this parser's. */
  #leave(): void {
    connections.delete(this.socket)
    this.socket.off('resume', this.#onResume)
    this.socket.off('close', this.#onClose)
    this.socket.off('drain', this.#onDrain)
    this.#abortDearly()
    this.#isHeld = false
    clearTimeout(this.#partial)
  }

  #dropLast(): void {
    this.#waiting.pop()?.release()
    if (this.#waiting.length > 0) this.#shared.reading.leaveWaiting(this.socket, 1)
  }

  #dropWaiting(): void {
    this.#shared.reading.leaveWaiting(this.socket, Math.max(0, this.#waiting.length - 1))
    for (const { release } of this.#waiting) release()
    this.#waiting = []
  }
}
