// Whether one HTTP connection is read: not while requests of it wait for their answers, and never again once it is stopped.

import type { Socket } from 'node:net'
import { CHUNKS_LINGER_MS, PARTIAL_REQUEST_MS } from './limits.ts'
import { pauseReading } from './pause-reading.ts'

export class SocketReads {
  readonly #socket: Socket
  #isPaused = false
  #isStopped = false
  /** False where Node has reported that a request takes too long, and will not report it again. */
  #isTimed = true
  #partial: NodeJS.Timeout | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    // Node reads on after each parsed request and each body, whatever was paused before.
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

  /** Reads nothing more: `endPause` closes the connection then. */
  stop(): void {
    this.#isStopped = true
    this.pauseForAnswers()
  }

  /** Reads on; a stopped connection is closed after CHUNKS_LINGER_MS instead, so that its client can read the answers. */
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
   * Node reports once that a request takes too long to arrive. While the socket is paused that is not its sender's fault: true,
   * and the request has some time from the moment that the socket is read again.
   */
  excuseTimeout(): boolean {
    if (this.#isPaused) this.#isTimed = false
    return this.#isPaused
  }

  /** No request is half there any more. */
  endPartial(): void {
    clearTimeout(this.#partial)
  }

  /** From here on the socket is read by others. */
  detach(): void {
    this.#socket.off('resume', this.#onResume)
    this.#isPaused = false
    this.endPartial()
  }
}
