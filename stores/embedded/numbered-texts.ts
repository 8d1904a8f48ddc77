// Writes texts of a collection that its rows refer to by number: shapes of documents (`document-shapes.ts`) and terms
// (`terms.ts`).

import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/** Writes a new text with its number. The rows that use it are written later, and committed with it or after it. */
export type AddText = (table: 'shapes' | 'terms', collection: number, number: number, text: string) => void

export function prepareAddText(db: DatabaseSyncInstance): AddText {
  const inserts = {
    shapes: db.prepare('INSERT INTO shapes (collection, number, shape) VALUES (?, ?, ?)'),
    terms: db.prepare('INSERT INTO terms (collection, number, text) VALUES (?, ?, ?)'),
  }
  return (table, ...text) => inserts[table].run(...text)
}
