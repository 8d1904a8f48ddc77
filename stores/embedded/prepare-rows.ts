// Statements whose rows come as arrays of their columns' values: an object for each row costs more.

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'

export function prepareRows(db: DatabaseSyncInstance, sql: string): StatementSyncInstance {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}
