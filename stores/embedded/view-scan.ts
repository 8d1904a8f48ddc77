// Reads the rows of a collection by id, for verification. The result also reports documents that cannot be read.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Document } from '../contract/views.ts'
import { prepareRows } from './prepare-rows.ts'
import type { RowCodec } from './row-codec.ts'
import { decodePosition } from './stored-position.ts'
import { joinedRows, rowText, type Table } from './views-schema.ts'

type Row = readonly [text: string, id: string, pos: string | number, document: string]

/** A page of documents by id, after one id, at most `limit`, without deleted ones. */
type ScanRows = (afterId: string, limit: number) => Document[]

/**
 * `unreadable`: reports that the index of the ids is not in their order, and returns the error to throw. A caller would
 * scan for ever.
 */
export function openScan(
  db: DatabaseSyncInstance,
  table: Table,
  codec: RowCodec,
  unreadable: (cause?: unknown) => Error,
): ScanRows {
  const page = `FROM ${table.name} WHERE id > ? AND document IS NOT NULL ORDER BY id LIMIT ?`
  const joinedPage = prepareRows(db, joinedRows(rowText(table), page))
  const rows = prepareRows(db, `SELECT ${rowText(table)}, id, pos, document ${page}`)

  function decodeAlone([text, id, pos, document]: Row): Document {
    try {
      const [own] = codec.decode(text)
      if (own !== undefined) return own
    } catch {}
    return { id, pos: decodePosition(pos), body: { unreadable: document } }
  }

  function decode(joined: string, afterId: string, limit: number): Document[] {
    try {
      return codec.decode(joined)
    } catch {
      const each: Row[] = rows.all(afterId, limit)
      return each.map(decodeAlone)
    }
  }

  return (afterId, limit) => {
    const [joined]: readonly [string | null] = joinedPage.get(afterId, limit)
    if (joined === null) return []
    const documents = decode(joined, afterId, limit)
    let last = afterId
    for (const { id } of documents) {
      if (id <= last) throw unreadable()
      last = id
    }
    return documents
  }
}
