// The frames of one WebSocket as they are read: so many in one turn of the event loop, and none while its client is held. The
// network brings thousands of small ones at a time; what is over waits here, and nobody else for it.

import type { Brake } from './brake.ts'
import { FRAMES_A_TURN } from './limits.ts'

const FEW = 8

type Frame = readonly [data: Buffer, isBinary: boolean]

export class Intake {
  readonly #brake: Brake
  readonly #read: (data: Buffer, isBinary: boolean) => void
  #waiting: Frame[] = []
  #inTurn = 0
  #isDue = false

  /** `read` must not throw. */
  constructor(brake: Brake, read: (data: Buffer, isBinary: boolean) => void) {
    this.#brake = brake
    this.#read = read
    brake.onReleased = () => this.#due()
  }

  arrived(data: Buffer, isBinary: boolean): void {
    if (this.#waiting.length === 0 && this.#mayRead()) {
      this.#read(data, isBinary)
      return
    }
    this.#waiting.push([data, isBinary])
    this.#brake.hold('behind')
    this.#due()
  }

  /** Counts one of this turn, and a few of those before: whoever sends one at a time costs no more than the counting. */
  #mayRead(): boolean {
    if (this.#brake.isHeld || this.#inTurn >= FRAMES_A_TURN) return false
    this.#inTurn++
    if (this.#inTurn === FEW) setImmediate(this.#turned)
    return true
  }

  readonly #turned = () => {
    this.#inTurn = 0
  }

  /** Whoever is held goes on when the brake tells. */
  #due(): void {
    if (this.#isDue || this.#waiting.length === 0 || this.#brake.isHeld) return
    this.#isDue = true
    setImmediate(() => this.#goOn())
  }

  #goOn(): void {
    this.#isDue = false
    let read = 0
    while (read < this.#waiting.length && this.#mayRead()) {
      const [data, isBinary] = this.#waiting[read++] as Frame
      this.#read(data, isBinary)
    }
    this.#waiting = this.#waiting.slice(read)
    if (this.#waiting.length > 0) this.#due()
    else this.#brake.release('behind')
  }
}
