// The known position of the views per partition, and the waiters for later positions.

import { leastPosition, type Position } from '../domain/event.ts'
import { PARTITIONS, partitionOf } from '../domain/partition.ts'

interface Waiter {
  readonly position: Position
  wake(reached: boolean): void
}

export class Progress {
  readonly #reached: (Position | null)[] = new Array<Position | null>(PARTITIONS).fill(null)
  readonly #waiters: Set<Waiter>[] = Array.from({ length: PARTITIONS }, () => new Set())
  /** Called when someone begins to wait. */
  onWait: () => void = () => {}

  /**
   * Records that all views have applied the partition's events up to this position. Returns true if that is further
   * than was known.
   */
  advance(partition: number, position: Position): boolean {
    if (this.#has(partition, position)) return false
    this.#reached[partition] = position
    for (const waiter of this.#waiters[partition] ?? []) if (waiter.position <= position) waiter.wake(true)
    return true
  }

  /** The position that a game's views have reached; null before anything was applied. */
  current(game: string | null): Position | null {
    return this.#reached[partitionOf(game)] ?? null
  }

  /** The position that every partition has reached; null if one is unknown. */
  least(): Position | null {
    return leastPosition(this.#reached)
  }

  /** Whether someone waits for one of these partitions. */
  isAwaited(partitions: Iterable<number>): boolean {
    for (const partition of partitions) if ((this.#waiters[partition]?.size ?? 0) > 0) return true
    return false
  }

  /** Resolves to true once the views of a game have reached a position; to false after `timeoutMs`. */
  waitFor(game: string | null, position: Position, timeoutMs: number): Promise<boolean> {
    const partition = partitionOf(game)
    if (this.#has(partition, position)) return Promise.resolve(true)
    return this.#wait(partition, position, (giveUp) => {
      const timer = setTimeout(giveUp, timeoutMs)
      return () => clearTimeout(timer)
    })
  }

  /**
   * Resolves to true once the views have reached a position ('': any) in a partition; to false if the signal aborts
   * first.
   */
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

  /** `until` registers the callback that gives up, and returns a function that unregisters it. */
  #wait(partition: number, position: Position, until: (giveUp: () => void) => () => void): Promise<boolean> {
    const waiters = this.#waiters[partition] as Set<Waiter>
    return new Promise((resolve) => {
      const wake = (isReached: boolean) => {
        unregister()
        waiters.delete(waiter)
        resolve(isReached)
      }
      const unregister = until(() => wake(false))
      const waiter: Waiter = { position, wake }
      waiters.add(waiter)
      this.onWait()
    })
  }
}

/** Where a command's events end; null if it wrote none. */
type Commit = { readonly game: string | null; readonly position: Position } | null

/** Waits until the views have applied a commit: this node's own, and those of other nodes as far as known here. */
export const waitForViewsOf =
  (progress: Progress) =>
  async (commit: Commit, timeoutMs: number): Promise<boolean> =>
    commit === null || progress.waitFor(commit.game, commit.position, timeoutMs)
