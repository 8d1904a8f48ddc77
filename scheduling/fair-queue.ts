// A work queue that is fair at each level of its callers' paths (game, network address, player). Few jobs run at once,
// and the number of waiting jobs is bounded per group and in total. Groups are served round robin, however many jobs
// each has waiting. If a group is full, the newest job of its largest subgroup is refused in favour of a caller whose
// subgroup is smaller.

import { FairTree, type Path } from './fair-tree.ts'

/** Limits by path length: in total, per first name, per first two names, and so on. */
type ByLevel = readonly number[]

export interface FairQueueLimits {
  /** Jobs that run at once. */
  readonly running: ByLevel
  /** Jobs that wait. */
  readonly waiting: ByLevel
  /** Limits on the running jobs of each lane. */
  readonly lanes?: Readonly<Record<string, ByLevel>>
  /** Maximum waiting time in milliseconds; unlimited if left out. */
  readonly maxWaitMs?: number
}

/**
 * Why a job was refused before it ran: a number is the path length of the group that was full; 'gave_way': it made room
 * for a caller with fewer jobs; 'waited': it waited too long.
 */
export type RefusalCause = number | 'gave_way' | 'waited'

export interface JobOptions {
  /** All lanes in which the job counts. */
  readonly lanes?: readonly string[]
  /** Removes the job if it is still waiting; `run` then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

interface Job {
  readonly path: Path
  readonly lanes: readonly string[]
  /** Path and lanes as one key: jobs with the same key wait for the same limits. */
  readonly bounds: string
  begin(): void
  refuse(cause: RefusalCause): void
}

export class FairQueue {
  readonly #limits: FairQueueLimits
  readonly #refusal: (cause: RefusalCause) => Error
  readonly #waiting = new FairTree<Job>()
  /** Lane and path -> number of running jobs. */
  readonly #running = new Map<string, number>()

  /** `refusal` creates the error that a refused job rejects with. */
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

  /** The next job that may run. It is counted as running at once, so that no other job takes its slot. */
  #next(): Job | null {
    // Hundreds of jobs may wait for the same limit: check each limit once.
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

  /**
   * Makes room for one more waiting job, or throws the refusal. A job that gives way in a group also frees capacity in
   * every group around it.
   */
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
