// The work queue of reads that cost more than a few milliseconds. Few run at once, shared fairly by game, then network
// address, then player; the others wait, in bounded numbers and for a bounded time. Past that they are refused with 503
// `reads_busy`: nothing was read or changed. Reads of a page, a rank or one score never pass through it.

import { Refusal } from '../domain/decider.ts'
import { FairQueue, type FairQueueLimits, type RefusalCause } from '../scheduling/fair-queue.ts'
import { TimeSlices } from '../scheduling/time-slices.ts'

/**
 * `scan` goes through documents or events and holds little; `past` holds a board's history in memory, `preview` even more: of
 * these two fewer run at once.
 */
export type Lane = 'scan' | 'past' | 'preview'

/** Who waits for a read. */
export interface ReadCaller {
  /** Game, network address (of an IPv6 one its /48), player; the key in place of a player where there is none. */
  readonly path: readonly string[]
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal
}

/** Runs work that costs more than a few milliseconds when its caller's turn comes, in slices. */
export type Heavy = <Result>(work: (slices: TimeSlices) => Promise<Result>, lane?: Lane) => Promise<Result>

/** Without waiting for others: for callers that bound what they ask for. */
export const unqueued: Heavy = (work) => work(new TimeSlices())

export type ReadRefusalCause = 'node' | 'game' | 'network' | 'player' | 'gave_way' | 'waited'

/** Reports what the queue does, for metrics. */
export interface ReadQueueEvents {
  /** A read began after waiting so long. */
  waited?(seconds: number): void
  refused?(cause: ReadRefusalCause): void
}

/** How many reads of the lane `past` run at once, of all games: each may take an equal share of the memory for them. */
export const PASTS_AT_ONCE = 2

/** In all, per game, per network address, per player. */
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

  /** Throws 503 `reads_busy`, the signal's reason, and what `work` throws. Work must not wait for this queue again. */
  run<Result>(
    { path, signal }: ReadCaller,
    lane: Lane,
    work: (slices: TimeSlices) => Promise<Result>,
  ): Promise<Result> {
    const askedMs = performance.now()
    const begin = async () => {
      this.#events.waited?.((performance.now() - askedMs) / 1_000)
      const slices = new TimeSlices(signal, path)
      await slices.yield()
      return work(slices)
    }
    return this.#queue.run(path, begin, { lanes: [lane], signal })
  }

  /** The reads of one caller: scans, unless another lane is named. */
  of(caller: ReadCaller): Heavy {
    return (work, lane = 'scan') => this.run(caller, lane, work)
  }

  #refusal(cause: RefusalCause): Refusal {
    this.#events.refused?.(typeof cause === 'number' ? (GROUPS[cause] ?? 'player') : cause)
    const detail =
      'Too many reads that go through much are waiting. Nothing was read or changed: ask again in a moment.'
    return new Refusal('unavailable', 'reads_busy', detail, { retry_after: RETRY_AFTER_S })
  }
}
