// Rebuilds views from the log in a scratch store, with the code that builds the live ones, and advances them event by
// event to the position at which they are compared.

import type { Position, StoredEvent } from '../../domain/event.ts'
import { partitionOf } from '../../domain/partition.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import type { History } from '../../stores/contract/history.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { AllRankings, Rankings } from '../../stores/contract/rankings.ts'
import type { Views } from '../../stores/contract/views.ts'
import type { Applier } from '../applier.ts'
import { batchesOf } from '../catch-up.ts'
import { createApplier } from '../create-applier.ts'
import { Folds } from '../folds.ts'
import { MemoryBudget } from '../memory-budget.ts'
import { PARKED, type Projection, viewSpec } from '../projection.ts'
import { write } from '../write.ts'

/** Events read at once and held until they are due. */
const BATCH = 250
/** Documents changed before a write, and bytes of documents held between two writes. */
const CHANGED_MAX = 1_000
const LOADED_BYTES = 32 * 2 ** 20

export interface RebuiltViews {
  readonly views: Views
  /** Position of the last event applied; '' before the first. */
  readonly at: Position
  /** Number of events applied. */
  readonly events: number
  /** Applies the next events of the log until one is not due. Rejects with the signal's reason. */
  advance(isDue: (event: StoredEvent) => boolean, signal: AbortSignal): Promise<void>
  /** Whether views at these checkpoints have applied every event that was applied here. */
  isReachedBy(checkpoints: ReadonlyMap<number, Position>): boolean
}

/** `views` must be empty and used by nobody else; `history` may be a view in it. */
export async function rebuildViews(
  log: Log,
  history: History,
  views: Views,
  projections: readonly Projection[],
): Promise<RebuiltViews> {
  await prepare(views, projections)
  // No fold is prepared here: ranges that were cut from a fold are folded again, however large.
  const folds = new Folds({ log, history }, 0)
  const deps = { log, history, views, rankings: NO_RANKINGS, parked: () => {}, folds }
  const budget = new MemoryBudget(LOADED_BYTES)
  const appliers = projections.map((projection) => createApplier(projection, deps, budget))
  /** Partition -> the last event applied. */
  const last = new Map<number, Position>()
  let ahead: StoredEvent[] = []
  let at: Position = ''
  let events = 0

  async function apply(due: readonly StoredEvent[], signal: AbortSignal): Promise<void> {
    for (const applier of appliers) {
      await applier.apply(due, signal)
      if (applier.changed() >= CHANGED_MAX) await flush([applier])
    }
    for (const { position, meta } of due) last.set(partitionOf(meta.game), position)
    at = due.at(-1)?.position ?? at
    events += due.length
  }

  const flush = (some: readonly Applier[]) => write(deps, ...some.map((applier) => applier.take(new Map())))

  return {
    views,
    get at() {
      return at
    },
    get events() {
      return events
    },
    async advance(isDue, signal) {
      for (;;) {
        signal.throwIfAborted()
        if (ahead.length === 0) ahead = await log.readAll(at === '' ? null : at, BATCH)
        const end = ahead.findIndex((event) => !isDue(event))
        const due = end < 0 ? ahead : ahead.slice(0, end)
        for (const batch of due.length > 0 ? batchesOf(due, appliers) : []) {
          // A replay reads the history, which may be one of these views: write it first.
          if (batch.replays) await flush(appliers)
          await apply(batch.events, signal)
        }
        ahead = end < 0 ? [] : ahead.slice(end)
        if (end >= 0 || due.length === 0) break
        // Awaiting resolved promises does not yield to the event loop; a server has requests to answer meanwhile.
        await yieldToEventLoop()
      }
      await flush(appliers)
    },
    isReachedBy: (checkpoints) =>
      [...last].every(([partition, position]) => position <= (checkpoints.get(partition) ?? '')),
  }
}

/**
 * Twice, so that the indexes exist before the documents: creating them over many documents at once would block a
 * running server.
 */
async function prepare(views: Views, projections: readonly Projection[]): Promise<void> {
  for (const projection of [...projections, ...projections]) await views.prepare(viewSpec(projection))
}

/** The collections of a view that are compared. */
export const collectionsOf = (projection: Projection): string[] =>
  viewSpec(projection).collections.map(({ name }) => name)

export const isParked = (collection: string): boolean => collection === PARKED

/** Rankings are compared with the documents; the rebuild has none. */
const nowhere = (): never => {
  throw new Error('rebuilt views have no rankings')
}
const NO_RANKING: Rankings = {
  isFilled: async () => true,
  isCurrent: async () => true,
  beginFill: nowhere,
  put: async () => {},
  size: nowhere,
  before: nowhere,
  ranks: nowhere,
  range: nowhere,
  around: nowhere,
  lastApplied: nowhere,
}
const NO_RANKINGS: AllRankings = { putMax: Number.POSITIVE_INFINITY, of: () => NO_RANKING, drop: async () => {} }
