// The live views during a comparison: tracks the position they have reached, and keeps the rebuilt views from getting
// ahead of them.

import type { Position, StoredEvent } from '../../domain/event.ts'
import { ALL_PARTITIONS, partitionOf } from '../../domain/partition.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Views } from '../../stores/contract/views.ts'
import { leastReached } from '../checkpoints.ts'
import { type Projection, viewKey } from '../projection.ts'
import type { RebuiltViews } from './rebuilt-views.ts'

const POLL_EVERY_MS = 50
/** Live views count as stopped if they do not advance for this long although events are left. */
const STOPPED_AFTER_MS = 10_000

export interface LiveDeps {
  readonly log: Log
  readonly live: Views
  readonly projections: readonly Projection[]
  /** Overrides STOPPED_AFTER_MS. */
  readonly stoppedAfterMs?: number
}

export class LiveViews {
  readonly #deps: LiveDeps
  readonly #rebuilt: RebuiltViews
  readonly #signal: AbortSignal
  /** The positions at which the views stopped; '' while they advance. */
  #stoppedAt = ''

  constructor(deps: LiveDeps, rebuilt: RebuiltViews, signal: AbortSignal) {
    this.#deps = deps
    this.#rebuilt = rebuilt
    this.#signal = signal
  }

  /** Whether they stopped before the end of the log. */
  get isBehind(): boolean {
    return this.#stoppedAt !== ''
  }

  /**
   * Brings the rebuilt views to the last event that the live ones have fully applied, and then on to the current head
   * of the log as the live ones reach it. After that a comparison is safe: the live views are not older than the
   * rebuilt ones.
   */
  async align(): Promise<void> {
    const head = (await this.#deps.log.head()) ?? ''
    let before = ''
    let sinceMs = performance.now()
    for (;;) {
      const reached = await this.#reached()
      const isDue = ({ position, meta }: StoredEvent) => position <= (reached.get(partitionOf(meta.game)) ?? '')
      await this.#rebuilt.advance(isDue, this.#signal)
      if (this.#rebuilt.at >= head && this.#rebuilt.isReachedBy(reached)) return
      const now = JSON.stringify([...reached])
      if (now === this.#stoppedAt) return
      if (now !== before) {
        before = now
        sinceMs = performance.now()
      } else if (performance.now() - sinceMs >= (this.#deps.stoppedAfterMs ?? STOPPED_AFTER_MS)) {
        this.#stoppedAt = now
        return
      }
      await new Promise((wake) => setTimeout(wake, POLL_EVERY_MS))
    }
  }

  /** Partition -> the position that every view has applied. */
  async #reached(): Promise<Map<number, Position>> {
    const { live, projections } = this.#deps
    const all = await Promise.all(projections.map((projection) => live.checkpoints(viewKey(projection))))
    return new Map(ALL_PARTITIONS.map((partition) => [partition, leastReached(all, partition) ?? '']))
  }
}
