// A stream as commands read it: over an election of the log's leader, which may make it unreadable for seconds.

import type { StoredEvent } from '../domain/event.ts'
import { LogAway } from '../stores/contract/faults.ts'
import { eventsFrom, type Log } from '../stores/contract/log.ts'
import { MAX_TRIES, pauseBeforeRetry } from './retries.ts'

/**
 * A stream's events from a revision (inclusive) to its end, each once. Where the log cannot be read it is read again
 * for about 3 s, from the next event on, and no longer than until `isOver`.
 */
export async function* eventsSurely(
  log: Pick<Log, 'readStream'>,
  stream: string,
  revision: number,
  isOver: () => boolean,
): AsyncGenerator<StoredEvent> {
  let next = revision
  for (let attempt = 1; ; attempt++) {
    try {
      for await (const event of eventsFrom(log, stream, next)) {
        next = event.revision + 1
        yield event
      }
      return
    } catch (error) {
      if (!(error instanceof LogAway) || attempt === MAX_TRIES || isOver()) throw error
      await pauseBeforeRetry(attempt)
    }
  }
}
