// Which events a restore takes: those up to an instant or a position, and later ones in the streams of players and
// games that were deleted later and of keys that were revoked later, so that these stay deleted and revoked.

import { DELETED_GAMES_STREAM } from '../../domain/deleted-games.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { gameStream } from '../../domain/game.ts'
import { dayStartMs, instantMs } from '../../domain/iso-input.ts'
import type { Deletions } from './deletions.ts'
import { BackupFault } from './destination.ts'
import type { BackupHeading } from './manifest.ts'

/** The end of a restored log: this time (ISO 8601, inclusive) or position (inclusive). */
export type RestorePoint = { readonly until: string } | { readonly position: string }

/** As callers see it: in a restored installation with the id of the restore. */
const POSITION = /^([0-9a-f]{16})(?:-[0-9a-f]{12})?$/

/**
 * `at`: a time or a position; null: the end of the backup. Throws BackupFault if the backup does not reach that point.
 */
export function restorePoint({ head, begun }: BackupHeading, at: string | null): RestorePoint {
  if (head === null) throw new BackupFault('The backup has no events: start with an empty data folder instead.')
  if (at === null) return { position: head }
  const position = POSITION.exec(at)?.[1]
  if (position !== undefined) {
    if (position <= head) return { position }
    throw new BackupFault(`Position ${at} is after the end of the backup, ${head}.`)
  }
  const ms = instantMs(at) ?? dayStartMs(at)
  if (ms === null) throw new BackupFault(`${at} is neither a time (2026-11-25T09:30:00Z) nor a position.`)
  const until = new Date(ms).toISOString()
  if (until <= begun) return { until }
  throw new BackupFault(
    `${until} is after the backup, which began at ${begun}. Choose an earlier instant or a newer backup.`,
  )
}

export type IsUpTo = (event: StoredEvent) => boolean

/**
 * Whether an event is at the point or before it. A time cuts the history of each game after its last event whose time
 * is not later, and the history of what belongs to no game. So each stream keeps its first events, although times
 * decrease where a clock was set back. Reads all events of the log if the point is a time.
 */
export async function cutAt(point: RestorePoint, log: AsyncIterable<readonly StoredEvent[]>): Promise<IsUpTo> {
  if ('position' in point) return ({ position }) => position <= point.position
  const ends = new Map<string | null, string>()
  for await (const events of log) {
    for (const { meta, position } of events) if (meta.time <= point.until) ends.set(meta.game, position)
  }
  return ({ meta, position }) => position <= (ends.get(meta.game) ?? '')
}

/**
 * Call the result for every event in log order. Of a game that was deleted later, its own stream is enough: the
 * reactions remove the rest.
 */
export function createSelection(isUpTo: IsUpTo, deletions: Deletions): (event: StoredEvent) => boolean {
  const whole = new Set([...deletions.streams, ...[...deletions.games].map(gameStream)])
  /** Those of them that exist at the point. */
  const begun = new Set<string>()

  return (event) => {
    const { stream } = event
    if (stream === DELETED_GAMES_STREAM) return true
    const isTaken = isUpTo(event)
    if (!whole.has(stream)) return isTaken
    if (isTaken) begun.add(stream)
    return begun.has(stream)
  }
}
