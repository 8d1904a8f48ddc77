// Reads documents of one collection by id through a cache: a hot document costs no SQLite call.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { textHash } from '../../domain/hash.ts'
import { type LRUCache, lruOfSize, SeenBefore } from '../../runtime/lru.ts'
import type { Document } from '../contract/views.ts'
import { isPlain } from '../support/storable.ts'
import { prepareRows } from './prepare-rows.ts'
import type { RowCodec } from './row-codec.ts'
import type { KnownRow } from './view-rows.ts'
import { rowText, type Table } from './views-schema.ts'

/**
 * Maximum characters of the stored text of cached documents in all collections, with `CHARACTERS_EACH` for each
 * document. Counted so, a character takes one to two bytes of memory.
 */
export const MAX_CACHED_CHARACTERS = 144 * 2 ** 20

/**
 * Counted for each document beside its stored text: its place in the cache, and the fields of a short document. The
 * text has neither their names nor values that are null.
 */
const CHARACTERS_EACH = 320

/** Documents with more characters of JSON are not cached. */
const MAX_LENGTH = 8_192

interface DocumentCache {
  get(id: string): Document | undefined
  /** The row of a document that was written since it is cached; null if it is not known. */
  rowOf(id: string): KnownRow | null
  put(document: Document, length: number, row?: KnownRow | null): void
  /**
   * Caches a document of a bulk read or write only if it is cached already or is seen a second time. Caching all of
   * them would evict documents that are read often.
   */
  offer(document: Document, length: number, row?: KnownRow | null): void
  delete(id: string): void
}

interface Cached {
  readonly document: Document
  readonly length: number
  readonly row: KnownRow | null
}

/**
 * The caches of collections, which share one limit: the documents that were read by id or written last in any of them.
 * Every entry is current, because only this process writes the file: it has the last write of this connection, whose
 * transaction may still be open.
 */
export class DocumentCaches {
  readonly #cached: LRUCache<string, Cached>
  #collections = 0

  constructor(documentCharacters: number = MAX_CACHED_CHARACTERS) {
    this.#cached = lruOfSize(documentCharacters, ({ length }) => length + CHARACTERS_EACH)
  }

  /** The cache of a collection that is opened: it has no document of one opened before, whatever its name. */
  ofCollection(): DocumentCache {
    const cached = this.#cached
    const number = this.#collections++
    const keyOf = (id: string): string => `${number} ${id}`
    /** Documents of bulk reads and writes: most are never read again. */
    const offered = new SeenBefore()

    function put(document: Document, length: number, row: KnownRow | null = null): void {
      if (length <= MAX_LENGTH) cached.set(keyOf(document.id), { document, length, row })
      else cached.delete(keyOf(document.id))
    }

    function offer(document: Document, length: number, row?: KnownRow | null): void {
      if (cached.has(keyOf(document.id)) || offered.wasSeen(textHash(document.id) >>> 0)) put(document, length, row)
    }

    return {
      get: (id) => cached.get(keyOf(id))?.document,
      rowOf: (id) => cached.peek(keyOf(id))?.row ?? null,
      put,
      offer,
      delete: (id) => cached.delete(keyOf(id)),
    }
  }
}

interface ViewDocuments {
  get(id: string): Document | null
  /** In the order of the ids. */
  getAll(ids: readonly string[]): (Document | null)[]
  /** Documents that SQLite joined; null for none. */
  parse(joined: string | null): Document[]
  /** As of the last `remember`; null if it is not known. */
  rowOf(id: string): KnownRow | null
  /** After a write. `length` in characters. `row`: null in a table without indexes in memory. */
  remember(document: Document, length: number, row: KnownRow | null): void
  forget(id: string): void
}

interface ViewDocumentsOptions {
  readonly caches: DocumentCaches
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
  { caches, codec, unreadable }: ViewDocumentsOptions,
): ViewDocuments {
  const byId = prepareRows(db, `SELECT ${rowText(table)} FROM ${table.name} WHERE id = ?`)
  const byIds = prepareRows(
    db,
    `SELECT group_concat(found, ','), max(length(found)) FROM
       (SELECT ${rowText(table)} AS found FROM ${table.name} WHERE id IN (SELECT value FROM json_each(?)))`,
  )
  const cache = caches.ofCollection()
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

  function remember(document: Document, length: number, row: KnownRow | null): void {
    // Who writes a new document has just looked for it by id. Large changes find theirs by an index.
    if (absent.delete(document.id)) cache.put(document, length, row)
    else cache.offer(document, length, row)
  }

  return { get, getAll, rowOf: cache.rowOf, parse, remember, forget: (id) => cache.delete(id) }
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
