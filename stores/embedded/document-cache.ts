// Caches the parsed documents of one collection that were read by id or written last. Every entry is current, because
// only this process writes the file: it has the last write of this connection, whose transaction may still be open.

import { textHash } from '../../domain/hash.ts'
import { lruOfSize, SeenBefore } from '../../runtime/lru.ts'
import type { Document } from '../contract/views.ts'

/**
 * Maximum characters of the stored text of cached documents in one collection, with `CHARACTERS_EACH` for each
 * document. Parsed, a character takes two to three bytes.
 */
export const MAX_CACHED_CHARACTERS = 16 * 2 ** 20

/**
 * Counted for each document beside its stored text: its place in the cache, and the fields of a short document. The
 * text has neither their names nor values that are null.
 */
const CHARACTERS_EACH = 320

/** Documents with more characters of JSON are not cached. */
const MAX_LENGTH = 8_192

interface DocumentCache {
  get(id: string): Document | undefined
  put(document: Document, length: number): void
  /**
   * Caches a document of a bulk read or write only if it is cached already or is seen a second time. Caching all of
   * them would evict documents that are read often.
   */
  offer(document: Document, length: number): void
  delete(id: string): void
}

interface Cached {
  readonly document: Document
  readonly length: number
}

/** `documentCharacters`: as for `MAX_CACHED_CHARACTERS`. */
export function createDocumentCache(documentCharacters: number = MAX_CACHED_CHARACTERS): DocumentCache {
  const cached = lruOfSize<string, Cached>(documentCharacters, ({ length }) => length + CHARACTERS_EACH)
  /** Documents of bulk reads and writes: most are never read again. */
  const offered = new SeenBefore()

  function put(document: Document, length: number): void {
    if (length <= MAX_LENGTH) cached.set(document.id, { document, length })
    else cached.delete(document.id)
  }

  function offer(document: Document, length: number): void {
    if (cached.has(document.id) || offered.wasSeen(textHash(document.id) >>> 0)) put(document, length)
  }

  return { get: (id) => cached.get(id)?.document, put, offer, delete: (id) => cached.delete(id) }
}
