// Rankings of the embedded views: reads of their index by rank, which is in memory. Commits of documents change it, and dropping the
// view drops it, so the calls that change and drop rankings do nothing. A fill makes the index.

import { type AllRankings, type Rankings, RankingsLost } from '../contract/rankings.ts'
import type { RankIndex } from './rank-index.ts'
import { readsOf } from './rankings.ts'
import type { EmbeddedViews } from './views.ts'

export function rankingsOfViews(views: Pick<EmbeddedViews, 'rankIndex' | 'makeRankIndex'>): AllRankings {
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

function rankingsOf(views: Pick<EmbeddedViews, 'rankIndex' | 'makeRankIndex'>, view: string): Rankings {
  function index(): RankIndex {
    const made = views.rankIndex(view)
    if (made === null) throw new RankingsLost()
    return made
  }
  return {
    isFilled: async () => views.rankIndex(view) !== null,
    isCurrent: async () => views.rankIndex(view) !== null,
    beginFill: async () => ({ finish: () => views.makeRankIndex(view) }),
    put: async () => {},
    ...readsOf((key) => index().rowsOf(key)),
  }
}
