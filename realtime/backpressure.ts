// Backpressure on one client: reading is paused while there is at least one reason. Unread data then stays in the
// client and the network and takes no memory here.

import { type EngineSocket, webSocketOf } from './engine-internals.ts'

/**
 * `unsent`: the client does not read what it is sent. `resting`: it sent too fast. `behind`: received WebSocket frames
 * are not processed yet. `polled`: received polling packets are not processed yet.
 */
export type BackpressureReason = 'unsent' | 'resting' | 'behind' | 'polled'

export class Backpressure {
  readonly #conn: EngineSocket
  readonly #reasons = new Set<BackpressureReason>()
  readonly #onReleased: (() => void)[] = []
  #isOver = false

  constructor(conn: EngineSocket) {
    this.#conn = conn
    // Before the upgrade, polling-transport.ts holds back its polling requests.
    conn.on('upgrade', () => {
      if (this.#reasons.size > 0) webSocketOf(conn)?.pause?.()
    })
  }

  get isPaused(): boolean {
    return this.#reasons.size > 0
  }

  isPausedForOther(reason: BackpressureReason): boolean {
    const { size } = this.#reasons
    return size > 0 && (size > 1 || !this.#reasons.has(reason))
  }

  /** The listener is called whenever a reason is removed. */
  onReleased(listener: () => void): void {
    this.#onReleased.push(listener)
  }

  /** Adds a reason and pauses reading. False if the reason was already present or the connection has ended. */
  pause(reason: BackpressureReason): boolean {
    if (this.#isOver || this.#reasons.has(reason)) return false
    this.#reasons.add(reason)
    if (this.#reasons.size === 1) webSocketOf(this.#conn)?.pause?.()
    return true
  }

  release(reason: BackpressureReason): void {
    if (this.#isOver || !this.#reasons.delete(reason)) return
    if (this.#reasons.size === 0) webSocketOf(this.#conn)?.resume?.()
    for (const listener of this.#onReleased) listener()
  }

  /** The connection has ended; later calls do nothing. */
  end(): void {
    this.#isOver = true
  }
}
