// What processes about leaderboards' generations work with, and how they find their way in a board's history.

import type { CommandDeps } from '../commands/deps.ts'
import type { Seen } from '../commands/intent.ts'
import { Refusal } from '../domain/decider.ts'
import type { StoredEvent } from '../domain/event.ts'
import type { Place } from '../domain/rebuild.ts'
import type { QueryDeps } from '../queries/deps.ts'

export interface BoardProcessDeps {
  readonly commands: CommandDeps
  readonly queries: QueryDeps
  now(): number
  readonly seen: Seen
}

/**
 * Events in one slice. The runner takes about 20 ms for that, in pieces between which requests are answered; appending and
 * hearing of it cost a few more.
 */
export const SLICE = 2_000

/** How long it waits for the views; then the event comes again. */
const SEEN_MS = 10_000

/** Once the views have an event, and with them what is read of history where that is a view. False where the signal came first. */
export async function isSeen(
  { seen }: BoardProcessDeps,
  { meta, position }: StoredEvent,
  signal: AbortSignal,
): Promise<boolean> {
  if (await seen({ game: meta.game, position }, SEEN_MS)) return true
  if (signal.aborted) return false
  throw new Refusal('unavailable', 'behind', 'The views have not come to the last slice.')
}

export async function positionOf({ commands }: BoardProcessDeps, place: Place | null): Promise<string | null> {
  if (place === null) return null
  const [event] = await commands.log.readStream(place.stream, place.revision, 1)
  if (event === undefined) throw new Error(`the log has no revision ${place.revision} of ${place.stream}`)
  return event.position
}

export const placeOf = ({ stream, revision }: StoredEvent): Place => ({ stream, revision })
