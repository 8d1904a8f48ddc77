// Caches the parsed documents of one collection that were read by id or written last. Every entry is committed and
// current, because only this process writes the file; no comparison with the file is needed.

import { LRUCache } from 'lru-cache'
import type { JsonObject } from '../../domain/event.ts'
import { textHash } from '../../domain/hash.ts'
import type { Document } from '../contract/views.ts'

/** Documents held for one collection. */
const MAX_DOCUMENTS = 32_768

/** Characters of JSON over which a document is not held. */
const MAX_LENGTH = 8_192

/** A document as it is stored: one JSON array. */
export type StoredDocument = readonly [id: string, pos: string, body: JsonObject]

/** Places in the table of documents met once: of those that are read or written among many, most are never read again. */
const MET_ONCE = 8_192

interface DocumentCache {
  get(id: string): Document | undefined
  put(document: Document, length: number): void
  /**
   * Puts one that was read or written among many where it is held already, or from the second time on: putting what is never
   * read again costs as much as reading it, and drives out what is.
   */
  offer(document: Document, length: number): void
  delete(id: string): void
}

export function createDocumentCache(max: number = MAX_DOCUMENTS): DocumentCache {
  const held = new LRUCache<string, Document>({ max })
  /** Hashes of ids, each in its place. Two that fall on one place only come to be held sooner or later. */
  let once: Uint32Array | null = null

  function put(document: Document, length: number): void {
    if (length <= MAX_LENGTH) held.set(document.id, document)
    else held.delete(document.id)
  }

  function offer(document: Document, length: number): void {
    once ??= new Uint32Array(MET_ONCE)
    const hash = textHash(document.id) >>> 0
    const place = hash % MET_ONCE
    if (once[place] === hash || held.has(document.id)) put(document, length)
    else once[place] = hash
  }

  return { get: (id) => held.get(id), put, offer, delete: (id) => held.delete(id) }
}

export function toDocument([id, pos, body]: StoredDocument): Document {
  return { id, pos, body }
}
