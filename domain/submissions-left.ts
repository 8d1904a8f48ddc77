// A player's submissions in order, without the deleted ones: an immutable collection. The first and the best are
// computed on demand, so that a long stream is folded in one pass, however many deletions it contains.

/** Each id is submitted once, and deleted only after that. */
interface Identified {
  readonly id: string
}

/** Which submissions can be best, and which of two is better: a strict total order. */
interface Order<One> {
  counts(one: One): boolean
  isBetter(one: One, other: One): boolean
}

/** Storage shared by successive states. The latest state appends to it in place; an older one copies it first. */
interface Shared<One> {
  readonly all: One[]
  /** Id -> number of deletions before its own. */
  readonly deletedAt: Map<string, number>
  /** A heap with the best on top, of the first `heaped` submissions, without those deleted before they were added. */
  readonly heap: One[]
  heaped: number
  /** Id -> index, of the first `indexed` submissions. */
  readonly at: Map<string, number>
  indexed: number
}

export class SubmissionsLeft<One extends Identified> {
  readonly #order: Order<One>
  readonly #shared: Shared<One>
  /** Number of submissions and deletions in this state. */
  readonly #length: number
  readonly #deletions: number
  /** All submissions before this index are deleted. */
  #from: number
  /** Undefined until computed. */
  #best: One | null | undefined

  private constructor(
    order: Order<One>,
    shared: Shared<One>,
    [length, deletions]: readonly [number, number],
    from: number,
    best: One | null | undefined,
  ) {
    this.#order = order
    this.#shared = shared
    this.#length = length
    this.#deletions = deletions
    this.#from = from
    this.#best = best
  }

  static none<One extends Identified>(order: Order<One>): SubmissionsLeft<One> {
    return new SubmissionsLeft(order, sharing([], new Map()), [0, 0], 0, null)
  }

  /** Number of submissions in memory, deleted ones included. */
  get held(): number {
    return this.#shared.all.length
  }

  /** O(1) on the latest state, else O(all). */
  with(one: One): SubmissionsLeft<One> {
    // The empty state is shared by all histories, so it always forks: it must not keep one history in memory.
    const isLatest = this.#length > 0 && this.#shared.all.length === this.#length
    const shared = isLatest ? this.#shared : this.#fork()
    shared.all.push(one)
    const [previousBest, order] = [this.#best, this.#order]
    const improves =
      previousBest !== undefined && order.counts(one) && (previousBest === null || order.isBetter(one, previousBest))
    return new SubmissionsLeft(
      order,
      shared,
      [this.#length + 1, this.#deletions],
      this.#from,
      improves ? one : previousBest,
    )
  }

  /** O(1) on the latest state, else O(all). */
  without(id: string): SubmissionsLeft<One> {
    if (this.#length === 0 || this.#isGone(id)) return this
    const shared = this.#shared.deletedAt.size === this.#deletions ? this.#shared : this.#fork()
    shared.deletedAt.set(id, this.#deletions)
    const best = this.#best?.id === id ? undefined : this.#best
    return new SubmissionsLeft(this.#order, shared, [this.#length, this.#deletions + 1], this.#from, best)
  }

  get first(): One | null {
    const { all } = this.#shared
    while (this.#from < this.#length && this.#isGone(all[this.#from]?.id ?? '')) this.#from++
    return this.#from < this.#length ? (all[this.#from] ?? null) : null
  }

  /** Cached. O(log all) on average on the latest state, else O(all). */
  get best(): One | null {
    if (this.#best === undefined) this.#best = this.#isLast() ? this.#bestOfHeap() : this.#scanForBest()
    return this.#best
  }

  /** O(1) on average. */
  find(id: string): One | null {
    const shared = this.#shared
    for (; shared.indexed < shared.all.length; shared.indexed++) {
      shared.at.set((shared.all[shared.indexed] as One).id, shared.indexed)
    }
    const at = shared.at.get(id) ?? this.#length
    return at >= this.#length || this.#isGone(id) ? null : (shared.all[at] as One)
  }

  *[Symbol.iterator](): Generator<One> {
    const { all } = this.#shared
    for (let at = this.#from; at < this.#length; at++) {
      const one = all[at] as One
      if (!this.#isGone(one.id)) yield one
    }
  }

  #isGone(id: string): boolean {
    return this.#deletions > 0 && (this.#shared.deletedAt.get(id) ?? this.#deletions) < this.#deletions
  }

  #isLast(): boolean {
    const { all, deletedAt } = this.#shared
    return all.length === this.#length && deletedAt.size === this.#deletions
  }

  #fork(): Shared<One> {
    const { all, deletedAt } = this.#shared
    const own = [...deletedAt].filter(([, at]) => at < this.#deletions)
    return sharing(all.slice(0, this.#length), new Map(own))
  }

  #scanForBest(): One | null {
    let best: One | null = null
    for (const one of this) {
      if (this.#order.counts(one) && (best === null || this.#order.isBetter(one, best))) best = one
    }
    return best
  }

  /** Removes deleted submissions from the heap when they reach the top: no later state has them either. */
  #bestOfHeap(): One | null {
    const { isBetter, counts } = this.#order
    const shared = this.#shared
    for (; shared.heaped < this.#length; shared.heaped++) {
      const one = shared.all[shared.heaped] as One
      if (counts(one) && !this.#isGone(one.id)) heapPush(shared.heap, one, isBetter)
    }
    while (shared.heap[0] !== undefined && this.#isGone(shared.heap[0].id)) heapPop(shared.heap, isBetter)
    return shared.heap[0] ?? null
  }
}

const sharing = <One>(all: One[], deletedAt: Map<string, number>): Shared<One> => ({
  all,
  deletedAt,
  heap: [],
  heaped: 0,
  at: new Map(),
  indexed: 0,
})

function heapPush<One>(heap: One[], one: One, isBetter: Order<One>['isBetter']): void {
  let at = heap.push(one) - 1
  for (let above = (at - 1) >> 1; at > 0 && isBetter(one, heap[above] as One); above = (at - 1) >> 1) {
    heap[at] = heap[above] as One
    at = above
  }
  heap[at] = one
}

function heapPop<One>(heap: One[], isBetter: Order<One>['isBetter']): void {
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return
  let at = 0
  for (;;) {
    let below = 2 * at + 1
    const [left, right] = [heap[below], heap[below + 1]]
    if (left === undefined) break
    if (right !== undefined && isBetter(right, left)) below++
    const better = heap[below] as One
    if (!isBetter(better, last)) break
    heap[at] = better
    at = below
  }
  heap[at] = last
}
