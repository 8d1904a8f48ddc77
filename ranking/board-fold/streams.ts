// Reads a player's stream, which is needed if a deletion cannot be decided from the entry alone.

import type { StoredEvent } from '../../domain/event.ts'
import type { Log } from '../../stores/contract/log.ts'

/** Reads the stream of an event from the start up to and including that event, in pages. */
export type ReadStream = (event: Pick<StoredEvent, 'stream' | 'revision'>) => AsyncIterable<readonly StoredEvent[]>

/** Events per read. */
const PAGE = 250

export const streamsFrom = (log: Pick<Log, 'readStream'>): ReadStream =>
  async function* ({ stream, revision }) {
    for (let from = 0; from <= revision; from += PAGE) {
      yield await log.readStream(stream, from, Math.min(PAGE, revision + 1 - from))
    }
  }
