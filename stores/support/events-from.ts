// Reads one stream to its end.

import type { StoredEvent } from '../../domain/event.ts'
import { yieldToEventLoop } from '../../scheduling/yield-to-event-loop.ts'
import type { Log } from '../contract/log.ts'

const PAGE = 1_000

/**
 * A stream's events from a revision (inclusive) to its end, in order; `limit` are read at once, when the first of them
 * is asked for, and others have their turn between.
 */
export async function* eventsFrom(
  log: Pick<Log, 'readStream'>,
  stream: string,
  revision = 0,
  limit = PAGE,
): AsyncGenerator<StoredEvent> {
  for (let next = revision; ; ) {
    const page = await log.readStream(stream, next, limit)
    yield* page
    if (page.length < limit) return
    next += page.length
    // Promises alone never let the event loop turn: a long stream would keep every request waiting.
    await yieldToEventLoop()
  }
}
