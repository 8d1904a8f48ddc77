// The cooperative scheduler of long reads and of bulk work. They run in time slices of about half a millisecond. The
// first slice of some work begins at once, in the turn of the event loop that starts it, unless the work yields first,
// as queued reads do. Each later one waits, and one of the waiting slices runs per turn, round robin by game, then
// network address, then player. So a request that needs no such work waits for one waiting slice at most, however much
// work there is, and for the first slices of the work that starts in its turn.

import { FairTree, type Path } from './fair-tree.ts'

/**
 * Length of a slice. One step of the work, about half a millisecond, and one step of the garbage collector may come on
 * top.
 */
const SLICE_MS = 0.5

/** The path of work that no caller waits for. */
const BACKGROUND: Path = ['']

const waiting = new FairTree<() => void>()
let isScheduled = false

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

  /** Begins the first slice now. `path`: the caller's game, network address and player. */
  constructor(signal?: AbortSignal, path: Path = BACKGROUND) {
    this.#signal = signal
    this.#path = path
    this.#until = performance.now() + SLICE_MS
  }

  get due(): boolean {
    return performance.now() >= this.#until
  }

  /** Ends the slice and waits for the next one. Throws the signal's reason if it has aborted. */
  async yield(): Promise<void> {
    await this.yieldIgnoringAbort()
    this.#signal?.throwIfAborted()
  }

  /** Like `yield`, but ignores the signal: for work that must not stop half way. */
  async yieldIgnoringAbort(): Promise<void> {
    await nextSlice(this.#path)
    this.#until = performance.now() + SLICE_MS
  }

  /** Like `yield` if the slice has ended; otherwise resolves at once. */
  async yieldIfDue(): Promise<void> {
    if (this.due) await this.yield()
  }

  /** Runs all steps, yielding whenever a slice has ended. */
  async all(steps: Iterable<unknown>): Promise<void> {
    for (const _ of steps) if (this.due) await this.yield()
  }

  /** Like `all`, and returns the generator's result. */
  async result<Result>(steps: Generator<unknown, Result>): Promise<Result> {
    for (;;) {
      const next = steps.next()
      if (next.done) return next.value
      if (this.due) await this.yield()
    }
  }
}

/** As `Array.map`, for lists that would hold up others: yields whenever a slice has ended. */
export async function mapInSlices<One, Result>(
  slices: TimeSlices,
  all: readonly One[],
  map: (one: One, nth: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [nth, one] of all.entries()) {
    if (slices.due) await slices.yield()
    results.push(map(one, nth))
  }
  return results
}
