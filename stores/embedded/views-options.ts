// Options of the embedded read models.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Sync } from './write-ahead.ts'

export interface ViewsOptions {
  /** Maximum characters of cached documents in one collection, as for `MAX_CACHED_CHARACTERS`. */
  readonly documentCharacters?: number | undefined
  /**
   * The files are mapped into memory while the SQLite files of their folder have at most these bytes together. Default:
   * no limit.
   */
  readonly mappableBytes?: number | undefined
  /**
   * Keeps all indexes in the file, those too that a view declares as its `ranking`: if another store has the rankings.
   */
  readonly ranksInFile?: boolean
  /** A file that no later process opens has no checksums. */
  readonly isTemporary?: true
  /** Called once if a disk failure loses acknowledged writes; the process should stop. */
  readonly onFailure?: (error: Error) => void
  /** Instead of fdatasync, for tests. */
  readonly sync?: Sync
  /** Called with the connection, for tests. */
  readonly onOpened?: (db: DatabaseSyncInstance) => void
}
