// A log as version 0.1 wrote it: with indexes, without `secure_delete`, and without a record of what was written in
// clear.

import { DatabaseSync } from '@photostructure/sqlite'
import type { NewEvent } from '../../domain/event.ts'

/** The schema of version 0.1, which it executes at each start. */
export const SCHEMA_OF_0_1 = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL,
    type TEXT NOT NULL, data TEXT NOT NULL, meta TEXT NOT NULL, game TEXT, board TEXT, UNIQUE (stream, revision)
  );
  CREATE INDEX IF NOT EXISTS events_of_game ON events (game, position) WHERE game IS NOT NULL;
  CREATE INDEX IF NOT EXISTS events_of_board ON events (board, position) WHERE board IS NOT NULL;
`

/** Writes events to streams `s-1`, `s-2`, … in turn. */
export function writeOldLog(path: string, events: readonly NewEvent[], streams: number): void {
  const db = new DatabaseSync(path)
  db.exec(`${SCHEMA_OF_0_1} BEGIN`)
  const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const [nth, { id, type, data, meta }] of events.entries()) {
    const event = [id, type, JSON.stringify(data), JSON.stringify(meta), meta.game, meta.board ?? null]
    insert.run(nth + 1, `s-${(nth % streams) + 1}`, Math.floor(nth / streams), ...event)
  }
  db.exec('COMMIT')
  db.close()
}
