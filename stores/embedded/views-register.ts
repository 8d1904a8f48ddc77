// Which views and collections there are: makes their tables, remakes one whose indexes are declared anew, and drops them.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { CollectionSpec, ViewSpec } from '../contract/views.ts'
import { checkNames, columnNames, createTable, rowValues, type Table, tableOf } from './views-schema.ts'

export interface ViewsRegister {
  views(): string[]
  /** The view's collections by name. */
  tables(view: string): (readonly [string, Table])[]
  prepare(view: ViewSpec): void
  drop(view: string): void
  /** All of it or, where it throws, nothing. */
  inTransaction(work: () => void): void
}

interface Registered {
  readonly number: number
  readonly name: string
  /** JSON of the declared indexes; their order counts. */
  readonly indexes: string
}

export function createViewsRegister(db: DatabaseSyncInstance): ViewsRegister {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const ofView = db.prepare('SELECT number, name, indexes FROM collections WHERE view = ? ORDER BY number')
  const add = db.prepare('INSERT INTO collections (view, name, indexes) VALUES (?, ?, ?)')
  const remove = db.prepare('DELETE FROM collections WHERE number = ?')

  function inTransaction(work: () => void): void {
    begin.run()
    try {
      work()
      commit.run()
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }

  const registered = (view: string) => ofView.all(view) as Registered[]

  function prepare({ key, collections }: ViewSpec): void {
    for (const collection of collections) checkNames(key, collection)
    const present = new Map(registered(key).map((entry) => [entry.name, entry]))
    inTransaction(() => {
      for (const { name, indexes } of collections) {
        const entry = present.get(name)
        if (entry?.indexes === JSON.stringify(indexes)) continue
        // Removed first: a name stands once in the register.
        if (entry !== undefined) remove.run(entry.number)
        const number = Number(add.run(key, name, JSON.stringify(indexes)).lastInsertRowid)
        createTable(db, number, indexes)
        if (entry !== undefined) move(entry, number, indexes)
      }
    })
  }

  function move(from: Registered, number: number, indexes: CollectionSpec['indexes']): void {
    const target = tableOf(number, indexes)
    const columns = columnNames(target)
    const marks = columns.map(() => '?').join(', ')
    const insert = db.prepare(`INSERT INTO ${target.name} (${columns.join(', ')}) VALUES (${marks})`)
    const rows = db.prepare(`SELECT id, pos, document FROM "c${from.number}"`).iterate()
    for (const { id, pos, document } of rows as Iterable<{ id: string; pos: string; document: string | null }>) {
      const body = document === null ? null : JSON.parse(document)[2]
      insert.run(...rowValues(target, { id, pos, body }))
    }
    db.exec(`DROP TABLE "c${from.number}"`)
  }

  function drop(view: string): void {
    inTransaction(() => {
      for (const { number } of registered(view)) {
        db.exec(`DROP TABLE "c${number}"`)
        remove.run(number)
      }
      db.prepare('DELETE FROM checkpoints WHERE view = ?').run(view)
    })
  }

  return {
    views: () =>
      (db.prepare('SELECT DISTINCT view FROM collections ORDER BY view').all() as { view: string }[]).map(
        ({ view }) => view,
      ),
    tables: (view) =>
      registered(view).map(({ number, name, indexes }) => [name, tableOf(number, JSON.parse(indexes))] as const),
    prepare,
    drop,
    inTransaction,
  }
}
