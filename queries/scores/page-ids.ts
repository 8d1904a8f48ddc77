// Caches the document ids of ranking pages that were read more than once recently. A store may have documents in memory
// by id, while finding them by index is a search. Only a hint: the caller checks the documents against the ranking. Of
// use with MongoDB or Redis: embedded stores answer most pages from `text-pages.ts`.

import { textHash } from '../../domain/hash.ts'
import { type LRUCache, lruOfSize, SeenBefore } from '../../runtime/lru.ts'
import type { Views } from '../../stores/contract/views.ts'

/** Those of 8,192 pages of 20, in some 10 MiB. */
export const MAX_CACHED_PAGE_IDS = 163_840

interface Pages {
  /** First sort key of the page -> document ids. */
  readonly ids: LRUCache<string, readonly string[]>
  /** Hashes of first sort keys. */
  readonly once: SeenBefore
}

const pagesOf = new WeakMap<Views, Pages>()

function pagesIn(views: Views): Pages {
  const known = pagesOf.get(views)
  if (known !== undefined) return known
  const ids = lruOfSize<string, readonly string[]>(MAX_CACHED_PAGE_IDS, ({ length }) => length)
  const pages = { ids, once: new SeenBefore() }
  pagesOf.set(views, pages)
  return pages
}

/** The document ids of a page as last read, or null. `first` is its first sort key. */
export function cachedPageIds(views: Views, first: string, length: number): readonly string[] | null {
  const ids = pagesIn(views).ids.get(first)
  return ids?.length === length ? ids : null
}

/** Call it for each page that was searched. Calls `idsOf` the second time. */
export function notePageRead(views: Views, first: string, idsOf: () => readonly string[]): void {
  const { ids, once } = pagesIn(views)
  if (once.wasSeen(textHash(first) >>> 0)) ids.set(first, idsOf())
}
