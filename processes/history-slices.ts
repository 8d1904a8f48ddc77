// How processes about leaderboards' generations find their way in a board's history.

import type { StoredEvent } from '../domain/event.ts'
import type { EventPlace } from '../domain/event-place.ts'
import { positionOf } from '../stores/support/event-position.ts'
import type { ProcessDeps } from './process-deps.ts'

/**
 * Events in one slice. The runner takes about 20 ms for that, in pieces between which requests are answered; appending and
 * hearing of it cost a few more.
 */
export const SLICE = 2_000

export async function positionOrNull(
  { commands }: Pick<ProcessDeps, 'commands'>,
  place: EventPlace | null,
): Promise<string | null> {
  return place === null ? null : positionOf(commands.log, place)
}

export const placeOf = ({ stream, revision }: StoredEvent): EventPlace => ({ stream, revision })
