// Prepares statements that return rows as arrays of column values, which is cheaper than an object per row.

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'

export function prepareRows(db: DatabaseSyncInstance, sql: string): StatementSyncInstance {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}
