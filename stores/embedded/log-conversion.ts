// Converts a log of version 0.1, whose table has indexes by stream, game and board. The rows move to a table without
// indexes, a batch in each transaction. If the process is killed, the next start continues.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { DurableDatabase } from './durable-database.ts'
import { EVENT_COLUMNS, LOG_SCHEMA } from './log-schema.ts'

/** Rows of one transaction. */
const BATCH = 5_000

/** The name of the old table while its rows move. */
const OLD_TABLE = 'events_of_0_1'

const RENAME_OLD_TABLE = `
  DROP INDEX IF EXISTS events_of_game;
  DROP INDEX IF EXISTS events_of_board;
  ALTER TABLE events RENAME TO ${OLD_TABLE};
  ${LOG_SCHEMA}
`

/** `onProgress`: called after each batch with the number of events that were moved, of all events of the log. */
export async function convertLog(
  { db, write }: DurableDatabase,
  onProgress: (moved: number, total: number) => void,
): Promise<void> {
  if (hasColumn(db, 'events', 'game')) await write(() => db.exec(RENAME_OLD_TABLE))
  if (!hasColumn(db, OLD_TABLE, 'game')) return
  const move = db.prepare(
    `INSERT INTO events SELECT ${EVENT_COLUMNS} FROM ${OLD_TABLE} ORDER BY position LIMIT ${BATCH}`,
  )
  const remove = db.prepare(`DELETE FROM ${OLD_TABLE} WHERE position <= (SELECT max(position) FROM events)`)
  let [left, moved] = [count(db, OLD_TABLE), count(db, 'events')]
  const total = left + moved
  while (left > 0) {
    const batch = await write(() => {
      move.run()
      return Number(remove.run().changes)
    })
    left -= batch
    moved += batch
    onProgress(moved, total)
  }
  await write(() => db.exec(`DROP TABLE ${OLD_TABLE}`), 'scrub')
}

function count(db: DatabaseSyncInstance, table: string): number {
  const { rows } = db.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { rows: number }
  return rows
}

function hasColumn(db: DatabaseSyncInstance, table: string, column: string): boolean {
  return db.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined
}
