// Views built from the log once more, beside the live ones, by the code that builds those: brought along event by event to
// wherever they are to be compared.

import type { Position, StoredEvent } from '../../domain/event.ts'
import { partitionOf } from '../../domain/partition.ts'
import { yieldToEventLoop } from '../../scheduling/yield-to-event-loop.ts'
import type { History } from '../../stores/contract/history.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { AllRankings, Rankings } from '../../stores/contract/rankings.ts'
import type { Views } from '../../stores/contract/views.ts'
import { type Applier, createApplier } from '../apply.ts'
import { batchesOf } from '../catch-up.ts'
import { Folds } from '../folds.ts'
import { MemoryBudget } from '../memory-budget.ts'
import { PARKED, type Projection, viewSpec } from '../projection.ts'
import { write } from '../write.ts'

/** Events read at once, and held until they are due. */
const BATCH = 250
/** Documents changed before they are written, and bytes of those held from one write to the next. */
const CHANGED_MAX = 1_000
const HELD_BYTES = 32 * 2 ** 20

export interface RebuiltViews {
  readonly views: Views
  /** The last event applied; '' before the first. */
  readonly at: Position
  /** How many were applied. */
  readonly events: number
  /** Applies what comes next in the log for as long as it is due. Rejects with the signal. */
  advance(isDue: (event: StoredEvent) => boolean, signal: AbortSignal): Promise<void>
  /** Whether views at these checkpoints have every event that was applied here. */
  isReachedBy(checkpoints: ReadonlyMap<number, Position>): boolean
}

/** `views` has nothing in it yet, and is nobody else's; `history` may be a view among those. */
export async function rebuildViews(
  log: Log,
  history: History,
  views: Views,
  projections: readonly Projection[],
): Promise<RebuiltViews> {
  await prepare(views, projections)
  // Nothing is prepared here: what slices are of is folded as it was then, however large.
  const folds = new Folds({ log, history }, 0)
  const deps = { log, history, views, rankings: NO_RANKINGS, parked: () => {}, folds }
  const held = new MemoryBudget(HELD_BYTES)
  const appliers = projections.map((projection) => createApplier(projection, deps, held))
  /** The last event of each partition. */
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
        for (const piece of due.length > 0 ? batchesOf(due, appliers) : []) {
          // What is replayed is read from the history, which may be a view here too.
          if (piece.replays) await flush(appliers)
          await apply(piece.events, signal)
        }
        ahead = end < 0 ? [] : ahead.slice(end)
        if (end >= 0 || due.length === 0) break
        // Promises alone never let the event loop turn: a server has others to serve meanwhile.
        await yieldToEventLoop()
      }
      await flush(appliers)
    },
    isReachedBy: (checkpoints) =>
      [...last].every(([partition, position]) => position <= (checkpoints.get(partition) ?? '')),
  }
}

/** Twice, so that indexes are there before the documents: made over many at once they would block a server that runs meanwhile. */
async function prepare(views: Views, projections: readonly Projection[]): Promise<void> {
  for (const projection of [...projections, ...projections]) await views.prepare(viewSpec(projection))
}

/** Collections of a view that are compared. */
export const collectionsOf = (projection: Projection): string[] =>
  viewSpec(projection).collections.map(({ name }) => name)

export const isParked = (collection: string): boolean => collection === PARKED

/** What is ranked is compared by the documents. */
const nowhere = (): never => {
  throw new Error('views built beside the live ones have no rankings')
}
const NO_RANKING: Rankings = {
  isFilled: async () => true,
  stands: async () => true,
  beginFill: nowhere,
  put: async () => {},
  size: nowhere,
  before: nowhere,
  ranks: nowhere,
  range: nowhere,
  around: nowhere,
}
const NO_RANKINGS: AllRankings = { putMax: Number.POSITIVE_INFINITY, of: () => NO_RANKING, drop: async () => {} }
