// Loads the documents that events need, for many events at once if their needs are known in advance.

import type { StoredEvent } from '../domain/event.ts'
import type { DocRef } from './projection.ts'
import type { WorkingSet } from './working-set.ts'

const NONE: readonly never[] = []

/** Calls the projection; returns an empty list if it throws, because its handler will throw too. */
export function attempt<Item>(read: () => readonly Item[]): readonly Item[] {
  try {
    return read()
  } catch {
    return NONE
  }
}

/** The documents among these that are not loaded. */
export function lacking(docs: WorkingSet, refs: readonly DocRef[]): readonly DocRef[] {
  let found: DocRef[] | null = null
  for (const ref of refs) {
    if (docs.has(ref)) continue
    found ??= []
    found.push(ref)
  }
  return found ?? NONE
}

/**
 * Loads for many events at once, as far as their needs are known before the events before them are applied. Repeats
 * until no event needs more.
 */
export async function prefetch(
  events: readonly StoredEvent[],
  missing: (event: StoredEvent) => readonly DocRef[],
  docs: WorkingSet,
): Promise<void> {
  for (let pending = events; pending.length > 0; ) {
    const refs: DocRef[] = []
    const incomplete: StoredEvent[] = []
    for (const event of pending) {
      const needed = missing(event)
      if (needed.length === 0) continue
      incomplete.push(event)
      refs.push(...needed)
    }
    await docs.load(refs)
    pending = incomplete
  }
}
