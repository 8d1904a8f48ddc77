// The index by rank of one collection: made from its table, then changed by each write of the table. While it is made, other work
// runs, and the table may be written.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { JsonObject } from '../../domain/event.ts'
import { yieldToEventLoop } from '../../scheduling/yield-to-event-loop.ts'
import { isPlain } from '../support/storable.ts'
import { type Column, inIndex } from './column.ts'
import { prepareRows } from './prepare-rows.ts'
import { RankIndex } from './rank-index.ts'
import type { ViewColumns } from './view-columns.ts'
import type { RowChange } from './view-rows.ts'
import type { Table, TableRanking } from './views-schema.ts'

/** `SortedBlocks` takes 512 characters: a member, a separator and the number of its row. */
const MAX_MEMBER_LENGTH = 400
/** Rows that are read at once, in about 10 milliseconds. */
const PAGE = 3_000

export interface TableRankIndex {
  /** Null until it is made. */
  readonly made: RankIndex | null
  /** Reads the whole table, and yields to the event loop after each page. O(n log n). */
  make(): Promise<void>
  /** Applies a change of a row, in the order of the writes, after the write has succeeded; its transaction may still be open. */
  change(change: RowChange): void
  /** Throws a TypeError for a document that cannot be ranked. */
  check(body: JsonObject | null): void
}

type RankedRow = readonly [key: string | number, member: string, row: number]

/** `unreadable`: reports that a row cannot be what was written, and returns the error to throw. Null if the table has no ranking. */
export function openRankIndex(
  db: DatabaseSyncInstance,
  table: Table,
  columns: ViewColumns,
  unreadable: (cause?: unknown) => Error,
): TableRankIndex | null {
  const { ranking } = table
  if (ranking === null) return null
  let index: RankIndex | null = null
  let isMade = false
  let reading: Promise<void> | null = null
  const [keyAt, memberAt] = ranking.fields.map((field) => table.fields.indexOf(field)) as [number, number]

  async function readTable(): Promise<void> {
    const [keys, members] = [keyAt, memberAt].map((at) => table.columns[at]) as [Column, Column]
    const ranked = `FROM ${table.name} WHERE n > ? AND ${inIndex(keys)}`
    const page = prepareRows(db, `SELECT ${keys.name}, ${members.name}, n ${ranked} ORDER BY n LIMIT ${PAGE}`)
    const making = new RankIndex()
    index = making
    for (let reached = 0; ; await yieldToEventLoop()) {
      const rows = page.all(reached) as unknown as readonly RankedRow[]
      reached = addAll(making, rows, { after: reached, unreadable, keyOf: (stored) => columns.value(keyAt, stored) })
      if (rows.length < PAGE) break
    }
    isMade = true
  }

  function change({ row, before, after }: RowChange): void {
    index?.noteChange(row)
    if (index === null || (before?.[keyAt] === after[keyAt] && before?.[memberAt] === after[memberAt])) return
    const [oldKey, newKey] = [keyOf(before), keyOf(after)]
    if (typeof oldKey === 'string') index.remove(oldKey, String(before?.[memberAt]), row)
    if (typeof newKey === 'string') index.add(newKey, String(after[memberAt]), row)
  }

  const keyOf = (values: RowChange['before']) => {
    const stored = values?.[keyAt]
    return stored === undefined ? undefined : columns.value(keyAt, stored)
  }

  return {
    get made() {
      return isMade ? index : null
    },
    make() {
      reading ??= readTable().catch((error: unknown) => {
        reading = null
        throw error
      })
      return reading
    },
    change,
    check: (body) => check(ranking, body),
  }
}

interface Adding {
  readonly after: number
  readonly keyOf: (stored: string | number) => string | number
  readonly unreadable: (cause: unknown) => Error
}

/** Returns the number of the last row. In a damaged table the rows may be out of order, and the loop over pages would never end. */
function addAll(index: RankIndex, rows: readonly RankedRow[], { after, keyOf, unreadable }: Adding): number {
  let last = after
  try {
    for (const [stored, member, row] of rows) {
      if (row <= last) throw new RangeError('rows are not in order')
      last = row
      index.add(String(keyOf(stored)), member, row)
    }
  } catch (error) {
    throw unreadable(error)
  }
  return last
}

function check({ index, fields: [key, member] }: TableRanking, body: JsonObject | null): void {
  const [first = null, second = null] = [body?.[key], body?.[member]]
  if (first === null) return
  if (typeof first !== 'string' || !isPlain(second) || second.length > MAX_MEMBER_LENGTH)
    throw new TypeError(
      `For index ${index}, ${key} must be a text or null, and ${member} at most ${MAX_MEMBER_LENGTH} printable ASCII characters`,
    )
}
