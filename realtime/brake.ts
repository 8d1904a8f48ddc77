// Whether a client is read from. It is not while there is any reason against it: then what it sends stays with it and
// the network, and costs this process nothing.

import { type EngineSocket, webSocketOf } from './direct.ts'

/**
 * `unsent`: it does not read its messages. `resting`: it sent too much. `behind`: what came by its WebSocket is not
 * read yet. `polled`: what came before that, where it polls.
 */
export type BrakeReason = 'unsent' | 'resting' | 'behind' | 'polled'

export class Brake {
  readonly #conn: EngineSocket
  readonly #reasons = new Set<BrakeReason>()
  readonly #onReleased: (() => void)[] = []
  #isOver = false

  constructor(conn: EngineSocket) {
    this.#conn = conn
    // Until then its requests are held, in polled.ts.
    conn.on('upgrade', () => {
      if (this.#reasons.size > 0) webSocketOf(conn)?.pause?.()
    })
  }

  get isHeld(): boolean {
    return this.#reasons.size > 0
  }

  /** Whether there is a reason beside this one. */
  isHeldBeside(reason: BrakeReason): boolean {
    const { size } = this.#reasons
    return size > 0 && (size > 1 || !this.#reasons.has(reason))
  }

  /** Told when a reason was taken back. */
  onReleased(listener: () => void): void {
    this.#onReleased.push(listener)
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
    for (const listener of this.#onReleased) listener()
  }

  /** The connection is over: it is not read from any more. */
  end(): void {
    this.#isOver = true
  }
}
