// Result codes of SQLite's errors: https://www.sqlite.org/rescode.html.

import { StoreUnavailable } from '../contract/faults.ts'

export const SQLITE_ERROR = 1
export const SQLITE_PERM = 3
export const SQLITE_BUSY = 5
export const SQLITE_READONLY = 8
export const SQLITE_CORRUPT = 11
export const SQLITE_FULL = 13
export const SQLITE_CANTOPEN = 14
export const SQLITE_CONSTRAINT = 19
export const SQLITE_NOTADB = 26

/** An extended code has the primary one in its lowest byte. */
const PRIMARY_CODE = 0xff

/** The extended code; null for another error. The binding reports none if a query of several rows fails. */
export function extendedCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null
  return error.errcode
}

/** The primary code; null as for `extendedCode`. */
export function primaryCode(error: unknown): number | null {
  const code = extendedCode(error)
  return code === null ? null : code & PRIMARY_CODE
}

// Detects a full disk. SQLite has rolled the transaction back, so nothing is recorded, and a later one may succeed. A
// failed sync is different: nothing can be relied on after it.

/** The disk is full: a write was rolled back, or the WAL could not be checkpointed to overwrite old bytes. */
export class DiskFull extends StoreUnavailable {
  constructor(path: string, cause: unknown) {
    super(`${path} cannot grow: its disk is full. Free disk space; writes then work again`, cause)
    this.name = 'DiskFull'
  }
}

export const isDiskFull = (error: unknown): boolean => primaryCode(error) === SQLITE_FULL
