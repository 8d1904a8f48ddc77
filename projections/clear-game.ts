// Removes the documents that a deleted game's events created, in every build of every view. The documents are found by
// calling `needs` of each projection again. Removals carry the position of GameErasureBegun, which comes after all
// other events of the game.

import { setTimeout } from 'node:timers/promises'
import type { StoredEvent } from '../domain/event.ts'
import { partitionOf } from '../domain/partition.ts'
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts'
import type { AllRankings } from '../stores/contract/rankings.ts'
import type { Views } from '../stores/contract/views.ts'
import type { GameRemovals } from './game-removals.ts'
import { attempt } from './needed.ts'
import { type DocRef, PARKED, type Projection, viewKey } from './projection.ts'
import { isNamable } from './storable.ts'
import { WorkingSet } from './working-set.ts'
import { viewChangesOf, write } from './write.ts'

/** Queried documents that are removed together. */
const QUERIED_AT_ONCE = 100
/** Pause in ms between two looks at the checkpoints of builds in progress. */
const RECHECK_MS = 200

export interface GameClearing {
  /**
   * Call it before the first page. Waits until builds in progress have written what they have read of the game, and
   * records that the removal begins. Returns false if the signal aborts first.
   */
  begin(erasureBegun: StoredEvent, signal: AbortSignal): Promise<boolean>
  /**
   * Removes what a page of a deleted game's events created; `erasureBegun` is its GameErasureBegun, which every view
   * must have applied. Idempotent. If the game's history is read from a view, this removes it from there too.
   */
  clear(page: readonly StoredEvent[], erasureBegun: StoredEvent): Promise<void>
  /** Call it after the last page. Durable when it resolves, as everything that was removed. */
  end(erasureBegun: StoredEvent): Promise<void>
}

export interface ClearDeps {
  readonly views: Views
  readonly rankings: AllRankings
}

/** The builds that this node applies now. */
interface Cleared {
  /** They serve reads. The history of the removed game is read from the last of them, if it is a view. */
  readonly active: readonly Projection[]
  readonly inStep: readonly Projection[]
  readonly inProgress: readonly Projection[]
}

/** `removals`: null if several processes can write the views, which then lose no commit in a crash. */
export function createGameClearing(
  deps: ClearDeps,
  builds: () => Cleared,
  removals: GameRemovals | null,
): GameClearing {
  return {
    async begin(erasureBegun, signal) {
      while (await areBehind(deps, builds().inProgress, erasureBegun)) {
        await setTimeout(RECHECK_MS, undefined, { signal }).catch(() => {})
        if (signal.aborted) return false
      }
      await removals?.begun(erasureBegun.meta.game ?? '')
      // Else a start after a crash would build the views again.
      await deps.views.durable()
      return true
    },
    async clear(page, erasureBegun) {
      for (const projection of inOrder(builds())) {
        await clearView(deps, projection, page, erasureBegun)
        await yieldToEventLoop()
      }
    },
    async end(erasureBegun) {
      await removals?.ended(erasureBegun.meta.game ?? '')
      await deps.views.durable()
    },
  }
}

/**
 * The active builds last, in the order of all views: a removal that is interrupted finds its events again in the active
 * history.
 */
function inOrder({ active, inStep, inProgress }: Cleared): readonly Projection[] {
  const keys = new Set(active.map(viewKey))
  return [...inStep.filter((one) => !keys.has(viewKey(one))), ...inProgress, ...active]
}

/**
 * Whether one of the builds may hold documents in memory that events of the game created before readers skipped them.
 */
async function areBehind(
  { views }: Pick<ClearDeps, 'views'>,
  builds: readonly Projection[],
  { meta, position }: StoredEvent,
): Promise<boolean> {
  const partition = partitionOf(meta.game)
  for (const build of builds) {
    const checkpoints = await views.checkpoints(viewKey(build), [partition])
    if ((checkpoints.get(partition)?.position ?? '') < position) return true
  }
  return false
}

async function clearView(
  deps: ClearDeps,
  projection: Projection,
  page: readonly StoredEvent[],
  erasureBegun: StoredEvent,
): Promise<void> {
  const { takes, ranked, collections } = projection
  const types = takes === 'every event' ? null : new Set(takes)
  const docs = new WorkingSet(deps.views, viewKey(projection), ranked, collections)
  const refs: DocRef[] = []
  for (const event of page) {
    refs.push([PARKED, event.stream])
    if (types !== null && !types.has(event.type)) continue
    refs.push(...attempt(() => projection.needs(event, () => null, [])).filter(isNamable))
    for (const query of projection.removalQuery?.(event) ?? [])
      await clearQueried(deps, projection, query, erasureBegun)
  }
  await docs.load(refs)
  for (const ref of refs) if (docs.get(...ref) !== null) docs.remove(...ref)
  docs.accept(erasureBegun)
  await write(deps, viewChangesOf(projection, docs.takeChanges(), new Map(), false))
}

/** Removes each page before it reads the next: removed documents are no longer in the index. */
async function clearQueried(
  deps: ClearDeps,
  projection: Projection,
  query: { readonly collection: string; readonly index: string; readonly equal: readonly (string | number)[] },
  erasureBegun: StoredEvent,
): Promise<void> {
  const view = viewKey(projection)
  for (;;) {
    const documents = await deps.views.find({ ...query, view, limit: QUERIED_AT_ONCE })
    if (documents.length === 0) return
    const docs = new WorkingSet(deps.views, view, projection.ranked, projection.collections)
    for (const document of documents) {
      docs.addFound(query.collection, document)
      docs.remove(query.collection, document.id)
    }
    docs.accept(erasureBegun)
    await write(deps, viewChangesOf(projection, docs.takeChanges(), new Map(), false))
    await yieldToEventLoop()
  }
}
