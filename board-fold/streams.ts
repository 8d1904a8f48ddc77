// Reading a player's stream, where only all of it shows what a deletion leaves.

import type { StoredEvent } from '../domain/event.ts'
import type { Log } from '../stores/contract/log.ts'

/** Reads the stream of an event up to and with it, in pages from the first event on. */
export type ReadStream = (event: Pick<StoredEvent, 'stream' | 'revision'>) => AsyncIterable<readonly StoredEvent[]>

/** Events of a player that are read at once. */
const PAGE = 250

export const streamsFrom = (log: Pick<Log, 'readStream'>): ReadStream =>
  async function* ({ stream, revision }) {
    for (let from = 0; from <= revision; from += PAGE) {
      yield await log.readStream(stream, from, Math.min(PAGE, revision + 1 - from))
    }
  }
