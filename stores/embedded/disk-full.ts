// Detects a full disk. SQLite has rolled the transaction back, so nothing is recorded, and a later one may succeed. A
// failed sync is different: nothing can be relied on after it.

import { StoreUnavailable } from '../contract/faults.ts'

const SQLITE_FULL = 13
/** An extended error code holds the primary one in its lowest byte. */
const PRIMARY_CODE = 0xff

/** The disk is full: a write was rolled back, or the WAL could not be checkpointed to overwrite old bytes. */
export class DiskFull extends StoreUnavailable {
  constructor(path: string, cause: unknown) {
    super(`${path} cannot grow: its disk is full. Free disk space; writes then work again`, cause)
    this.name = 'DiskFull'
  }
}

/** Whether SQLite reports a full disk. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false
  return typeof error.errcode === 'number' && (error.errcode & PRIMARY_CODE) === SQLITE_FULL
}
