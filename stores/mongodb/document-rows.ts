// How a document is stored in MongoDB: its body as JSON text in one field, so that its content cannot be interpreted,
// and next to it the fields that the collection's indexes need. The marker of a deleted document has neither.

import type { JsonObject } from '../../domain/event.ts'
import type { CollectionSpec, Document, Write } from '../contract/views.ts'
import { checkNames, isIndexable, isPlain } from '../support/storable.ts'

/** The other fields are `f_<name>`: values of indexed fields, omitted if null. */
export interface Row {
  readonly _id: string
  readonly pos: string
  /** The body as JSON text, which preserves key order, numbers, and keys with `$` or dots. */
  readonly doc?: string
  readonly [field: `f_${string}`]: string | number
}

export interface Column {
  /** Field name in the body. */
  readonly field: string
  /** Field name in the row. */
  readonly name: `f_${string}`
  readonly descending: boolean
}

export interface Table {
  readonly fields: readonly Column[]
  readonly indexes: ReadonlyMap<string, readonly Column[]>
}

/** Limits a collection name with its view key, so that the full name fits into MongoDB's 255 bytes. */
const MAX_NAMES = 160

/** Throws a TypeError as `checkNames`, and for names that are too long together. */
export function checkSpec(view: string, collection: CollectionSpec): void {
  checkNames(view, collection)
  if (view.length + collection.name.length > MAX_NAMES)
    throw new TypeError(`${view} and ${collection.name} together are longer than ${MAX_NAMES} characters`)
}

export function tableOf(indexes: CollectionSpec['indexes']): Table {
  const described = Object.entries(indexes).map(([index, fields]) => [index, fields.map(columnOf)] as const)
  const fields = new Map(described.flatMap(([, columns]) => columns.map((column) => [column.name, column])))
  return { fields: [...fields.values()], indexes: new Map(described) }
}

function columnOf(indexField: string): Column {
  const descending = indexField.startsWith('-')
  const field = descending ? indexField.slice(1) : indexField
  return { field, name: `f_${field}`, descending }
}

/** Throws a TypeError for an id or position that is not printable ASCII, and for a value that cannot be indexed. */
export function rowOf(table: Table, { id, pos, body }: Pick<Write, 'id' | 'pos' | 'body'>): Row {
  if (!isPlain(id)) throw new TypeError(`An id must be printable ASCII: ${JSON.stringify(id)}`)
  if (!isPlain(pos)) throw new TypeError(`The position of ${id} must be printable ASCII: ${JSON.stringify(pos)}`)
  if (body === null) return { _id: id, pos }
  return { _id: id, pos, doc: JSON.stringify(body), ...indexed(table, body) }
}

function indexed({ fields }: Table, body: JsonObject): Record<`f_${string}`, string | number> {
  const values: Record<`f_${string}`, string | number> = {}
  for (const { field, name } of fields) {
    // Own fields only, because every object has a `constructor`.
    const value = Object.hasOwn(body, field) ? body[field] : null
    if (value === null || value === undefined) continue
    if (!isIndexable(value)) throw new TypeError(`Indexed field ${field} must be a string, a number or null`)
    values[name] = value
  }
  return values
}

/** The document of a row; null for the marker of a deleted one. */
export function documentOf({ _id, pos, doc }: Pick<Row, '_id' | 'pos' | 'doc'>): Document | null {
  return doc === undefined ? null : { id: _id, pos, body: JSON.parse(doc) }
}

/**
 * Maximum number of documents per answer. Without a limit a server may allocate memory for the largest possible one:
 * FerretDB for 2^31 documents, 16 GB, which also decides when it frees memory.
 */
export const MAX_BATCH = 10_000
