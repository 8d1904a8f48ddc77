// Reads the raw rows of a collection for verification. Documents are found by the index columns of their rows, so the
// result also reports rows that differ from their document and documents that cannot be read.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Document } from '../contract/views.ts'
import { type StoredDocument, toDocument } from './document-cache.ts'
import { prepareRows } from './prepare-rows.ts'
import { ABSENT, ABSENT_SQL, columnNames, type Table } from './views-schema.ts'

type Value = string | number | null

/** A page of documents by id, after one id, at most `limit`, without deleted ones. */
type ScanRows = (afterId: string, limit: number) => Document[]

export function openScan(db: DatabaseSyncInstance, table: Table): ScanRows {
  const columns = columnNames(table)
  const page = `FROM ${table.name} WHERE id > ? AND document IS NOT NULL ORDER BY id LIMIT ?`
  // Compare in SQL, so that for nearly all rows only the document is transferred.
  const asSaid = prepareRows(
    db,
    `SELECT group_concat(document, ','), total(CASE WHEN json_valid(document) THEN ${isAstray(table)} ELSE 1 END)
       FROM (SELECT ${columns.join(', ')} ${page})`,
  )
  const byRow = prepareRows(db, `SELECT ${columns.join(', ')} ${page}`)

  return (afterId, limit) => {
    const [joined, astray]: readonly [string | null, number] = asSaid.get(afterId, limit)
    if (joined === null) return []
    const stored = astray === 0 ? parsed(`[${joined}]`) : null
    if (stored !== null) return (stored as StoredDocument[]).map(toDocument)
    const rows = byRow.all(afterId, limit) as unknown as readonly (readonly Value[])[]
    return rows.map((row) => asItLies(row, table.fields))
  }
}

/** SQL condition: whether the columns of a row differ from its document. */
function isAstray(table: Table): string {
  const jsonField = (path: string) => `json_extract(document, '$${path}')`
  const fields = columnNames(table).slice(3)
  const isOther = fields.map(
    (name, at) => `${name} IS NOT coalesce(${jsonField(`[2].${table.fields[at]}`)}, ${ABSENT_SQL})`,
  )
  return `(${[`id IS NOT ${jsonField('[0]')}`, `pos IS NOT ${jsonField('[1]')}`, ...isOther].join(' OR ')})`
}

/** If the columns differ, the body contains them under `row`. The body of an unreadable document is its text. */
function asItLies([id, pos, text, ...values]: readonly Value[], fields: readonly string[]): Document {
  const stored = parsed(String(text))
  if (!isStored(stored)) return { id: String(id), pos: String(pos), body: { unreadable: String(text) } }
  const [, own, body] = stored
  const row: Record<string, Value> = pos === own ? {} : { pos: String(pos) }
  for (const [at, field] of fields.entries()) {
    const value = values[at] === ABSENT ? null : (values[at] ?? null)
    if (value !== (body[field] ?? null)) row[field] = value
  }
  return { id: String(id), pos: own, body: Object.keys(row).length === 0 ? body : { ...body, row } }
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
