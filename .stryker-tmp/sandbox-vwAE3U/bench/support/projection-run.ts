// What the runner of the views works with where nobody watches it. An event that is parked or a run that breaks off is a
// fault of the measurement.

import { history } from '../../projections/history.ts'
import { Progress } from '../../projections/progress.ts'
import { viewKey } from '../../projections/projection.ts'
import type { RunDeps } from '../../projections/run.ts'
import { historyInViews } from '../../queries/history.ts'
import type { Stores } from '../../stores/contract/stores.ts'

export function quietRun(stores: Pick<Stores, 'log' | 'views' | 'rankings' | 'history'>): RunDeps {
  return {
    history: stores.history ?? historyInViews(stores.views, viewKey(history)),
    log: stores.log,
    views: stores.views,
    rankings: stores.rankings,
    installation: 'bench',
    progress: new Progress(),
    applied: () => {},
    catchingUp: () => {},
    parked: (_view, event, why) => {
      throw new Error(`${event.type} at ${event.position} was parked`, { cause: why })
    },
    reopening: (why) => {
      throw why
    },
  }
}
