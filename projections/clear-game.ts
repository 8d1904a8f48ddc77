// Removes the documents that a deleted game's events created, in every build of every view. The documents are found by
// calling `needs` of each projection again. Removals carry the position of GameErasureBegun, which comes after all
// other events of the game.

import type { StoredEvent } from '../domain/event.ts'
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.ts'
import type { AllRankings } from '../stores/contract/rankings.ts'
import type { Views } from '../stores/contract/views.ts'
import { attempt } from './needed.ts'
import { type DocRef, PARKED, type Projection, viewKey } from './projection.ts'
import { isNamable } from './storable.ts'
import { WorkingSet } from './working-set.ts'
import { viewChangesOf, write } from './write.ts'

/** Queried documents that are removed together. */
const QUERIED_AT_ONCE = 100

export interface GameClearing {
  /**
   * Removes what a page of a deleted game's events created; `erasureBegun` is its GameErasureBegun, which every view must have
   * applied. Idempotent. If the game's history is read from a view, this removes it from there too.
   */
  clear(page: readonly StoredEvent[], erasureBegun: StoredEvent): Promise<void>
}

export interface ClearDeps {
  readonly views: Views
  readonly rankings: AllRankings
}

/** `builds`: the builds that this node applies now. */
export function createGameClearing(deps: ClearDeps, builds: () => readonly Projection[]): GameClearing {
  return {
    async clear(page, erasureBegun) {
      for (const projection of builds()) {
        await clearView(deps, projection, page, erasureBegun)
        await yieldToEventLoop()
      }
    },
  }
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
  await write(deps, viewChangesOf(projection, docs.takeChanges(), new Map(), { isOfMany: false, repeats: false }))
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
    await write(deps, viewChangesOf(projection, docs.takeChanges(), new Map(), { isOfMany: false, repeats: false }))
    await yieldToEventLoop()
  }
}
