// Detects answers that the client has stopped reading.

import type { Socket } from 'node:net'

export class Stall {
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
