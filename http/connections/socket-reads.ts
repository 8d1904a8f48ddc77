// Pauses and resumes reading of one HTTP connection: paused while its requests wait for answers, and for good once
// stopped.

import type { Socket } from 'node:net'
import { CHUNKS_LINGER_MS, PARTIAL_REQUEST_MS } from './limits.ts'
import { pauseReading } from './pause-reading.ts'

export class SocketReads {
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

  /** Stops reading, until `endPause`. */
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

  /** Gives up control of the socket. */
  detach(): void {
    this.#socket.off('resume', this.#onResume)
    this.#isPaused = false
    this.endPartial()
  }
}
