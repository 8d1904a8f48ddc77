// Finds the position of an event from its stream and revision, and the progress through the log, for people.

import type { EventReference, Position } from '../../domain/event.ts'
import type { Log } from '../contract/log.ts'

/** The log has no event at this stream and revision. */
export class EventNotFound extends Error {}

/** Positions never change, so the latest ones are cached: each step of a rule change refers to earlier events. */
const MAX_CACHED_POSITIONS = 1_000
const known = new WeakMap<object, Map<string, Position>>()

/** Throws EventNotFound if there is no such event. */
export async function positionOf(
  log: Pick<Log, 'readStream'>,
  { stream, revision }: EventReference,
): Promise<Position> {
  const positions = known.get(log) ?? new Map<string, Position>()
  known.set(log, positions)
  const name = `${revision} ${stream}`
  const there = positions.get(name)
  if (there !== undefined) return there
  const [event] = await log.readStream(stream, revision, 1)
  if (event === undefined) throw new EventNotFound(`the log has no revision ${revision} of ${stream}`)
  const [oldest] = positions.size < MAX_CACHED_POSITIONS ? [] : positions.keys()
  if (oldest !== undefined) positions.delete(oldest)
  positions.set(name, event.position)
  return event.position
}

/**
 * The approximate share of the log up to a position, from 0 to 1. Every kind of position begins with the hexadecimal
 * digits of a number that grows with the log.
 */
export function shareOf(position: Position, head: Position): number {
  const [done, all] = [Number.parseInt(position.slice(0, 16), 16), Number.parseInt(head.slice(0, 16), 16)]
  return all > 0 && done >= 0 ? Math.min(1, done / all) : 1
}
