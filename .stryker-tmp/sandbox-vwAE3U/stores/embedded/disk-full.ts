// Detects a full disk. SQLite has rolled the transaction back, so nothing is recorded, and a later one may succeed. A
// failed sync is different: nothing can be relied on after it.

import { StoreUnavailable } from '../contract/faults.ts'

const SQLITE_FULL = 13
/** An extended error code holds the primary one in its lowest byte. */
const PRIMARY_CODE = 0xff

/** No room: a write was rolled back whole, or what was to be overwritten could not be folded from the WAL. */
export class DiskFull extends StoreUnavailable {
  constructor(path: string, cause: unknown) {
    super(`${path} cannot grow: its disk is full. Make room, and writes go on`, cause)
    this.name = 'DiskFull'
  }
}

/** Whether SQLite reports that there is no room for more pages. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false
  return typeof error.errcode === 'number' && (error.errcode & PRIMARY_CODE) === SQLITE_FULL
}
