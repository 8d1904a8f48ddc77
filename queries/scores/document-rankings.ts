// The reads of rankings, answered from the documents of the view of entries instead: for a caller that must not see the
// rankings ahead of the documents. O(n) in the index of the store, so call them in the queue of long reads.

import { centred } from '../../ranking/centred.ts'
import type { RankingReads } from '../../stores/contract/rankings.ts'
import type { Find } from '../../stores/contract/views.ts'
import type { QueryDeps } from '../deps.ts'

const ALL = Number.MAX_SAFE_INTEGER

/** Each read is of its own moment. */
export function documentRankings({ views, viewKey }: Pick<QueryDeps, 'views' | 'viewKey'>): RankingReads {
  const ranked = (key: string) => ({ view: viewKey('entries'), collection: 'entries', index: 'rank', equal: [key] })
  const count = (key: string, bounds: Pick<Find, 'from' | 'until'> = {}) =>
    views.count({ ...ranked(key), ...bounds, limit: ALL })

  async function range(key: string, offset: number, limit: number): Promise<string[]> {
    const found = await views.find({ ...ranked(key), skip: offset, limit })
    return found.map(({ body }) => String(body.member))
  }

  /** Counts between adjacent ones, so that no entry is counted twice. */
  async function ranks(key: string, sortKeys: readonly string[]): Promise<(number | null)[]> {
    if (sortKeys.length === 0) return []
    const ordered = [...new Set(sortKeys)].sort()
    const [found, counts] = await Promise.all([
      views.find({ ...ranked(key), among: ordered, limit: ordered.length }),
      Promise.all(
        ordered.map((until, at) => count(key, at === 0 ? { until } : { from: ordered[at - 1] as string, until })),
      ),
    ])
    const shown = new Set(found.map(({ body }) => String(body.member)))
    const rankOf = new Map<string, number>()
    let before = 0
    for (const [at, sortKey] of ordered.entries()) {
      before += counts[at] ?? 0
      if (shown.has(sortKey)) rankOf.set(sortKey, before)
    }
    return sortKeys.map((sortKey) => rankOf.get(sortKey) ?? null)
  }

  return {
    size: (key) => count(key),
    before: (key, sortKey) => count(key, { until: sortKey }),
    ranks,
    range,
    async around(key, sortKey, limit) {
      const [[rank = null], size] = await Promise.all([ranks(key, [sortKey]), count(key)])
      if (rank === null) return null
      const offset = centred(rank, size, limit)
      return { rank, size, offset, sortKeys: await range(key, offset, limit) }
    },
    lastApplied: async () => '',
  }
}
