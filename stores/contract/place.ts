// Where an event lies in the log, of one that is named by its stream and revision.

import type { Position } from '../../domain/event.ts'
import type { EventPlace } from '../../domain/rebuild.ts'
import type { Log } from './log.ts'

/** A place was named that the log has not. */
export class NoSuchPlace extends Error {}

/** Throws NoSuchPlace. */
export async function positionOf(log: Pick<Log, 'readStream'>, { stream, revision }: EventPlace): Promise<Position> {
  const [event] = await log.readStream(stream, revision, 1)
  if (event === undefined) throw new NoSuchPlace(`the log has no revision ${revision} of ${stream}`)
  return event.position
}
