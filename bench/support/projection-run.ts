// Event handlers for a projection runner: a parked event or a failed run fails the measurement.

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
    parked: (_view, event, error) => {
      throw new Error(`${event.type} at ${event.position} was parked`, { cause: error })
    },
    reopening: (error) => {
      throw error
    },
  }
}
