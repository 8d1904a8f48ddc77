// The live views while they are compared: how far they have come, and that what is built beside them never stands before them.

import type { Position, StoredEvent } from '../../domain/event.ts'
import { ALL_PARTITIONS, partitionOf } from '../../domain/partition.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Views } from '../../stores/contract/views.ts'
import { leastReached } from '../checkpoints.ts'
import { type Projection, viewKey } from '../projection.ts'
import type { RebuiltViews } from './rebuilt-views.ts'

const LOOK_EVERY_MS = 50
/** LiveViews views that do not move for so long, with events before them, stand still. */
const STAND_STILL_MS = 10_000

export interface LiveDeps {
  readonly log: Log
  readonly live: Views
  readonly projections: readonly Projection[]
  /** In place of STAND_STILL_MS. */
  readonly standStillMs?: number
}

export class LiveViews {
  readonly #deps: LiveDeps
  readonly #beside: RebuiltViews
  readonly #signal: AbortSignal
  /** Where they stood when they were found to stand still. */
  #stillAt = ''

  constructor(deps: LiveDeps, beside: RebuiltViews, signal: AbortSignal) {
    this.#deps = deps
    this.#beside = beside
    this.#signal = signal
  }

  /** Whether they stood still before the end of the log. */
  get isBehind(): boolean {
    return this.#stillAt !== ''
  }

  /**
   * Brings what is beside them to the last event before which they have everything: first to where they stand, and on to where
   * the log ends now, as they come there. What they hold then is compared safely: it is no older than what is beside.
   */
  async meet(): Promise<void> {
    const head = (await this.#deps.log.head()) ?? ''
    let before = ''
    let sinceMs = performance.now()
    for (;;) {
      const reached = await this.#reached()
      const isDue = ({ position, meta }: StoredEvent) => position <= (reached.get(partitionOf(meta.game)) ?? '')
      await this.#beside.advance(isDue, this.#signal)
      if (this.#beside.at >= head && this.#beside.isReachedBy(reached)) return
      const now = JSON.stringify([...reached])
      if (now === this.#stillAt) return
      if (now !== before) {
        before = now
        sinceMs = performance.now()
      } else if (performance.now() - sinceMs >= (this.#deps.standStillMs ?? STAND_STILL_MS)) {
        this.#stillAt = now
        return
      }
      await new Promise((wake) => setTimeout(wake, LOOK_EVERY_MS))
    }
  }

  /** Partition -> what every view has applied there. */
  async #reached(): Promise<Map<number, Position>> {
    const { live, projections } = this.#deps
    const all = await Promise.all(projections.map((projection) => live.checkpoints(viewKey(projection))))
    return new Map(ALL_PARTITIONS.map((partition) => [partition, leastReached(all, partition) ?? '']))
  }
}
