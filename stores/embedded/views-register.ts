// The register of views and collections: creates their tables, rebuilds a table whose indexes changed, and drops
// them.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { ViewSpec } from '../contract/views.ts'
import { prepareRows } from './prepare-rows.ts'
import { openRowCodec } from './row-codec.ts'
import { decodePosition } from './stored-values.ts'
import { openTransactions } from './transactions.ts'
import { openRows } from './view-rows.ts'
import {
  checkSpec,
  createTable,
  type Declared,
  declaredOf,
  isInMemory,
  prepareAddText,
  rowText,
  type Table,
  tableOf,
} from './views-schema.ts'

export interface ViewsRegister {
  views(): string[]
  /** The view's collections by name. */
  tables(view: string): (readonly [string, Table])[]
  prepare(view: ViewSpec): void
  /** Removes the view. Its rows are deleted by the steps of `clearing`. */
  retire(view: string): void
  /** Deletes the rows of retired views in atomic steps; after a crash the next start continues. */
  clearing(): Generator<void>
}

/** Replaces the key of a retired view in the register. It is not a valid key. */
const RETIRED = 'retired'
const ROWS = 500

interface Registered {
  readonly number: number
  readonly name: string
  /** JSON of `Declared`; the order of the indexes is significant. */
  readonly spec: string
}

/** `ranksInFile`: as for `ViewsOptions`. */
export function createViewsRegister(db: DatabaseSyncInstance, ranksInFile: boolean): ViewsRegister {
  const { run: inTransaction } = openTransactions(db)
  const ofView = db.prepare('SELECT number, name, spec FROM collections WHERE view = ? ORDER BY number')
  const add = db.prepare('INSERT INTO collections (view, name, spec) VALUES (?, ?, ?)')
  const remove = db.prepare('DELETE FROM collections WHERE number = ?')

  const registered = (view: string) => ofView.all(view) as Registered[]

  function prepare({ key, collections }: ViewSpec): void {
    for (const collection of collections) checkSpec(key, collection)
    const present = new Map(registered(key).map((entry) => [entry.name, entry]))
    inTransaction(() => {
      for (const collection of collections) {
        const { name } = collection
        const declared = declaredOf(collection, { ranksInFile })
        const entry = present.get(name)
        if (entry !== undefined && keepTable(db, entry, declared)) continue
        // Remove it first, because names are unique in the register.
        if (entry !== undefined) remove.run(entry.number)
        const number = Number(add.run(key, name, JSON.stringify(declared)).lastInsertRowid)
        createTable(db, number, declared)
        if (entry !== undefined) move(db, tableOf(entry.number, JSON.parse(entry.spec)), tableOf(number, declared))
      }
    })
  }

  function retire(view: string): void {
    inTransaction(() => {
      // Use the numbers, because a view of the same key may be prepared and retired again.
      db.prepare(`UPDATE collections SET name = number, view = '${RETIRED}' WHERE view = ?`).run(view)
      db.prepare('DELETE FROM reached WHERE view = ?').run(view)
    })
  }

  function* clearing(): Generator<void> {
    for (const { number, spec } of registered(RETIRED)) {
      for (const _ of droppingIndexes(db, number)) yield
      for (const _ of emptying(db, tableOf(number, JSON.parse(spec)))) yield
      inTransaction(() => {
        dropTable(db, number)
        remove.run(number)
      })
      yield
    }
  }

  return {
    views: () =>
      (db.prepare('SELECT DISTINCT view FROM collections ORDER BY view').all() as { view: string }[])
        .map(({ view }) => view)
        .filter((view) => view !== RETIRED),
    tables: (view) =>
      registered(view).map(({ number, name, spec }) => [name, tableOf(number, JSON.parse(spec))] as const),
    prepare,
    retire,
    clearing,
  }
}

/** Whether the table can stay: its spec differs at most in which indexes are in memory. Removes those from the file. */
function keepTable(db: DatabaseSyncInstance, { number, spec }: Registered, declared: Declared): boolean {
  if (spec === JSON.stringify(declared)) return true
  if (specInFile(JSON.parse(spec)) !== specInFile(declared)) return false
  db.prepare('UPDATE collections SET spec = ? WHERE number = ?').run(JSON.stringify(declared), number)
  const table = tableOf(number, declared)
  for (const [index, { name }] of table.indexes) {
    if (isInMemory(table, index)) db.exec(`DROP INDEX IF EXISTS "${name}"`)
  }
  return true
}

const specInFile = ({ ranking, ...declared }: Declared): string => JSON.stringify(declared)

/** Moves all rows of a collection into its new table, inside the caller's transaction. */
function move(db: DatabaseSyncInstance, from: Table, target: Table): void {
  const before = openRowCodec(db, from, () => {})
  // It may add texts inside this transaction, because it is not used after a rollback.
  const after = openRowCodec(db, target, prepareAddText(db))
  const rows = prepareRows(db, `SELECT id, pos, ${rowText(from)} FROM ${from.name} ORDER BY ${from.key}`)
  const writeRow = openRows(db, target)
  for (const row of rows.iterate()) {
    const [id, pos, text] = row as unknown as readonly [string, string | number, string | null]
    const body = (text === null ? undefined : before.decode(text)[0]?.body) ?? null
    writeRow(after.encode({ collection: '', id, pos: decodePosition(pos), body }))
  }
  dropTable(db, from.number)
}

function dropTable(db: DatabaseSyncInstance, number: number): void {
  const texts = ['shapes', 'terms'].map((table) => `DELETE FROM ${table} WHERE collection = ${number}`)
  db.exec(`DROP TABLE "c${number}"; ${texts.join('; ')}`)
}

/** Drops one index of a collection's table at each step. */
function* droppingIndexes(db: DatabaseSyncInstance, number: number): Generator<void> {
  const indexNames = db.prepare(
    "SELECT name FROM sqlite_schema WHERE tbl_name = ? AND type = 'index' AND sql IS NOT NULL",
  )
  for (const { name } of indexNames.all(`c${number}`) as { name: string }[]) {
    db.exec(`DROP INDEX "${name}"`)
    yield
  }
}

/** Deletes rows in table order, so that neighbours share a page. */
function* emptying(db: DatabaseSyncInstance, { name, key }: Table): Generator<void> {
  const lastOfStep = prepareRows(db, `SELECT ${key} FROM ${name} ORDER BY ${key} LIMIT 1 OFFSET ${ROWS - 1}`)
  const deleteUpTo = db.prepare(`DELETE FROM ${name} WHERE ${key} <= ?`)
  // The remaining rows are dropped with the table.
  for (;;) {
    const row: readonly [string | number] | undefined = lastOfStep.get()
    if (row === undefined) return
    // In a damaged table the rows may be out of order.
    if (Number(deleteUpTo.run(row[0]).changes) === 0) return
    yield
  }
}
