// Detects a file that SQLite cannot read.

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26
/** An extended error code has the primary one in its lowest byte. */
const PRIMARY_CODE = 0xff
/** SQLite's texts of these codes. The binding reports no code for a query that returns several rows. */
const TEXTS = ['database disk image is malformed', 'file is not a database']

/** Whether SQLite reports that the file is damaged, or is no database. */
export function isDamaged(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (!('errcode' in error) || typeof error.errcode !== 'number') return TEXTS.includes(error.message)
  const code = error.errcode & PRIMARY_CODE
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB
}
