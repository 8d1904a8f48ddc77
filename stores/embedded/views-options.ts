// Options of the embedded read models.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/** Cache sizes, instead of the defaults. */
export interface ViewsMemory {
  /** Page cache in KiB. */
  readonly pagesKib?: number
  /** Characters of parsed documents per collection. */
  readonly characters?: number
}

export interface ViewsOptions {
  readonly memory?: ViewsMemory
  /** Ignores which index is the ranking of a view, and keeps it in the file: if another store has the rankings. */
  readonly ranksInFile?: boolean
  /** Called once if a disk failure loses acknowledged writes; the process should stop. */
  readonly onFailure?: (error: Error) => void
  /** Called with the connection, for tests. */
  readonly onOpened?: (db: DatabaseSyncInstance) => void
}
