// What events need of their view's documents: said by the projection, and loaded for many events at once, as far as it is known
// before the ones in front are applied.

import type { StoredEvent } from '../domain/event.ts'
import type { DocRef } from './projection.ts'
import type { WorkingSet } from './working-set.ts'

const NONE: readonly never[] = []

/** What a projection says of an event, or nothing where saying it fails: its handler will fail on it too. */
export function attempt<Item>(say: () => readonly Item[]): readonly Item[] {
  try {
    return say()
  } catch {
    return NONE
  }
}

/** Of these documents those that are not loaded. */
export function lacking(docs: WorkingSet, refs: readonly DocRef[]): readonly DocRef[] {
  let found: DocRef[] | null = null
  for (const ref of refs) {
    if (docs.has(ref)) continue
    found ??= []
    found.push(ref)
  }
  return found ?? NONE
}

/** Loads for many events at once, as far as what they need is known before the ones in front are applied. */
export async function prefetch(
  events: readonly StoredEvent[],
  missing: (event: StoredEvent) => readonly DocRef[],
  docs: WorkingSet,
): Promise<void> {
  for (let asking = events; asking.length > 0; ) {
    const refs: DocRef[] = []
    const incomplete: StoredEvent[] = []
    for (const event of asking) {
      const needed = missing(event)
      if (needed.length === 0) continue
      incomplete.push(event)
      refs.push(...needed)
    }
    await docs.load(refs)
    asking = incomplete
  }
}
