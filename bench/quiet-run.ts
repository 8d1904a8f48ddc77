// What the runner of the views works with where nobody watches it. An event that is parked or a run that breaks off is a
// fault of the measurement.

import { Progress } from '../projections/progress.ts'
import type { RunDeps } from '../projections/run.ts'
import type { Stores } from '../stores/contract/stores.ts'

export function quietRun(stores: Pick<Stores, 'log' | 'views' | 'rankings'>): RunDeps {
  return {
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
