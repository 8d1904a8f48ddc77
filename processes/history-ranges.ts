// Helpers with which the generation processes address batches of a leaderboard's history.

import type { StoredEvent } from '../domain/event.ts'
import type { EventReference } from '../domain/event-reference.ts'
import { positionOf } from '../stores/support/event-position.ts'
import type { ProcessDeps } from './process-deps.ts'

/**
 * Events per batch. The view runner takes about 20 ms for one and yields to requests in between; appending and
 * reading the event back add a few ms.
 */
export const EVENTS_PER_RANGE = 2_000

export async function positionOrNull(
  { commands }: Pick<ProcessDeps, 'commands'>,
  reference: EventReference | null,
): Promise<string | null> {
  return reference === null ? null : positionOf(commands.log, reference)
}

export const referenceOf = ({ stream, revision }: StoredEvent): EventReference => ({ stream, revision })
