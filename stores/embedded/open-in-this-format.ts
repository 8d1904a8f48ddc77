// Opens the file of the views, or creates it in place of one in an older format.

import { rmSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { openExclusive } from './exclusive-database.ts'
import { READ_AS_THIS, VIEWS_SCHEMA } from './views-schema.ts'

/** Opens or creates the file. A file in an older format is removed: its views are built from the log. */
export function openInThisFormat(path: string): DatabaseSyncInstance {
  const db = openExclusive(path, VIEWS_SCHEMA)
  if (!isOlder(db)) return db
  db.close()
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
  return openExclusive(path, VIEWS_SCHEMA)
}

/** Without a prepared statement: one would keep the closed connection alive, which later removes the WAL of the new file. */
function isOlder(db: DatabaseSyncInstance): boolean {
  try {
    db.exec(READ_AS_THIS)
    return false
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('no such column')) return true
    throw error
  }
}
