// Detects a full disk. SQLite has rolled the transaction back, so nothing is recorded, and a later one may succeed. A
// failed sync is different: nothing can be relied on after it.

import { StoreUnavailable } from '../contract/faults.ts'
import { primaryCode, SQLITE_FULL } from './sqlite-error.ts'

/** The disk is full: a write was rolled back, or the WAL could not be checkpointed to overwrite old bytes. */
export class DiskFull extends StoreUnavailable {
  constructor(path: string, cause: unknown) {
    super(`${path} cannot grow: its disk is full. Free disk space; writes then work again`, cause)
    this.name = 'DiskFull'
  }
}

/** Whether SQLite reports a full disk. */
export const isDiskFull = (error: unknown): boolean => primaryCode(error) === SQLITE_FULL
