// How far a game's history is whole: to the log's end, or where the view of it has come.

import { history } from '../projections/history.ts'
import { viewKey } from '../projections/projection.ts'
import { viewReached } from '../queries/reached.ts'
import type { Stores } from '../stores/contract/stores.ts'

export type Recorded = Pick<Stores, 'history' | 'log' | 'views'>

export const reachedIn =
  ({ history: own, log, views }: Recorded) =>
  (game: string) =>
    own === null ? viewReached(views, viewKey(history), game) : log.head()
