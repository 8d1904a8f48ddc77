// The indexes of one collection that are in memory, by rank and by time: made from its table, then changed by each
// write of the table. While they are made, other work runs, and the table may be written.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { JsonObject } from '../../domain/event.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import type { Document, Find } from '../contract/views.ts'
import { isPlain } from '../support/storable.ts'
import { type Column, inIndex } from './column.ts'
import type { ColumnCodec } from './column-codec.ts'
import { prepareRows } from './prepare-rows.ts'
import { RankIndex } from './rank-index.ts'
import { TimeIndex } from './time-index.ts'
import type { RowChange } from './view-rows.ts'
import { checked } from './views-query.ts'
import type { Table, TableRanking } from './views-schema.ts'

/** `SortedBlocks` takes 512 characters: a sort key, a separator and the number of its row. */
const MAX_SORT_KEY_LENGTH = 400
/** Rows that are read at once, in about 10 milliseconds. */
const PAGE = 3_000

export interface MemoryIndexes {
  /** Null until they are made. */
  made(): Indexes | null
  /** Reads the whole table, and yields to the event loop after each page. O(n log n). */
  make(): Promise<void>
  /** What a query finds; null if its index is in the file, or is not made yet. Throws as the index does. */
  find(query: Find): Document[] | null
  /** As `find`, for `count` of `Views`. */
  count(query: Find): number | null
  /**
   * Applies a change of a row, in the order of the writes, after the write has succeeded; its transaction may still be
   * open.
   */
  change(change: RowChange): void
  /** Throws a TypeError for a document that cannot be ranked. */
  check(body: JsonObject | null): void
}

interface Indexes {
  readonly rank: RankIndex
  /** Null if none is declared. */
  readonly time: TimeIndex | null
}

interface MemoryIndexesOptions {
  readonly codec: ColumnCodec
  /** The documents of these rows, in order. */
  readonly inRows: (rows: readonly number[]) => Document[]
  /** Reports that a row cannot be what was written, and returns the error to throw. */
  readonly unreadable: (cause?: unknown) => Error
}

type Value = string | number
type Values = readonly Value[]

/** Null if the table has no ranking. */
export function openMemoryIndexes(
  db: DatabaseSyncInstance,
  table: Table,
  { codec, inRows, unreadable }: MemoryIndexesOptions,
): MemoryIndexes | null {
  const { ranking } = table
  if (ranking === null) return null
  /** Changes apply to them while they are made, too. */
  let indexes: Indexes | null = null
  let isMade = false
  let reading: Promise<void> | null = null
  const fields = fieldsOf(table, ranking)
  const put = putOf(fields, codec)
  const made = () => (isMade ? indexes : null)

  function create(): Indexes {
    const { time, sortKey } = fields
    return {
      rank: new RankIndex(),
      time: time === null ? null : new TimeIndex({ time: time.column, sortKey: sortKey.column, codec, inRows }),
    }
  }

  async function readTable(): Promise<void> {
    const making = create()
    indexes = making
    const visit: Visit = (row, values) => put(making, row, null, values)
    for (const _ of readRows(db, table, { fields, visit, unreadable })) await yieldToEventLoop()
    isMade = true
  }

  return {
    made,
    make() {
      reading ??= readTable().catch((error: unknown) => {
        reading = null
        throw error
      })
      return reading
    },
    find(query) {
      if (query.index === ranking.index) {
        const rows = made()?.rank.find(checked(query))
        return rows === undefined ? null : inRows(rows)
      }
      const isDescending = ranking.byTime.get(query.index)
      return isDescending === undefined ? null : (made()?.time?.find(checked(query), isDescending) ?? null)
    },
    count(query) {
      if (query.index === ranking.index) return made()?.rank.count(checked(query)) ?? null
      const isDescending = ranking.byTime.get(query.index)
      return isDescending === undefined ? null : (made()?.time?.count(checked(query), isDescending) ?? null)
    },
    change({ row, before, after }) {
      indexes?.rank.noteChange(row)
      if (indexes !== null) put(indexes, row, before, after)
    },
    check: (body) => check(ranking, body),
  }
}

type Visit = (row: number, values: Values) => void

interface Reading {
  readonly fields: RankedFields
  readonly visit: Visit
  readonly unreadable: MemoryIndexesOptions['unreadable']
}

type ReadRow = readonly [row: number, key: Value, sortKey: Value, time: Value]

/** Visits the ranked rows of a table with the values of these fields, a page at each step. */
function* readRows(db: DatabaseSyncInstance, table: Table, { fields, visit, unreadable }: Reading): Generator<void> {
  const { key, sortKey, time } = fields
  const columns = [key, sortKey, time ?? key].map(({ column }) => column.name).join(', ')
  const ranked = `FROM ${table.name} WHERE n > ? AND ${inIndex(key.column)}`
  const found = `SELECT json_array(n, ${columns}) AS found ${ranked} ORDER BY n LIMIT ${PAGE}`
  // One value from SQLite, as in `findTexts`: half the cost of one per row and column.
  const page = prepareRows(db, `SELECT group_concat(found, ',') FROM (${found})`)
  /** Reused: the other fields of a row do not matter. */
  const values: Value[] = table.fields.map(() => 0)
  for (let reached = 0; ; ) {
    const [joined] = page.get(reached) as readonly [string | null]
    let rows: readonly ReadRow[]
    try {
      rows = JSON.parse(`[${joined ?? ''}]`)
      for (const row of rows) {
        // In a damaged table the rows may be out of order, and this loop over pages would never end.
        if (!(Number.isSafeInteger(row[0]) && row[0] > reached)) throw new RangeError('rows are not in order')
        reached = row[0]
        values[key.at] = row[1]
        values[sortKey.at] = row[2]
        if (time !== null) values[time.at] = row[3]
        visit(reached, values)
      }
    } catch (error) {
      throw unreadable(error)
    }
    if (rows.length < PAGE) return
    yield
  }
}

interface RankedField {
  /** Its index among the fields of the table. */
  readonly at: number
  readonly column: Column
}

interface RankedFields {
  readonly key: RankedField
  readonly sortKey: RankedField
  readonly time: RankedField | null
}

function fieldsOf({ fields, columns }: Table, { key, sortKey, time }: TableRanking): RankedFields {
  const found = (field: string): RankedField => {
    const at = fields.indexOf(field)
    return { at, column: columns[at] as Column }
  }
  return { key: found(key), sortKey: found(sortKey), time: time === null ? null : found(time) }
}

type Put = (indexes: Indexes, row: number, before: Values | null, after: Values) => void

/**
 * Moves a row within the indexes. `before` and `after`: the fields of the table as they are stored; null if there was
 * no row.
 */
function putOf({ key, sortKey, time }: RankedFields, codec: ColumnCodec): Put {
  const isSame = (before: Values | null, after: Values, { at }: RankedField) => before?.[at] === after[at]
  const keyIn = (values: Values | null) => {
    const own = values?.[key.at]
    const found = own === undefined ? null : codec.decodeValue(key.at, own)
    return typeof found === 'string' ? found : null
  }

  return ({ rank, time: byTime }, row, before, after) => {
    const isSameKey = isSame(before, after, key)
    const movesInTime = byTime !== null && time !== null && !(isSameKey && isSame(before, after, time))
    const movesInRank = !(isSameKey && isSame(before, after, sortKey))
    if (!movesInTime && !movesInRank) return
    const [oldKey, newKey] = [keyIn(before), keyIn(after)]
    if (movesInRank) {
      if (oldKey !== null) rank.remove(oldKey, String(before?.[sortKey.at]), row)
      if (newKey !== null) rank.add(newKey, String(after[sortKey.at]), row)
    }
    if (!movesInTime) return
    if (oldKey !== null) byTime.remove(oldKey, before?.[time.at] ?? 0, row)
    if (newKey !== null) byTime.add(newKey, after[time.at] ?? 0, row)
  }
}

function check({ index, key, sortKey }: TableRanking, body: JsonObject | null): void {
  const [first = null, second = null] = [body?.[key], body?.[sortKey]]
  if (first === null) return
  if (typeof first !== 'string' || !isPlain(second) || second.length > MAX_SORT_KEY_LENGTH)
    throw new TypeError(
      `For index ${index}, ${key} must be a text or null, and ${sortKey} at most ${MAX_SORT_KEY_LENGTH} printable ASCII characters`,
    )
}
