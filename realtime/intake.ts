// A queue of the received frames of one client. At most FRAMES_PER_TURN are read in one turn of the event loop, and
// none while the client is paused, so a client that sends thousands of small frames does not delay the others.

import type { Backpressure, BackpressureReason } from './backpressure.ts'
import { FRAMES_PER_TURN, WAITING_FRAME_BYTES } from './limits.ts'
import type { Account } from './unread-bytes.ts'

const FEW = 8

/** The account that queued frames are counted in. `over` is called when a frame does not fit. */
export interface WaitingFrames {
  readonly account: Pick<Account, 'add' | 'subtract'>
  over(): void
}

export interface IntakeOptions<Frame extends readonly unknown[]> {
  readonly backpressure: Backpressure
  /** The reason for which the client is paused while frames are queued; no other code may use it. */
  readonly behind: BackpressureReason
  /** Must not throw. */
  readonly read: (...frame: Frame) => void
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
  readonly #turn = new FramesInTurn()
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
    this.#backpressure.pause(this.#behind)
    this.#due()
  }

  get #isPaused(): boolean {
    return this.#backpressure.isPausedForOther(this.#behind)
  }

  #mayRead(): boolean {
    return !this.#isPaused && this.#turn.take()
  }

  /** Schedules reading, unless the client is paused: then `onReleased` schedules it. */
  #due(): void {
    if (this.#isDue || this.#waiting.length === 0 || this.#isPaused) return
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

class FramesInTurn {
  #read = 0
  readonly #ended = () => {
    this.#read = 0
  }

  /**
   * Counts a frame; false if the limit is reached. The reset is scheduled only after FEW frames, which may come from
   * several turns: a client that sends one frame at a time then needs no timer.
   */
  take(): boolean {
    if (this.#read >= FRAMES_PER_TURN) return false
    this.#read++
    if (this.#read === FEW) setImmediate(this.#ended)
    return true
  }
}
