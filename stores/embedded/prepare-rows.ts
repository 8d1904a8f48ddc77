// Prepares statements that return rows as arrays of column values, which is cheaper than an object per row; and the writes of
// texts that rows refer to by number.

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'

export function prepareRows(db: DatabaseSyncInstance, sql: string): StatementSyncInstance {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}

/**
 * Writes a new text of a collection, with its number: a shape of documents or a term. The rows that use it are written later, and
 * committed with it or after it.
 */
export type Keep = (table: 'shapes' | 'terms', collection: number, number: number, text: string) => void

export function prepareKeep(db: DatabaseSyncInstance): Keep {
  const inserts = {
    shapes: db.prepare('INSERT INTO shapes (collection, number, shape) VALUES (?, ?, ?)'),
    terms: db.prepare('INSERT INTO terms (collection, number, text) VALUES (?, ?, ?)'),
  }
  return (table, ...text) => inserts[table].run(...text)
}
