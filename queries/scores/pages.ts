// Pages of a ranking that were read more than once lately, as the ids of their documents: those a store has in memory,
// where looking for them again is a search. Only a hint: whoever uses it checks that they are what the ranking says.

import type { Views } from '../../stores/contract/views.ts'

const PAGES_REMEMBERED = 8_192

/** Ranking, length and first member -> the ids; null where the page was read once. */
type Pages = Map<string, readonly string[] | null>

const pagesOf = new WeakMap<Views, Pages>()

/** The ids of a page's documents as they last were, or null. `first` is its first member. */
export function pageRead(views: Views, ranking: string, first: string, length: number): readonly string[] | null {
  return pagesOf.get(views)?.get(nameOf(ranking, first, length)) ?? null
}

/** To be told of each page that was searched for. `ids` is asked for when it is the second time. */
export function notePage(
  views: Views,
  ranking: string,
  first: string,
  length: number,
  ids: () => readonly string[],
): void {
  const pages = pagesOf.get(views) ?? new Map()
  pagesOf.set(views, pages)
  const name = nameOf(ranking, first, length)
  pages.set(name, pages.has(name) ? ids() : null)
  if (pages.size <= PAGES_REMEMBERED) return
  const [oldest] = pages.keys()
  if (oldest !== undefined) pages.delete(oldest)
}

const nameOf = (ranking: string, first: string, length: number): string => `${ranking} ${length} ${first}`
