// Maps SQLite files into memory as long as the system can cache all that is read at random places.

import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/** The files of a data folder that are read at random places. */
const FILES = ['log.sqlite', 'log-index.sqlite', 'views.sqlite']

/** SQLite's maximum. It reads the rest of a larger file through its page cache. */
const MAX_MAPPED_BYTES = 2 ** 31 - 2 ** 16

/**
 * Maps the file into memory while the files of its folder have at most `mappableBytes` together. A page that is not in
 * the WAL is then read where the system has cached it, without a call and a copy. A page that is not cached costs far
 * more than by a call: the system reads its neighbours, too, and drops other pages for them.
 *
 * Returns a check to call when files may have grown. Only for a file that can be built again: if the disk cannot read a
 * page, the system ends the process with SIGBUS, without an error text.
 */
export function mapWhileCached(
  db: DatabaseSyncInstance,
  path: string,
  mappableBytes = Number.POSITIVE_INFINITY,
): () => void {
  const paths = FILES.map((name) => join(dirname(path), name))
  const check = () => {
    const bytes = paths.reduce((sum, one) => sum + (statSync(one, { throwIfNoEntry: false })?.size ?? 0), 0)
    db.exec(`PRAGMA mmap_size=${bytes <= mappableBytes ? MAX_MAPPED_BYTES : 0}`)
  }
  check()
  return check
}
