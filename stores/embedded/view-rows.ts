// Writes the rows of one collection inside the caller's transaction. SQLite writes every index that has a column which
// an UPDATE names, so that each set of changed columns has an UPDATE of its own.

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { Position } from '../../domain/event.ts'
import type { Write } from '../contract/views.ts'
import { prepareRows } from './prepare-rows.ts'
import { decodePosition, encodePosition } from './stored-values.ts'
import type { Table } from './views-schema.ts'

type Value = string | number

/** A write with its row. */
export interface ReadyWrite extends Write {
  /** The document without its indexed fields; null if it is deleted. */
  readonly text: string | null
  /** The indexed fields, as they are stored. */
  readonly values: readonly Value[]
}

/** Characters of the row. */
export const lengthOf = ({ id, pos, text, values }: ReadyWrite): number =>
  values.reduce<number>((sum, value) => sum + String(value).length, id.length + pos.length + (text?.length ?? 0))

/** What a write changed in a table with indexes in memory. */
export interface RowChange {
  readonly row: number
  /** The table's fields as they are stored; null if there was no row. */
  readonly before: readonly Value[] | null
  readonly after: readonly Value[]
}

/** A row of a table with indexes in memory, as it was last written: it is so while it has this position. */
export interface KnownRow {
  readonly row: number
  readonly pos: Position
  /** The table's fields as they are stored. */
  readonly values: readonly Value[]
}

/**
 * `known`: the row as it may be still. Returns null if the row is not older. `change` is null in a table without
 * indexes in memory.
 */
type WriteRow = (ready: ReadyWrite, known?: KnownRow | null) => { readonly change: RowChange | null } | null

/** Sets of changed fields with a statement of their own. Few occur; for any other set an UPDATE names all fields. */
const MAX_UPDATES = 64

export function openRows(db: DatabaseSyncInstance, table: Table): WriteRow {
  const { name, key } = table
  const columns = table.columns.map((column) => column.name)
  const asked = columns.map((column, at) => `(${column} IS NOT ?) * ${2 ** at}`)
  const isRanked = table.ranking !== null
  const selected = [key, 'pos', asked.join(' + ') || '0', ...(isRanked ? columns : [])]
  const select = prepareRows(db, `SELECT ${selected.join(', ')} FROM ${name} WHERE id = ?`)
  const inserted = ['id', 'pos', 'document', ...columns]
  const insert = db.prepare(
    `INSERT INTO ${name} (${inserted.join(', ')}) VALUES (${inserted.map(() => '?').join(', ')})`,
  )
  const updates = new Map<number, StatementSyncInstance>()
  const all = 2 ** columns.length - 1

  /** Returns how many rows have changed. `changed`: a bit for each field. */
  function update({ pos, text, values }: ReadyWrite, changed: number, own: Value, before: Value): number {
    const named = updates.has(changed) || updates.size < MAX_UPDATES ? changed : all
    const statement = updates.get(named) ?? prepareUpdate(named)
    updates.set(named, statement)
    return Number(statement.run(encodePosition(pos), text, ...changedOf(values, named), own, before).changes)
  }

  function prepareUpdate(named: number): StatementSyncInstance {
    const set = ['pos', 'document', ...changedOf(columns, named)].map((column) => `${column} = ?`)
    return db.prepare(`UPDATE ${name} SET ${set.join(', ')} WHERE ${key} = ? AND pos = ?`)
  }

  /** Without reading the row. Null if it is not as it is known. */
  function updateKnown(
    ready: ReadyWrite,
    { row, pos, values: before }: KnownRow,
  ): { readonly change: RowChange } | null {
    if (pos >= ready.pos) return null
    const { values } = ready
    const isDone = update(ready, bitsOf(values, before), row, encodePosition(pos)) > 0
    return isDone ? { change: { row, before, after: values } } : null
  }

  return (ready, known = null) => {
    const updated = known === null ? null : updateKnown(ready, known)
    if (updated !== null) return updated
    const { id, pos, text, values } = ready
    const found: readonly [Value, Value, number, ...Value[]] | undefined = select.get(...values, id)
    if (found === undefined) {
      const { lastInsertRowid } = insert.run(id, encodePosition(pos), text, ...values)
      return { change: isRanked ? { row: Number(lastInsertRowid), before: null, after: values } : null }
    }
    const [own, position, changed, ...before] = found
    if (decodePosition(position) >= pos) return null
    update(ready, changed, own, position)
    return { change: isRanked ? { row: Number(own), before, after: values } : null }
  }
}

const changedOf = <Item>(items: readonly Item[], changed: number): Item[] =>
  items.filter((_, at) => Math.floor(changed / 2 ** at) % 2 === 1)

/** A bit for each field that differs. */
function bitsOf(values: readonly unknown[], before: readonly unknown[]): number {
  let bits = 0
  for (let at = 0; at < values.length; at++) if (values[at] !== before[at]) bits += 2 ** at
  return bits
}
