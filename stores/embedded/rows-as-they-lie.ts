// Reads the rows of a collection by id, for verification. The result also reports documents that cannot be read.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Document } from '../contract/views.ts'
import type { DocumentShapes } from './document-shapes.ts'
import { prepareRows } from './prepare-rows.ts'
import { decodeJoined } from './view-documents.ts'
import { JOINED } from './views-query.ts'
import type { Table } from './views-schema.ts'

type Row = readonly [id: string, pos: string, document: string]

/** A page of documents by id, after one id, at most `limit`, without deleted ones. */
type ScanRows = (afterId: string, limit: number) => Document[]

export function openScan(db: DatabaseSyncInstance, table: Table, shapes: DocumentShapes): ScanRows {
  const page = `SELECT id, pos, document FROM ${table.name} WHERE id > ? AND document IS NOT NULL ORDER BY id LIMIT ?`
  const joinedPage = prepareRows(db, `SELECT ${JOINED} FROM (${page})`)
  const rows = prepareRows(db, page)

  function asItLies([id, pos, text]: Row): Document {
    try {
      return { id, pos, body: shapes.decode(id, JSON.parse(text)) }
    } catch {
      return { id, pos, body: { unreadable: text } }
    }
  }

  return (afterId, limit) => {
    const [joined]: readonly [string | null] = joinedPage.get(afterId, limit)
    if (joined === null) return []
    try {
      return decodeJoined(joined, shapes)
    } catch {
      return (rows.all(afterId, limit) as unknown as readonly Row[]).map(asItLies)
    }
  }
}
