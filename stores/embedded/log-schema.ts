// The SQLite schema of the embedded log: one table in log order and no other index, so that an append writes only to
// its end. log-index.ts finds events by stream, game and board.

import type { StoredEvent } from '../../domain/event.ts'
import { positionOf } from './log-position.ts'

export const LOG_SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    meta TEXT NOT NULL
  );
`

/** The columns of an `EventRow`, in its order. */
export const EVENT_COLUMNS = 'position, stream, revision, id, type, data, meta'

export type EventRow = readonly [
  sequence: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  data: string,
  meta: string,
]

export function storedEvent([sequence, stream, revision, id, type, data, meta]: EventRow): StoredEvent {
  return { id, type, data: JSON.parse(data), meta: JSON.parse(meta), stream, revision, position: positionOf(sequence) }
}
