// How far the views of this process have come, per partition, and who waits for them to come further.

import type { Position } from '../domain/event.ts'
import { PARTITIONS, partitionOf } from '../stores/contract/partition.ts'

interface Waiter {
  readonly position: Position
  wake(reached: boolean): void
}

export class Progress {
  readonly #reached: (Position | null)[] = new Array<Position | null>(PARTITIONS).fill(null)
  readonly #waiters: Set<Waiter>[] = Array.from({ length: PARTITIONS }, () => new Set())

  /** All views have applied everything of the partition up to this position. */
  advance(partition: number, position: Position): void {
    const before = this.#reached[partition]
    if (before !== null && before !== undefined && before >= position) return
    this.#reached[partition] = position
    for (const waiter of this.#waiters[partition] ?? []) if (waiter.position <= position) waiter.wake(true)
  }

  /** The last position that any partition has reached; null before anything was applied. The log is applied in its order. */
  furthest(): Position | null {
    return this.#reached.reduce((last, one) => (last === null || (one !== null && one > last) ? one : last), null)
  }

  /** The position a game's views have reached; null before anything was applied. */
  current(game: string | null): Position | null {
    return this.#reached[partitionOf(game)] ?? null
  }

  /** True once the views of a game have reached a position; false when that takes longer than `timeoutMs`. */
  waitFor(game: string | null, position: Position, timeoutMs: number): Promise<boolean> {
    const partition = partitionOf(game)
    const reached = this.#reached[partition]
    if (reached !== null && reached !== undefined && reached >= position) return Promise.resolve(true)
    const waiters = this.#waiters[partition] as Set<Waiter>
    return new Promise((resolve) => {
      const wake = (came: boolean) => {
        clearTimeout(timer)
        waiters.delete(waiter)
        resolve(came)
      }
      const timer = setTimeout(() => wake(false), timeoutMs)
      const waiter: Waiter = { position, wake }
      waiters.add(waiter)
    })
  }
}
