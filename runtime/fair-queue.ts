// A work queue that is fair at each level of its callers' paths (game, network address, player). Few jobs run at once,
// and the number of waiting jobs is bounded per group and in total. Groups are served round robin, however many jobs
// each has waiting. If a group is full, the newest job of its largest subgroup is refused in favour of a caller whose
// subgroup is smaller.

import { FairTree, type Path } from './fair-tree.ts'

/** Limits by path length: in total, per first name, per first two names, and so on. */
type ByLevel = readonly number[]

export interface FairQueueLimits {
  readonly running: ByLevel
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

interface Groups {
  /** The key of each group, with the number of jobs that may run in it. */
  readonly limits: readonly (readonly [key: string, max: number])[]
  /** All keys as one: jobs with the same wait for the same limits. */
  readonly bounds: string
}

interface Job {
  readonly groups: Groups
  begin(): void
  refuse(cause: RefusalCause): void
}

export class FairQueue {
  readonly #limits: FairQueueLimits
  readonly #refusal: (cause: RefusalCause) => Error
  readonly #waiting = new FairTree<Job>()
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
    return this.#running.get(ALL_JOBS) ?? 0
  }

  async run<Result>(path: Path, work: () => Promise<Result>, { lanes = [], signal }: JobOptions = {}): Promise<Result> {
    signal?.throwIfAborted()
    const groups = groupsOf(path, lanes, this.#limits)
    if (this.#isFree(groups)) this.#count(groups, 1)
    else await this.#wait(path, groups, signal)
    try {
      return await work()
    } finally {
      this.#count(groups, -1)
      if (this.#waiting.size > 0) this.#beginWaiting()
    }
  }

  #beginWaiting(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) next.begin()
  }

  /** The next job that may run. It is counted as running at once, so that no other job takes its slot. */
  #next(): Job | null {
    // Hundreds of jobs may wait for the same limit: check each limit once.
    const full = new Set<string>()
    const next = this.#waiting.take(({ groups }) => {
      if (full.has(groups.bounds)) return false
      const isFree = this.#isFree(groups)
      if (!isFree) full.add(groups.bounds)
      return isFree
    })
    if (next !== null) this.#count(next.groups, 1)
    return next
  }

  #wait(path: Path, groups: Groups, signal: AbortSignal | undefined): Promise<void> {
    this.#makeRoom(path)
    return new Promise((resolve, reject) => {
      const settled = (settle: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        settle()
      }
      const job: Job = {
        groups,
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

  #isFree({ limits }: Groups): boolean {
    return limits.every(([key, max]) => (this.#running.get(key) ?? 0) < max)
  }

  #count({ limits }: Groups, by: 1 | -1): void {
    for (const [key] of limits) {
      const count = (this.#running.get(key) ?? 0) + by
      if (count === 0) this.#running.delete(key)
      else this.#running.set(key, count)
    }
  }
}

const ALL_JOBS = ''

/**
 * The groups of a path in all lanes, from the widest to the narrowest. Limits beyond the path's length apply to its
 * end.
 */
function groupsOf(path: Path, lanes: readonly string[], { running, lanes: limitsOf = {} }: FairQueueLimits): Groups {
  const limits: [key: string, max: number][] = []
  const add = (lane: string, byLevel: ByLevel) => {
    let key = lane
    for (let length = 0; length < path.length; length++) {
      limits.push([key, byLevel[length] ?? Number.POSITIVE_INFINITY])
      key += JSON.stringify(path[length])
    }
    limits.push([key, Math.min(...byLevel.slice(path.length))])
  }
  add(ALL_JOBS, running)
  for (const lane of lanes) add(JSON.stringify([lane]), limitsOf[lane] ?? [])
  return { limits, bounds: limits.map(([key]) => key).join() }
}
