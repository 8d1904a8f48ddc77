// Pages of a ranking that were read more than once lately, as the ids of their documents: those a store has in memory,
// where looking for them again is a search. Only a hint: the caller checks it against the ranking.

import { textHash } from '../../domain/hash.ts'
import type { Views } from '../../stores/contract/views.ts'

const PAGES_REMEMBERED = 8_192

/** Places in the table of pages read once: most are never read again, and are not worth more than a number. */
const READ_ONCE = 8_192

interface Pages {
  /** First member -> the ids. */
  readonly ids: Map<string, readonly string[]>
  /**
   * Hashes of first members, each in its place. Two that fall on one place, or are one, only remember sooner or later.
   */
  readonly once: Uint32Array
}

const pagesOf = new WeakMap<Views, Pages>()

function pagesIn(views: Views): Pages {
  const known = pagesOf.get(views)
  if (known !== undefined) return known
  const pages = { ids: new Map(), once: new Uint32Array(READ_ONCE) }
  pagesOf.set(views, pages)
  return pages
}

/** The ids of a page's documents as they last were, or null. `first` is its first member. */
export function pageRead(views: Views, first: string, length: number): readonly string[] | null {
  const ids = pagesIn(views).ids.get(first)
  return ids?.length === length ? ids : null
}

/** Called for each page that was searched. Calls `idsOf` the second time. */
export function notePage(views: Views, first: string, idsOf: () => readonly string[]): void {
  const { ids, once } = pagesIn(views)
  const hash = textHash(first) >>> 0
  const place = hash % READ_ONCE
  if (once[place] !== hash) {
    once[place] = hash
    return
  }
  ids.set(first, idsOf())
  if (ids.size <= PAGES_REMEMBERED) return
  const [oldest] = ids.keys()
  if (oldest !== undefined) ids.delete(oldest)
}
