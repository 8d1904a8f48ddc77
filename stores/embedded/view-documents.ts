// Reads documents of one collection by id through a cache: a hot document costs no SQLite call.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Document } from '../contract/views.ts'
import { isPlain } from '../support/storable.ts'
import { createDocumentCache } from './document-cache.ts'
import { prepareRows } from './prepare-rows.ts'
import type { RowCodec } from './row-codec.ts'
import { rowText, type Table } from './views-schema.ts'

interface ViewDocuments {
  get(id: string): Document | null
  /** In the order of the ids. */
  getAll(ids: readonly string[]): (Document | null)[]
  /** Documents that SQLite joined; null for none. */
  parse(joined: string | null): Document[]
  /** After a write. `length` in characters. */
  remember(document: Document, length: number): void
  forget(id: string): void
}

interface ViewDocumentsOptions {
  /** Of cached documents, as for `createDocumentCache`. */
  readonly documentCharacters: number | undefined
  readonly codec: RowCodec
  /** Reports a document that cannot be read. Returns the error to throw. */
  readonly unreadable: (cause?: unknown) => Error
}

const MAX_ABSENT = 1_024
/** Our ids are not longer. Callers may send longer ones, which would only fill memory. */
const MAX_ABSENT_ID_LENGTH = 256

export function openDocuments(
  db: DatabaseSyncInstance,
  table: Table,
  { documentCharacters, codec, unreadable }: ViewDocumentsOptions,
): ViewDocuments {
  const byId = prepareRows(db, `SELECT ${rowText(table)} FROM ${table.name} WHERE id = ?`)
  const byIds = prepareRows(
    db,
    `SELECT group_concat(found, ','), max(length(found)) FROM
       (SELECT ${rowText(table)} AS found FROM ${table.name} WHERE id IN (SELECT value FROM json_each(?)))`,
  )
  const cache = createDocumentCache(documentCharacters)
  const absent = new AbsentIds()

  function get(id: string): Document | null {
    const cached = cache.get(id)
    if (cached !== undefined) return cached
    if (absent.has(id) || !isPlain(id)) return null
    const [text]: readonly [string | null] = byId.get(id) ?? [null]
    if (text === null) {
      absent.add(id)
      return null
    }
    const [document] = parse(text)
    if (document === undefined) return null
    cache.put(document, text.length)
    return document
  }

  function getAll(ids: readonly string[]): (Document | null)[] {
    const cached = ids.map((id) => cache.get(id) ?? (absent.has(id) ? null : undefined))
    const missing = ids.filter((id, i) => cached[i] === undefined && isPlain(id))
    if (missing.length === 0) return cached as (Document | null)[]
    const [joined, longest]: readonly [string | null, number | null] = byIds.get(JSON.stringify(missing))
    const found = new Map(parse(joined).map((document) => [document.id, document]))
    for (const document of found.values()) cache.offer(document, longest ?? 0)
    for (const id of missing) if (!found.has(id)) absent.add(id)
    return ids.map((id, i) => cached[i] ?? found.get(id) ?? null)
  }

  function parse(joined: string | null): Document[] {
    if (joined === null) return []
    try {
      return codec.decode(joined)
    } catch (error) {
      throw unreadable(error)
    }
  }

  function remember(document: Document, length: number): void {
    // Who writes a new document has just looked for it by id. Large changes find theirs by an index.
    if (absent.delete(document.id)) cache.put(document, length)
    else cache.offer(document, length)
  }

  return { get, getAll, parse, remember, forget: (id) => cache.delete(id) }
}

/** Caches missing ids, too. Otherwise response times would reveal which ids exist. */
class AbsentIds {
  readonly #ids = new Set<string>()

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  add(id: string): void {
    if (id.length > MAX_ABSENT_ID_LENGTH) return
    if (this.#ids.size >= MAX_ABSENT) this.#ids.clear()
    // Copy the string: a substring of a URL would keep the whole URL in memory.
    this.#ids.add(Buffer.from(id).toString())
  }

  delete(id: string): boolean {
    return this.#ids.delete(id)
  }
}
