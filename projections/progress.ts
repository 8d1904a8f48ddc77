// How far the views are known to have come, per partition, and who waits for them to come further.

import { leastPosition, type Position } from '../domain/event.ts'
import { PARTITIONS, partitionOf } from '../domain/partition.ts'

interface Waiter {
  readonly position: Position
  wake(reached: boolean): void
}

export class Progress {
  readonly #reached: (Position | null)[] = new Array<Position | null>(PARTITIONS).fill(null)
  readonly #waiters: Set<Waiter>[] = Array.from({ length: PARTITIONS }, () => new Set())
  /** Told when somebody begins to wait. */
  onWait: () => void = () => {}

  /** All views have applied everything of the partition up to this position. Whether that is further than was known. */
  advance(partition: number, position: Position): boolean {
    if (this.#has(partition, position)) return false
    this.#reached[partition] = position
    for (const waiter of this.#waiters[partition] ?? []) if (waiter.position <= position) waiter.wake(true)
    return true
  }

  /** The position a game's views have reached; null before anything was applied. */
  current(game: string | null): Position | null {
    return this.#reached[partitionOf(game)] ?? null
  }

  /** The position that every partition has reached; null where nothing is known of one. */
  least(): Position | null {
    return leastPosition(this.#reached)
  }

  /** Whether somebody waits for one of these partitions. */
  isAwaited(partitions: Iterable<number>): boolean {
    for (const partition of partitions) if ((this.#waiters[partition]?.size ?? 0) > 0) return true
    return false
  }

  /** True once the views of a game have reached a position; false when that takes longer than `timeoutMs`. */
  waitFor(game: string | null, position: Position, timeoutMs: number): Promise<boolean> {
    const partition = partitionOf(game)
    if (this.#has(partition, position)) return Promise.resolve(true)
    return this.#wait(partition, position, (giveUp) => {
      const timer = setTimeout(giveUp, timeoutMs)
      return () => clearTimeout(timer)
    })
  }

  /** True once the views have reached a position ('': any) in a partition; false when the signal aborts before. */
  waitUntil(partition: number, position: Position | '', signal: AbortSignal): Promise<boolean> {
    if (this.#has(partition, position)) return Promise.resolve(true)
    if (signal.aborted) return Promise.resolve(false)
    return this.#wait(partition, position, (giveUp) => {
      signal.addEventListener('abort', giveUp)
      return () => signal.removeEventListener('abort', giveUp)
    })
  }

  #has(partition: number, position: Position): boolean {
    const reached = this.#reached[partition] ?? null
    return reached !== null && reached >= position
  }

  /** `until` arranges for giving up, and gives what calls that off. */
  #wait(partition: number, position: Position, until: (giveUp: () => void) => () => void): Promise<boolean> {
    const waiters = this.#waiters[partition] as Set<Waiter>
    return new Promise((resolve) => {
      const wake = (came: boolean) => {
        callOff()
        waiters.delete(waiter)
        resolve(came)
      }
      const callOff = until(() => wake(false))
      const waiter: Waiter = { position, wake }
      waiters.add(waiter)
      this.onWait()
    })
  }
}
