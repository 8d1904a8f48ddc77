// The frames of one client as they are read: so many in one turn of the event loop, and none while it is held. The
// network brings thousands of small ones at a time; what is over waits here, and nobody else for it.

import type { Brake, BrakeReason } from './brake.ts'
import { FRAMES_A_TURN } from './limits.ts'

const FEW = 8

export class Intake<Frame extends readonly unknown[]> {
  readonly #brake: Brake
  readonly #behind: BrakeReason
  readonly #read: (...frame: Frame) => void
  #waiting: Frame[] = []
  #inTurn = 0
  #isDue = false

  /** `read` must not throw. While something waits here, the brake is held for this reason, which is no other's. */
  constructor(brake: Brake, behind: BrakeReason, read: (...frame: Frame) => void) {
    this.#brake = brake
    this.#behind = behind
    this.#read = read
    brake.onReleased(() => this.#due())
  }

  arrived(...frame: Frame): void {
    if (this.#waiting.length === 0 && this.#mayRead()) {
      this.#read(...frame)
      return
    }
    this.#waiting.push(frame)
    this.#brake.hold(this.#behind)
    this.#due()
  }

  get #isHeld(): boolean {
    return this.#brake.isHeldBeside(this.#behind)
  }

  /**
   * Counts one of this turn, and a few of those before: whoever sends one at a time costs no more than the counting.
   */
  #mayRead(): boolean {
    if (this.#isHeld || this.#inTurn >= FRAMES_A_TURN) return false
    this.#inTurn++
    if (this.#inTurn === FEW) setImmediate(this.#turned)
    return true
  }

  readonly #turned = () => {
    this.#inTurn = 0
  }

  /** Whoever is held goes on when the brake tells. */
  #due(): void {
    if (this.#isDue || this.#waiting.length === 0 || this.#isHeld) return
    this.#isDue = true
    setImmediate(() => this.#goOn())
  }

  #goOn(): void {
    this.#isDue = false
    let read = 0
    while (read < this.#waiting.length && this.#mayRead()) {
      this.#read(...(this.#waiting[read++] as Frame))
    }
    this.#waiting = this.#waiting.slice(read)
    if (this.#waiting.length > 0) this.#due()
    else this.#brake.release(this.#behind)
  }
}
