// Reads one stream to its end.

import type { StoredEvent } from '../../domain/event.ts'
import { gameStream } from '../../domain/game.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import type { Log } from '../contract/log.ts'

/** Beside the games, whose long reads have the turns of theirs. */
const LONG_STREAMS = 'streams'
/** Decoded and folded in about a millisecond. */
const PAGE = 100

/**
 * The events of a stream from a revision (inclusive) to its end, in order. Reads lazily in pages of `limit`, and waits
 * for a time slice before each page after the first: however many long streams are read at the same time, one page is
 * read in a turn of the event loop, and the streams take turns.
 */
export async function* eventsFrom(
  log: Pick<Log, 'readStream'>,
  stream: string,
  revision = 0,
  limit = PAGE,
): AsyncGenerator<StoredEvent> {
  let slices: TimeSlices | null = null
  for (let next = revision; ; ) {
    const page = await log.readStream(stream, next, limit)
    yield* page
    if (page.length < limit) return
    next += page.length
    slices ??= new TimeSlices(undefined, [LONG_STREAMS, stream])
    await slices.yield()
  }
}

/** Whether the erasure of a deleted game has begun, from the game's own stream. */
export async function hasErasureBegun(log: Pick<Log, 'readStream'>, game: string): Promise<boolean> {
  for await (const { type } of eventsFrom(log, gameStream(game))) if (type === 'GameErasureBegun') return true
  return false
}
