// Options of the embedded read models.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/** What is held in memory, where it is not the usual amount. */
export interface ViewsMemory {
  /** Kibibytes of pages. */
  readonly pagesKib?: number
  /** Documents of each collection, parsed. */
  readonly documents?: number
}

export interface ViewsOptions {
  readonly memory?: ViewsMemory
  /** Called once when the disk fails in a way that loses acknowledged writes: the process should stop. */
  readonly onFailure?: (error: Error) => void
  /** Called with the connection, for tests. */
  readonly onOpened?: (db: DatabaseSyncInstance) => void
}
