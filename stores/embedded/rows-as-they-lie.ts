// Reads the raw rows of a collection for verification. Documents are found by the id of their row, so the result also
// reports rows that differ from their document and documents that cannot be read.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Document } from '../contract/views.ts'
import { type StoredDocument, toDocument } from './document-cache.ts'
import { prepareRows } from './prepare-rows.ts'
import type { Table } from './views-schema.ts'

type Row = readonly [id: string, pos: string, document: string]

/** A page of documents by id, after one id, at most `limit`, without deleted ones. */
type ScanRows = (afterId: string, limit: number) => Document[]

export function openScan(db: DatabaseSyncInstance, table: Table): ScanRows {
  const page = `FROM ${table.name} WHERE id > ? AND document IS NOT NULL ORDER BY id LIMIT ?`
  // Compare in SQL, so that for nearly all rows only the document is transferred.
  const asSaid = prepareRows(
    db,
    `SELECT group_concat(document, ','), total(CASE WHEN json_valid(document) THEN ${IS_ASTRAY} ELSE 1 END)
       FROM (SELECT id, pos, document ${page})`,
  )
  const byRow = prepareRows(db, `SELECT id, pos, document ${page}`)

  return (afterId, limit) => {
    const [joined, astray]: readonly [string | null, number] = asSaid.get(afterId, limit)
    if (joined === null) return []
    const stored = astray === 0 ? parsed(`[${joined}]`) : null
    if (stored !== null) return (stored as StoredDocument[]).map(toDocument)
    const rows = byRow.all(afterId, limit) as unknown as readonly Row[]
    return rows.map(asItLies)
  }
}

/** SQL condition: whether a row differs from its document. */
const IS_ASTRAY = `(id IS NOT json_extract(document, '$[0]') OR pos IS NOT json_extract(document, '$[1]'))`

/** If the position differs, the body contains it under `row`. The body of an unreadable document is its text. */
function asItLies([id, pos, text]: Row): Document {
  const stored = parsed(text)
  if (!isStored(stored)) return { id, pos, body: { unreadable: text } }
  const [, own, body] = stored
  return { id, pos: own, body: pos === own ? body : { ...body, row: { pos } } }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isStored(stored: unknown): stored is StoredDocument {
  if (!Array.isArray(stored)) return false
  const [id, pos, body] = stored
  return typeof id === 'string' && typeof pos === 'string' && typeof body === 'object' && body !== null
}
