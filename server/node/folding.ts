// Adapts this node's folded histories for the process that rebuilds a leaderboard's entries. The view runner reads
// them.

import type { Folds } from '../../projections/folds.ts'
import { parkedStreams } from '../../projections/parked.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { HistoryFolds } from '../../reactions/build-generations.ts'

export function foldingWith(folds: Folds, { views, viewKey }: Pick<QueryDeps, 'views' | 'viewKey'>): HistoryFolds {
  return {
    prepare: async (build, upTo, by) => folds.prepare(build, upTo, await parkedStreams(views, viewKey('entries')), by),
    drop: (board) => folds.drop(board),
  }
}
