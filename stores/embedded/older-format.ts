// Recognises a file of views in an older format.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { READ_AS_THIS } from './views-schema.ts'

/** Prepares no statement: one would keep the connection alive after it is closed. */
export function isOlder(db: DatabaseSyncInstance): boolean {
  try {
    db.exec(READ_AS_THIS)
    return false
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('no such column')) return true
    throw error
  }
}
