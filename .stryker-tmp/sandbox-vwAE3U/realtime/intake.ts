// The frames of one client as they are read: so many in one turn of the event loop, and none while it is held. The
// network brings thousands of small ones at a time; what is over waits here, and nobody else for it.

import type { Backpressure, BackpressureReason } from './backpressure.ts'
import { FRAMES_A_TURN, WAITING_FRAME_BYTES } from './limits.ts'
import type { Account } from './received.ts'

const FEW = 8

/** Counts frames that wait, as one account of `received.ts`; `over` is called where there is no room for another one. */
export interface WaitingFrames {
  readonly account: Pick<Account, 'add' | 'subtract'>
  over(): void
}

export interface IntakeOptions<Frame extends readonly unknown[]> {
  readonly backpressure: Backpressure
  /** While something waits here, the brake is held for this reason, which is no other's. */
  readonly behind: BackpressureReason
  /** Must not throw. */
  readonly read: (...frame: Frame) => void
  /** Bytes of a frame. */
  readonly weigh: (...frame: Frame) => number
  readonly waiting: WaitingFrames
}

export class Intake<Frame extends readonly unknown[]> {
  readonly #backpressure: Backpressure
  readonly #behind: BackpressureReason
  readonly #read: (...frame: Frame) => void
  readonly #weigh: (...frame: Frame) => number
  readonly #counted: WaitingFrames
  #waiting: Frame[] = []
  readonly #turn = new FramesOfTurn()
  #isDue = false

  constructor({ backpressure, behind, read, weigh, waiting }: IntakeOptions<Frame>) {
    this.#backpressure = backpressure
    this.#behind = behind
    this.#read = read
    this.#weigh = weigh
    this.#counted = waiting
    backpressure.onReleased(() => this.#due())
  }

  arrived(...frame: Frame): void {
    if (this.#waiting.length === 0 && this.#mayRead()) {
      this.#read(...frame)
      return
    }
    if (!this.#counted.account.add(WAITING_FRAME_BYTES + this.#weigh(...frame))) {
      this.#counted.over()
      return
    }
    this.#waiting.push(frame)
    this.#backpressure.hold(this.#behind)
    this.#due()
  }

  get #isHeld(): boolean {
    return this.#backpressure.isHeldBeside(this.#behind)
  }

  #mayRead(): boolean {
    return !this.#isHeld && this.#turn.take()
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
      const frame = this.#waiting[read++] as Frame
      this.#counted.account.subtract(WAITING_FRAME_BYTES + this.#weigh(...frame))
      this.#read(...frame)
    }
    this.#waiting = this.#waiting.slice(read)
    if (this.#waiting.length > 0) this.#due()
    else this.#backpressure.release(this.#behind)
  }
}

/** How many frames were read in this turn of the event loop. */
class FramesOfTurn {
  #read = 0
  readonly #ended = () => {
    this.#read = 0
  }

  /** Counts one of this turn, and a few of those before: a client that sends one at a time costs no more than the counting. */
  take(): boolean {
    if (this.#read >= FRAMES_A_TURN) return false
    this.#read++
    if (this.#read === FEW) setImmediate(this.#ended)
    return true
  }
}
