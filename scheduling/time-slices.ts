// The cooperative scheduler of long reads: they work in slices of at most a millisecond, of which one runs per turn of the event
// loop. So a request that needs no such work waits for one slice at most, however many long reads there are. TimeSlices are
// shared out round robin by game, then network address, then player.

import { FairTree, type Path } from './fair-tree.ts'

/**
 * How long work goes on before everything else has a turn. One step of the work, about half a millisecond, and one of the collector
 * may come on top.
 */
const SLICE_MS = 0.5

/** Of work that no caller waits for. */
const BACKGROUND: Path = ['']

const waiting = new FairTree<() => void>()
let isScheduled = false

/** Resolves when the next slice is this path's. */
function nextSlice(path: Path): Promise<void> {
  return new Promise((begin) => {
    waiting.add(path, begin)
    schedule()
  })
}

function schedule(): void {
  if (isScheduled || waiting.size === 0) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    waiting.take()?.()
    schedule()
  })
}

export class TimeSlices {
  readonly #signal: AbortSignal | undefined
  readonly #path: Path
  #until: number

  /** `path`: whose work it is. */
  constructor(signal?: AbortSignal, path: Path = BACKGROUND) {
    this.#signal = signal
    this.#path = path
    this.#until = performance.now() + SLICE_MS
  }

  /** Whether the slice is over. */
  get due(): boolean {
    return performance.now() >= this.#until
  }

  /** Ends the slice and waits for the next one. Throws the signal's reason where it has aborted. */
  async yield(): Promise<void> {
    await this.yieldIgnoringAbort()
    this.#signal?.throwIfAborted()
  }

  /** As `turn`, for what must not be broken off in the middle. */
  async yieldIgnoringAbort(): Promise<void> {
    await nextSlice(this.#path)
    this.#until = performance.now() + SLICE_MS
  }

  /** As `turn` where the slice is over; else resolves at once. */
  async yieldIfDue(): Promise<void> {
    if (this.due) await this.yield()
  }

  /** Runs something to its end, with turns in between. */
  async all(steps: Iterable<unknown>): Promise<void> {
    for (const _ of steps) if (this.due) await this.yield()
  }

  /** As `all`, and gives what comes of it. */
  async result<Result>(steps: Generator<unknown, Result>): Promise<Result> {
    for (;;) {
      const next = steps.next()
      if (next.done) return next.value
      if (this.due) await this.yield()
    }
  }
}
