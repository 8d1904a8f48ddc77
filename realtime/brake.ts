// Whether a client is read from. It is not while there is any reason against it: then what it sends stays with it and the
// network, and costs this process nothing.

import { type EngineSocket, webSocketOf } from './direct.ts'

/** `unsent`: it does not take what it is told. `resting`: it sent too much. `behind`: what came is not read yet. */
export type BrakeReason = 'unsent' | 'resting' | 'behind'

export class Brake {
  readonly #conn: EngineSocket
  readonly #reasons = new Set<BrakeReason>()
  #isOver = false
  /** Told when a reason was taken back. */
  onReleased: () => void = () => {}

  constructor(conn: EngineSocket) {
    this.#conn = conn
    // One that polls cannot be held; the WebSocket that it goes on by can.
    conn.on('upgrade', () => {
      if (this.#reasons.size > 0) webSocketOf(conn)?.pause?.()
    })
  }

  /** Whether there is a reason beside being behind. */
  get isHeld(): boolean {
    const { size } = this.#reasons
    return size > 0 && (size > 1 || !this.#reasons.has('behind'))
  }

  /** Whether it was no reason before. */
  hold(reason: BrakeReason): boolean {
    if (this.#isOver || this.#reasons.has(reason)) return false
    this.#reasons.add(reason)
    if (this.#reasons.size === 1) webSocketOf(this.#conn)?.pause?.()
    return true
  }

  release(reason: BrakeReason): void {
    if (this.#isOver || !this.#reasons.delete(reason)) return
    if (this.#reasons.size === 0) webSocketOf(this.#conn)?.resume?.()
    this.onReleased()
  }

  /** The connection is over: it is not read from any more. */
  end(): void {
    this.#isOver = true
  }
}
