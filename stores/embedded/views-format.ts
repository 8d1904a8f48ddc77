// The format of the file of views: how this version recognises a file of an older one, and how older ones refuse this
// file.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/**
 * Older versions keep their checkpoints in a table `checkpoints` or `view_checkpoints`. In this format these are views
 * that cannot be read, so that they refuse the file at start; their error contains this text. The checkpoints are in
 * `reached`.
 */
export const TO_OLDER_VERSIONS =
  'a newer version wrote this file. Start that version, or remove views.sqlite: the views are then rebuilt from the log'
/** SQL that fails in a file of an older version: it has no column of this name. A new format needs another name. */
const READ_AS_THIS = 'SELECT format FROM collections LIMIT 0'

/** Whether the file has an older format. Prepares no statement: one would keep the closed connection alive. */
export function isOlder(db: DatabaseSyncInstance): boolean {
  try {
    db.exec(READ_AS_THIS)
    return false
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('no such column')) return true
    throw error
  }
}
