// Documents of one collection as rows, and back: indexed fields in columns (`column-codec.ts`), the rest by its shape
// (`document-shapes.ts`).

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Document, Write } from '../contract/views.ts'
import { type ColumnCodec, openColumnCodec } from './column-codec.ts'
import { type DocumentShapes, openShapes } from './document-shapes.ts'
import type { ReadyWrite } from './view-rows.ts'
import type { AddText, Table } from './views-schema.ts'

export interface RowCodec {
  readonly columns: ColumnCodec
  readonly shapes: DocumentShapes
  /** A write with its row. May add a shape or terms: call it outside of transactions. Throws what `addText` throws. */
  encode(write: Write): ReadyWrite
  /** The documents of rows as `rowText` writes them, joined by commas. Throws if one cannot be read. */
  decode(joined: string): Document[]
}

export function openRowCodec(db: DatabaseSyncInstance, table: Table, addText: AddText): RowCodec {
  const columns = openColumnCodec(db, table, addText)
  const shapes = openShapes(db, table, addText)
  return {
    columns,
    shapes,
    encode(write) {
      const { collection, id, pos, body } = write
      const text = body === null ? null : shapes.encode(id, body)
      return { collection, id, pos, body, text, values: columns.encodeFields(body) }
    },
    decode(joined) {
      const parsed = JSON.parse(`[${joined}]`)
      const documents: Document[] = []
      for (let at = 0; at < parsed.length; at += 2) {
        const row = parsed[at]
        columns.decodeRow(row)
        documents.push({ id: row[0], pos: row[1], body: shapes.decode(row, parsed[at + 1]) })
      }
      return documents
    },
  }
}
