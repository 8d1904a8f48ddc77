// The log position of an event given by its stream and revision.

import type { Position } from '../../domain/event.ts'
import type { EventPlace } from '../../domain/event-place.ts'
import type { Log } from '../contract/log.ts'

/** A place was named that the log has not. */
export class NoSuchPlace extends Error {}

/** What is recorded stays where it is: the places found last are remembered, as each slice of a rebuild names those before it. */
const KNOWN_MOST = 1_000
const known = new WeakMap<object, Map<string, Position>>()

/** Throws NoSuchPlace. */
export async function positionOf(log: Pick<Log, 'readStream'>, { stream, revision }: EventPlace): Promise<Position> {
  const places = known.get(log) ?? new Map<string, Position>()
  known.set(log, places)
  const name = `${revision} ${stream}`
  const there = places.get(name)
  if (there !== undefined) return there
  const [event] = await log.readStream(stream, revision, 1)
  if (event === undefined) throw new NoSuchPlace(`the log has no revision ${revision} of ${stream}`)
  const [oldest] = places.size < KNOWN_MOST ? [] : places.keys()
  if (oldest !== undefined) places.delete(oldest)
  places.set(name, event.position)
  return event.position
}
