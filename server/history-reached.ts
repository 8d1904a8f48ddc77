// The position up to which a game's history index is complete: the log's head, or the history view's position.

import { history } from '../projections/history.ts'
import { viewKey } from '../projections/projection.ts'
import { viewReached } from '../queries/reached.ts'
import type { Stores } from '../stores/contract/stores.ts'

export type HistoryStores = Pick<Stores, 'history' | 'log' | 'views'>

export const historyReached =
  ({ history: own, log, views }: HistoryStores) =>
  (game: string) =>
    own === null ? viewReached(views, viewKey(history), game) : log.head()
