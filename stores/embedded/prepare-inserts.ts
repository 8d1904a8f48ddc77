// Inserts many rows by few statements: a statement of one row costs two to four times as much per row, most of it for
// the call of SQLite.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'

type Value = string | number

/** Rows of one statement: the largest number that is left, so that any number of rows takes few statements. */
const ROWS = [64, 8, 1]

/**
 * Inserts rows in their order. `values`: those of the first row, then those of the next one, and so on. `columns`: how
 * many a row has. `insert`: the SQL before VALUES.
 */
export function prepareInserts(
  db: DatabaseSyncInstance,
  insert: string,
  columns: number,
): (values: readonly Value[]) => void {
  const row = `(${Array(columns).fill('?').join(', ')})`
  const statements = ROWS.map((rows) => ({
    length: rows * columns,
    statement: db.prepare(`${insert} VALUES ${Array(rows).fill(row).join(', ')}`),
  }))
  return (values) => {
    let at = 0
    for (const { length, statement } of statements) {
      for (; at + length <= values.length; at += length) statement.run(...values.slice(at, at + length))
    }
  }
}
