// The documents of one collection that were read or written last, parsed. It holds nothing but what is committed and
// current, because this process alone writes the file: what it holds need not be compared with the file.

import { LRUCache } from 'lru-cache'
import type { JsonObject } from '../../domain/event.ts'
import type { Document } from '../contract/views.ts'

/** Documents held for one collection. */
const MAX_DOCUMENTS = 32_768

/** Characters of JSON over which a document is not held. */
const MAX_LENGTH = 8_192

/** Answers of several documents that are remembered, by their first id, as having been asked for once. */
const MAX_ANSWERS = 8_192

/** A document as it is stored: one JSON array. */
export type StoredDocument = readonly [id: string, pos: string, body: JsonObject]

export interface DocumentCache {
  get(id: string): Document | undefined
  put(document: Document, length: number): void
  delete(id: string): void
  /** All of these documents, or null where one is not held. */
  getAll(ids: readonly string[]): Document[] | null
  /** Holds the documents of an answer when it is asked for again: most never are, and each would cost more than to read it. */
  putAnswer(documents: readonly Document[], length: number): void
}

export function createDocumentCache(): DocumentCache {
  const held = new LRUCache<string, Document>({ max: MAX_DOCUMENTS })
  const answers = new LRUCache<string, true>({ max: MAX_ANSWERS })

  function put(document: Document, length: number): void {
    if (length <= MAX_LENGTH) held.set(document.id, document)
    else held.delete(document.id)
  }

  function getAll(ids: readonly string[]): Document[] | null {
    const documents: Document[] = []
    for (const id of ids) {
      const document = held.get(id)
      if (document === undefined) return null
      documents.push(document)
    }
    return documents
  }

  function putAnswer(documents: readonly Document[], length: number): void {
    const [first] = documents
    if (first === undefined) return
    if (!answers.has(first.id)) answers.set(first.id, true)
    else for (const document of documents) put(document, length / documents.length)
  }

  return { get: (id) => held.get(id), put, delete: (id) => held.delete(id), getAll, putAnswer }
}

export function toDocument([id, pos, body]: StoredDocument): Document {
  return { id, pos, body }
}
