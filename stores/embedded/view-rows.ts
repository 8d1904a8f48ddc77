// Writes the rows of one collection inside the caller's transaction. SQLite writes every index that has a column which
// an UPDATE names, so that each set of changed columns has an UPDATE of its own.

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { Write } from '../contract/views.ts'
import { prepareRows } from './prepare-rows.ts'
import { decodePosition, encodePosition } from './stored-values.ts'
import type { Table } from './views-schema.ts'

/** A write with its row. */
export interface ReadyWrite extends Write {
  /** The document without its indexed fields; null if it is deleted. */
  readonly text: string | null
  /** The indexed fields, as they are stored. */
  readonly values: readonly (string | number)[]
}

/** Characters of the row. */
export const lengthOf = ({ id, pos, text, values }: ReadyWrite): number =>
  values.reduce<number>((sum, value) => sum + String(value).length, id.length + pos.length + (text?.length ?? 0))

/** What a write changed in a table with indexes in memory. */
export interface RowChange {
  readonly row: number
  /** The table's fields as they are stored; null if there was no row. */
  readonly before: readonly (string | number)[] | null
  readonly after: readonly (string | number)[]
}

/** Null if the row is not older. `change` is null in a table without indexes in memory. */
type WriteRow = (ready: ReadyWrite) => { readonly change: RowChange | null } | null

/** With more fields, an UPDATE names all of them: each set of them would be a statement. */
const MAX_FIELDS = 8

export function openRows(db: DatabaseSyncInstance, table: Table): WriteRow {
  const { name, key } = table
  const columns = table.columns.map((column) => column.name)
  const asked = columns.map((column, at) => `(${column} IS NOT ?) * ${2 ** at}`)
  const isRanked = table.ranking !== null
  const selected = [key, 'pos', asked.join(' + ') || '0', ...(isRanked ? columns : [])]
  const select = prepareRows(db, `SELECT ${selected.join(', ')} FROM ${name} WHERE id = ?`)
  const all = ['id', 'pos', 'document', ...columns]
  const insert = db.prepare(`INSERT INTO ${name} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})`)
  const updates = new Map<number, StatementSyncInstance>()

  /** `changed`: a bit for each field. */
  function updateOf(changed: number): StatementSyncInstance {
    const known = updates.get(changed)
    if (known !== undefined) return known
    const set = ['pos', 'document', ...changedOf(columns, changed)].map((column) => `${column} = ?`)
    const update = db.prepare(`UPDATE ${name} SET ${set.join(', ')} WHERE ${key} = ?`)
    updates.set(changed, update)
    return update
  }

  return ({ id, pos, text, values }) => {
    const found: readonly [string | number, string | number, number, ...(string | number)[]] | undefined = select.get(
      ...values,
      id,
    )
    const stored = encodePosition(pos)
    if (found === undefined) {
      const { lastInsertRowid } = insert.run(id, stored, text, ...values)
      return { change: isRanked ? { row: Number(lastInsertRowid), before: null, after: values } : null }
    }
    const [own, position, changed, ...before] = found
    if (decodePosition(position) >= pos) return null
    const named = columns.length > MAX_FIELDS ? 2 ** columns.length - 1 : changed
    updateOf(named).run(stored, text, ...changedOf(values, named), own)
    return { change: isRanked ? { row: Number(own), before, after: values } : null }
  }
}

const changedOf = <Item>(items: readonly Item[], changed: number): Item[] =>
  items.filter((_, at) => Math.floor(changed / 2 ** at) % 2 === 1)
