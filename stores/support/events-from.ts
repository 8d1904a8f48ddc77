// Reads one stream to its end.

import type { StoredEvent } from '../../domain/event.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import type { Log } from '../contract/log.ts'

const PAGE = 1_000

/**
 * The events of a stream from a revision (inclusive) to its end, in order. Reads lazily in pages of `limit`, and yields
 * to the event loop between pages.
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
    // Promises alone never yield to the event loop: a long stream would block every request.
    await yieldToEventLoop()
  }
}
