// A work queue that is fair at each level of its callers' paths (a game, a network address, a player): few jobs run at
// once, waiting jobs are bounded per group and in all, and groups take turns whatever each has waiting. Where a group is
// full, the newest job of its largest part is refused for a caller whose part is smaller.

import { FairTree, type Path } from './fair-tree.ts'

/** Bounds by the length of the path: in all, then of each group of the first name, of the first two, and so on. */
type ByLevel = readonly number[]

export interface FairQueueLimits {
  /** Jobs that run at once. */
  readonly running: ByLevel
  /** Jobs that wait. */
  readonly waiting: ByLevel
  /** Of jobs in a lane of this name: how many of them run at once. */
  readonly lanes?: Readonly<Record<string, ByLevel>>
  /** Milliseconds that a job waits at most; left out: as long as it takes. */
  readonly maxWaitMs?: number
}

/**
 * Why a job was refused without having run: the group of this path length was full, it gave way to a caller with fewer
 * jobs, or its wait was over.
 */
export type RefusalCause = number | 'gave_way' | 'waited'

export interface JobOptions {
  /** Names of all lanes it counts in. */
  readonly lanes?: readonly string[]
  /** Removes the job while it waits; `run` rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

interface Job {
  readonly path: Path
  readonly lanes: readonly string[]
  /** What its path and lanes are together: equal for jobs that wait for the same. */
  readonly bounds: string
  begin(): void
  refuse(cause: RefusalCause): void
}

export class FairQueue {
  readonly #limits: FairQueueLimits
  readonly #refusal: (cause: RefusalCause) => Error
  readonly #waiting = new FairTree<Job>()
  /** Lane and path -> jobs that run. */
  readonly #running = new Map<string, number>()

  /** `refusal` makes what a refused job rejects with. */
  constructor(limits: FairQueueLimits, refusal: (cause: RefusalCause) => Error) {
    this.#limits = limits
    this.#refusal = refusal
  }

  get waiting(): number {
    return this.#waiting.size
  }

  get running(): number {
    return this.#running.get(keyOf(undefined, [])) ?? 0
  }

  async run<Result>(path: Path, work: () => Promise<Result>, { lanes = [], signal }: JobOptions = {}): Promise<Result> {
    signal?.throwIfAborted()
    const job = { path, lanes }
    if (this.#isFree(job)) this.#count(job, 1)
    else await this.#wait(job, signal)
    try {
      return await work()
    } finally {
      this.#count(job, -1)
      for (let next = this.#next(); next !== null; next = this.#next()) next.begin()
    }
  }

  /** Counted as running before anything else is looked at: nobody comes in between. */
  #next(): Job | null {
    // Hundreds of jobs may wait for one bound: it is looked at once for all of them.
    const full = new Set<string>()
    const next = this.#waiting.take((job) => {
      if (full.has(job.bounds)) return false
      const isFree = this.#isFree(job)
      if (!isFree) full.add(job.bounds)
      return isFree
    })
    if (next !== null) this.#count(next, 1)
    return next
  }

  #wait({ path, lanes }: Pick<Job, 'path' | 'lanes'>, signal: AbortSignal | undefined): Promise<void> {
    this.#makeRoom(path)
    return new Promise((resolve, reject) => {
      const settled = (settle: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        settle()
      }
      const job: Job = {
        ...{ path, lanes, bounds: JSON.stringify([path, lanes]) },
        begin: () => settled(resolve),
        refuse: (cause) => settled(() => reject(this.#refusal(cause))),
      }
      const { maxWaitMs } = this.#limits
      const expire = () => this.#waiting.remove(path, job) && job.refuse('waited')
      const timer = maxWaitMs === undefined ? undefined : setTimeout(expire, maxWaitMs)
      const abort = () => this.#waiting.remove(path, job) && settled(() => reject(signal?.reason))
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.add(path, job)
    })
  }

  /** Throws the refusal where there is no room. What gives way in a group frees a place in all that contain it. */
  #makeRoom(path: Path): void {
    for (let length = path.length; length >= 0; length--) {
      const group = path.slice(0, length)
      const limit = this.#limits.waiting[length] ?? Number.POSITIVE_INFINITY
      if (this.#waiting.count(group) < limit) continue
      const own = path[length]
      const leaving = own === undefined ? null : this.#waiting.takeFromLargest(group, own)
      if (leaving === null) throw this.#refusal(length)
      leaving.refuse('gave_way')
    }
  }

  #isFree({ path, lanes }: Pick<Job, 'path' | 'lanes'>): boolean {
    const { running, lanes: limitsOf = {} } = this.#limits
    const isBelow = (limits: ByLevel, of: string | undefined) =>
      limits.every((limit, length) => (this.#running.get(keyOf(of, path.slice(0, length))) ?? 0) < limit)
    return isBelow(running, undefined) && lanes.every((lane) => isBelow(limitsOf[lane] ?? [], lane))
  }

  #count({ path, lanes }: Pick<Job, 'path' | 'lanes'>, by: 1 | -1): void {
    for (const of of [undefined, ...lanes]) {
      for (let length = 0; length <= path.length; length++) {
        const key = keyOf(of, path.slice(0, length))
        const count = (this.#running.get(key) ?? 0) + by
        if (count === 0) this.#running.delete(key)
        else this.#running.set(key, count)
      }
    }
  }
}

const keyOf = (lane: string | undefined, path: Path): string => JSON.stringify([lane ?? null, ...path])
