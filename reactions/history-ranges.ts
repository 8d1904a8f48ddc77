// Helpers with which the generation processes address ranges of a leaderboard's history.

import type { EventReference, StoredEvent } from '../domain/event.ts'
import { positionOf } from '../stores/support/event-position.ts'
import type { ProcessDeps } from './process-deps.ts'

/**
 * How a leaderboard's history is cut into ranges that are built or cleared, each by one event. A concurrent submission
 * waits while the views apply a range.
 */
export interface RangePolicy {
  /** Events of a range that is applied event by event, and most events of the rest that the last event covers. */
  readonly events: number
  /** Most entries of a range of a folded history, unless one page has more. */
  readonly entries: number
  /** Events of a range that is cleared. */
  readonly clearedEvents: number
  /**
   * Whether a range of a folded history is recorded while the views apply the one before. The build then does not wait
   * for the append, but a submission may wait for two ranges.
   */
  readonly recordsAhead: boolean
}

/** A range takes several round trips, and some ten milliseconds to record. */
export const SERVER_RANGES: RangePolicy = { events: 2_000, entries: 200, clearedEvents: 2_000, recordsAhead: true }
/**
 * A range takes a few milliseconds. Small ranges keep the wait of submissions short; a build that is applied event by
 * event takes a third longer (decision 0035). Clearing only removes documents, so its ranges have more events, and the
 * log gets fewer of them.
 */
export const EMBEDDED_RANGES: RangePolicy = { events: 50, entries: 25, clearedEvents: 200, recordsAhead: false }

export async function positionOrNull(
  { commands }: Pick<ProcessDeps, 'commands'>,
  reference: EventReference | null,
): Promise<string | null> {
  return reference === null ? null : positionOf(commands.log, reference)
}

export const referenceOf = ({ stream, revision }: StoredEvent): EventReference => ({ stream, revision })
