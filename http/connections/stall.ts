// Whether a caller still takes the answer that is written to its socket.

import type { Socket } from 'node:net'

export class Stall {
  readonly #socket: Socket
  /** Since when nothing was taken; null where nothing waits to be taken. */
  #sinceMs: number | null = null
  #takenBytes = 0
  #allowedMs = 0

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** A new answer begins, which may make no progress for so long. */
  begin(allowedMs: number): void {
    this.#sinceMs = null
    this.#allowedMs = allowedMs
  }

  /** The answer may make no progress for another time. */
  allow(allowedMs: number): void {
    this.#allowedMs = allowedMs
  }

  /** Whether nothing was taken for longer than that. To be asked again and again. */
  isOver(nowMs: number): boolean {
    const unsent = this.#socket.writableLength
    // `bytesWritten` counts what waits in the socket too.
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
