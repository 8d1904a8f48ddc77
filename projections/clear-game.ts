// Removes the documents that the events of a deleted game made, in every build of every view: by what each view says that such
// an event needs. Documents take the position of the event that began the removal, which is after all of the game's own.

import type { StoredEvent } from '../domain/event.ts'
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.ts'
import type { AllRankings } from '../stores/contract/rankings.ts'
import type { Views } from '../stores/contract/views.ts'
import { attempt } from './needed.ts'
import { type DocRef, PARKED, type Projection, viewKey } from './projection.ts'
import { isNamable } from './storable.ts'
import { WorkingSet } from './working-set.ts'
import { viewChangesOf, write } from './write.ts'

/** Documents found for one event that are removed together. */
const FOUND_AT_ONCE = 100

export interface GameClearing {
  /**
   * Removes what a page of a deleted game's events made; `begun` is its GameErasureBegun, which every view has applied. May be done
   * again. What is read of the game's history, where that is a view, is then gone from there too.
   */
  clear(page: readonly StoredEvent[], begun: StoredEvent): Promise<void>
}

export interface ClearDeps {
  readonly views: Views
  readonly rankings: AllRankings
}

/** `builds`: what is applied here now. */
export function createGameClearing(deps: ClearDeps, builds: () => readonly Projection[]): GameClearing {
  return {
    async clear(page, begun) {
      for (const projection of builds()) {
        await clearView(deps, projection, page, begun)
        await yieldToEventLoop()
      }
    },
  }
}

async function clearView(
  deps: ClearDeps,
  projection: Projection,
  page: readonly StoredEvent[],
  begun: StoredEvent,
): Promise<void> {
  const { takes, ranked, collections } = projection
  const types = takes === 'every event' ? null : new Set(takes)
  const docs = new WorkingSet(deps.views, viewKey(projection), ranked, collections)
  const refs: DocRef[] = []
  for (const event of page) {
    refs.push([PARKED, event.stream])
    if (types !== null && !types.has(event.type)) continue
    refs.push(...attempt(() => projection.needs(event, () => null, [])).filter(isNamable))
    for (const found of projection.removalQuery?.(event) ?? []) await clearFound(deps, projection, found, begun)
  }
  await docs.load(refs)
  for (const ref of refs) if (docs.get(...ref) !== null) docs.remove(...ref)
  docs.accept(begun)
  await write(deps, viewChangesOf(projection, docs.takeChanges(), new Map(), false))
}

/** Each page is removed before the next is read: what is removed is in the index no more. */
async function clearFound(
  deps: ClearDeps,
  projection: Projection,
  found: { readonly collection: string; readonly index: string; readonly equal: readonly (string | number)[] },
  begun: StoredEvent,
): Promise<void> {
  const view = viewKey(projection)
  for (;;) {
    const documents = await deps.views.find({ ...found, view, limit: FOUND_AT_ONCE })
    if (documents.length === 0) return
    const docs = new WorkingSet(deps.views, view, projection.ranked, projection.collections)
    for (const document of documents) {
      docs.holdFound(found.collection, document)
      docs.remove(found.collection, document.id)
    }
    docs.accept(begun)
    await write(deps, viewChangesOf(projection, docs.takeChanges(), new Map(), false))
    await yieldToEventLoop()
  }
}
