// The documents of one collection that were read by id or written last, parsed. It holds nothing but what is committed and
// current, because this process alone writes the file: what it holds need not be compared with the file.

import { LRUCache } from 'lru-cache'
import type { JsonObject } from '../../domain/event.ts'
import type { Document } from '../contract/views.ts'

/** Documents held for one collection. */
const MAX_DOCUMENTS = 32_768

/** Characters of JSON over which a document is not held. */
const MAX_LENGTH = 8_192

/** A document as it is stored: one JSON array. */
export type StoredDocument = readonly [id: string, pos: string, body: JsonObject]

export interface DocumentCache {
  get(id: string): Document | undefined
  put(document: Document, length: number): void
  delete(id: string): void
}

export function createDocumentCache(max: number = MAX_DOCUMENTS): DocumentCache {
  const held = new LRUCache<string, Document>({ max })

  function put(document: Document, length: number): void {
    if (length <= MAX_LENGTH) held.set(document.id, document)
    else held.delete(document.id)
  }

  return { get: (id) => held.get(id), put, delete: (id) => held.delete(id) }
}

export function toDocument([id, pos, body]: StoredDocument): Document {
  return { id, pos, body }
}
