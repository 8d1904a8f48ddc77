// The work queue of reads that take more than a few milliseconds. Few run at once, shared fairly by game, then network
// address, then player; the others wait, in bounded numbers and for a bounded time. Beyond that they are refused with
// 503 `reads_busy`: nothing was read or changed. Reads of a page, a rank or one score never pass through it.

import { Refusal } from '../domain/decider.ts'
import { FairQueue, type FairQueueLimits, type RefusalCause } from '../runtime/fair-queue.ts'
import { TimeSlices } from '../runtime/time-slices.ts'

/**
 * `scan` walks through documents or events and holds little; `past` holds a board's history in memory, `preview` even
 * more: fewer of the latter two run at once.
 */
export type Lane = 'scan' | 'past' | 'preview'

/** The caller of a read. */
export interface ReadCaller {
  /** Game, network address (an IPv6 address by its /48), player; the key if there is no player. */
  readonly path: readonly string[]
  /** Aborts when the caller has disconnected. */
  readonly signal: AbortSignal
}

/** Runs long work when its caller's turn comes, in time slices. */
export type Heavy = <Result>(work: (slices: TimeSlices) => Promise<Result>, lane?: Lane) => Promise<Result>

/** Runs at once, without queueing: for callers that bound what they ask for. */
export const unqueued: Heavy = (work) => work(new TimeSlices())

export type ReadRefusalCause = 'node' | 'game' | 'network' | 'player' | 'gave_way' | 'waited'

/** Reports what the queue does, for metrics. */
export interface ReadQueueEvents {
  /** A read began after waiting this long. */
  waited?(seconds: number): void
  refused?(cause: ReadRefusalCause): void
}

/** Reads of the lane `past` that run at once, over all games: each may use an equal share of their memory. */
export const PASTS_AT_ONCE = 2

/** In total, per game, per network address, per player. */
export const READ_LIMITS = {
  running: [8, 4, 3, 2],
  waiting: [256, 128, 64, 16],
  lanes: { past: [PASTS_AT_ONCE, 1], preview: [1] },
  maxWaitMs: 10_000,
} satisfies FairQueueLimits

const RETRY_AFTER_S = 5
const GROUPS: readonly ReadRefusalCause[] = ['node', 'game', 'network', 'player']

export class ReadQueue {
  readonly #queue: FairQueue
  readonly #events: ReadQueueEvents

  constructor(limits: FairQueueLimits = READ_LIMITS, events: ReadQueueEvents = {}) {
    this.#events = events
    this.#queue = new FairQueue(limits, (cause) => this.#refusal(cause))
  }

  get waiting(): number {
    return this.#queue.waiting
  }

  get running(): number {
    return this.#queue.running
  }

  /**
   * Runs work in a lane. Throws 503 `reads_busy`, the signal's reason, and what `work` throws. Work must not wait for
   * this queue again.
   */
  run<Result>(
    { path, signal }: ReadCaller,
    lane: Lane,
    work: (slices: TimeSlices) => Promise<Result>,
  ): Promise<Result> {
    const requestedMs = performance.now()
    const begin = async () => {
      this.#events.waited?.((performance.now() - requestedMs) / 1_000)
      const slices = new TimeSlices(signal, path)
      await slices.yield()
      return work(slices)
    }
    return this.#queue.run(path, begin, { lanes: [lane], signal })
  }

  /** Returns a function that queues the reads of one caller: scans, unless another lane is named. */
  of(caller: ReadCaller): Heavy {
    return (work, lane = 'scan') => this.run(caller, lane, work)
  }

  #refusal(cause: RefusalCause): Refusal {
    this.#events.refused?.(typeof cause === 'number' ? (GROUPS[cause] ?? 'player') : cause)
    const detail = 'Too many long reads are waiting. Nothing was read or changed: retry in a moment.'
    return new Refusal('unavailable', 'reads_busy', detail, { retry_after: RETRY_AFTER_S })
  }
}
