// The folded histories of this node: made by the process that rebuilds a board's entries,
// read by the runner of the views.

import type { HistoryFolds } from '../processes/build-generations.ts'
import type { Folds } from '../projections/folds.ts'
import { parkedStreams } from '../projections/parked.ts'
import type { QueryDeps } from '../queries/deps.ts'

export function foldingWith(folds: Folds, { views, viewKey }: Pick<QueryDeps, 'views' | 'viewKey'>): HistoryFolds {
  return {
    prepare: async (build, upTo, by) => folds.prepare(build, upTo, await parkedStreams(views, viewKey('entries')), by),
    drop: (board) => folds.drop(board),
  }
}
