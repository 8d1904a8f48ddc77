// The SQLite schema of the embedded log: one table in log order, with indexes by stream, game and board.

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
    meta TEXT NOT NULL,
    game TEXT,
    board TEXT,
    UNIQUE (stream, revision)
  );
  CREATE INDEX IF NOT EXISTS events_of_game ON events (game, position) WHERE game IS NOT NULL;
  CREATE INDEX IF NOT EXISTS events_of_board ON events (board, position) WHERE board IS NOT NULL;
`

/** The columns of an `EventRow`, in its order. */
export const EVENT_COLUMNS = 'position, stream, revision, id, type, data, meta'

export type EventRow = readonly [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  data: string,
  meta: string,
]

export function storedEvent([at, stream, revision, id, type, data, meta]: EventRow): StoredEvent {
  return { id, type, data: JSON.parse(data), meta: JSON.parse(meta), stream, revision, position: positionOf(at) }
}
