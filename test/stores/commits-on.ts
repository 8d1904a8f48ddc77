// Lets a database fail to COMMIT, as on a full disk.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'

interface Disk {
  isFull: boolean
  /** Tried ones. */
  commits: number
}

/** Statements that are prepared from now on commit to this disk. */
export function commitsOn(db: DatabaseSyncInstance, disk: Disk): void {
  const prepare = db.prepare.bind(db)
  const value = (sql: string) => {
    const statement = prepare(sql)
    if (sql !== 'COMMIT') return statement
    const run = () => {
      disk.commits += 1
      if (!disk.isFull) return statement.run()
      // SQLite rolls back itself.
      db.exec('ROLLBACK')
      throw Object.assign(new Error('the disk is full'), { errcode: 13 })
    }
    return { run }
  }
  Object.defineProperty(db, 'prepare', { value })
}
