// How the data of events changes when streams of a log are numbered again: revisions in data name the same events as
// before.

import type { EventReference, JsonObject, StoredEvent } from './event.ts'

/** Types of events with references to other events, and the fields that have them. */
const REFERRING: ReadonlySet<string> = new Set([
  'LeaderboardSliceBuilt',
  'LeaderboardRulesChanged',
  'LeaderboardRulesCancelled',
  'LeaderboardRulesFailed',
  'LeaderboardSliceCleared',
])
const REFERENCES = ['after', 'upTo', 'asOf', 'until'] as const

export const refersToEvents = (type: string): boolean => REFERRING.has(type)

/**
 * The data of an event that now has `revision`. `renumbered` returns the same reference for an event that kept its
 * revision. Returns the same object if nothing changes.
 */
export function renumberedData(
  { type, data }: Pick<StoredEvent, 'type' | 'data'>,
  revision: number,
  renumbered: (reference: EventReference) => EventReference,
): JsonObject {
  // It deleted every submission before it in its stream.
  if (type === 'ScoreDeleted') {
    return typeof data.upTo !== 'number' || data.upTo === revision - 1 ? data : { ...data, upTo: revision - 1 }
  }
  if (!refersToEvents(type)) return data
  const changed: Record<string, EventReference> = {}
  for (const field of REFERENCES) {
    const before = data[field]
    if (!isReference(before)) continue
    const after = renumbered(before)
    if (after.revision !== before.revision) changed[field] = after
  }
  return Object.keys(changed).length === 0 ? data : { ...data, ...changed }
}

function isReference(value: unknown): value is EventReference {
  if (typeof value !== 'object' || value === null || !('stream' in value) || !('revision' in value)) return false
  return typeof value.stream === 'string' && typeof value.revision === 'number'
}
