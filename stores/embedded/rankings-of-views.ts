// Rankings of the embedded views: reads of their index by rank, which is in memory. Commits of documents change it, and
// dropping the view drops it, so the calls that change and drop rankings do nothing. A fill makes the index.

import { centred } from '../../ranking/centred.ts'
import {
  type AllRankings,
  type RankedPage,
  type RankedPages,
  type Rankings,
  RankingsLost,
} from '../contract/rankings.ts'
import type { OrderedRows } from './ordered-rows.ts'
import type { EmbeddedViews, RankedDocuments } from './views.ts'

type RankedViews = Pick<EmbeddedViews, 'ranked' | 'makeMemoryIndexes'>

export function rankingsOfViews(views: RankedViews): AllRankings {
  const known = new Map<string, Rankings>()
  return {
    putMax: Number.POSITIVE_INFINITY,
    // All partitions together: no key is in two of them.
    of(view) {
      const rankings = known.get(view) ?? rankingsOf(views, view)
      known.set(view, rankings)
      return rankings
    },
    // They are dropped with the documents.
    drop: async () => {},
  }
}

function rankingsOf(views: RankedViews, view: string): Rankings {
  function ranked(): RankedDocuments {
    const made = views.ranked(view)
    if (made === null) throw new RankingsLost()
    return made
  }
  return {
    isFilled: async () => views.ranked(view) !== null,
    isCurrent: async () => views.ranked(view) !== null,
    beginFill: async () => ({ finish: () => views.makeMemoryIndexes(view) }),
    put: async () => {},
    ...readsOf((key) => ranked().index.rowsOf(key)),
    async lastApplied() {
      ranked()
      return ''
    },
    pages: { version: (key) => views.ranked(view)?.index.rowsOf(key)?.version ?? null, ...pagesOf(ranked) },
  }
}

function pagesOf(ranked: () => RankedDocuments): Omit<RankedPages, 'version'> {
  function at(key: string, offset: number, limit: number): RankedPage {
    const { index, valuesInRows } = ranked()
    const ordered = index.rowsOf(key)
    const rows = ordered?.rowsAt(offset, limit) ?? []
    const changes = index.changesOf(rows)
    const stamp = { index: index.name, rows, changes }
    const values: RankedPage['values'] = (fields, some) => {
      // A changed row can have another document.
      if (ranked().index !== index || index.changesOf(rows).some((now, at) => now !== changes[at]))
        throw new Error('a page was read after it changed')
      return valuesInRows(fields, some)
    }
    return { offset, size: ordered?.size ?? 0, stamp, values }
  }

  function around(key: string, sortKey: string, limit: number) {
    const ordered = ranked().index.rowsOf(key)
    const rank = ordered?.rank(sortKey) ?? null
    if (ordered === undefined || rank === null) return null
    return { rank, page: at(key, centred(rank, ordered.size, limit), limit) }
  }

  return { at, around }
}

/** The reads of rankings whose sort keys are in this process. */
export function readsOf(
  sortKeysOf: (key: string) => Pick<OrderedRows, 'size' | 'before' | 'rank' | 'range'> | undefined,
): Pick<Rankings, 'size' | 'before' | 'ranks' | 'range' | 'around'> {
  return {
    size: async (key) => sortKeysOf(key)?.size ?? 0,
    before: async (key, sortKey) => sortKeysOf(key)?.before(sortKey) ?? 0,
    async ranks(key, sortKeys) {
      const set = sortKeysOf(key)
      return sortKeys.map((sortKey) => set?.rank(sortKey) ?? null)
    },
    range: async (key, offset, limit) => sortKeysOf(key)?.range(offset, limit) ?? [],
    async around(key, sortKey, limit) {
      const set = sortKeysOf(key)
      const rank = set?.rank(sortKey) ?? null
      if (set === undefined || rank === null) return null
      const offset = centred(rank, set.size, limit)
      return { rank, size: set.size, offset, sortKeys: set.range(offset, limit) }
    },
  }
}
