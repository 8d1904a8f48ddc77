// The operator's commands for view rebuilds: start, status, cancel, restore the previous build, discard it. They only
// change the active-build pointer; the projectors do the work (projections/builds/drive.ts), so a rebuild survives the
// end of the process that requested it.

import { Refusal } from '../../domain/decider.ts'
import { viewsOver } from '../../projections/all.ts'
import { createBuildPointer } from '../../projections/builds/pointer.ts'
import {
  type Builds,
  buildKey,
  cancel,
  discardPrevious,
  requestBuild,
  restorePrevious,
} from '../../projections/builds/state.ts'
import { type Projection, viewKey } from '../../projections/projection.ts'
import type { Stores } from '../../stores/contract/stores.ts'
import { shareOf } from '../../stores/support/positions.ts'
import type { NodeBuilds } from './builds.ts'

const SHARE_STEP = 0.001

/**
 * `stores.views` may resolve to raw or to active builds. `node` reads the state before it is answered, so that reads on
 * this node use the builds that an answer names. `now` returns Unix milliseconds.
 */
export function createBuildOrders(
  stores: Pick<Stores, 'views' | 'history' | 'log'>,
  node: Pick<NodeBuilds, 'refresh'>,
  now: () => number,
) {
  const pointer = createBuildPointer(stores.views)
  const all = viewsOver(stores)
  const time = () => new Date(now()).toISOString()
  const keyOf = (name: string): string => {
    const found = all.find((view) => view.name === name)
    if (found !== undefined) return viewKey(found)
    const detail = `There is no view ${name}. There are: ${all.map((view) => view.name).join(', ')}.`
    throw new Refusal('unprocessable', 'unknown_view', detail)
  }

  async function answer(builds: Builds) {
    await node.refresh()
    return report(stores, all, builds)
  }

  return {
    status: async () => answer(await pointer.read()),
    /** Requests a rebuild of these views; of all views if `names` is null. */
    ask: async (names: readonly string[] | null) => {
      const keys = names === null ? all.map(viewKey) : [...new Set(names.map(keyOf))]
      return answer(await pointer.change(requestBuild(keys, time())))
    },
    cancel: async () => answer(await pointer.change(cancel(time()))),
    back: async () => answer(await pointer.change(restorePrevious(time()))),
    discard: async () => answer(await pointer.change(discardPrevious)),
  }
}

/** Approximate share of the running build that is done, 0 to 1, estimated from log positions; null if none runs. */
async function shareDone({ log, views }: Pick<Stores, 'log' | 'views'>, { change }: Builds): Promise<number | null> {
  if (change === null) return null
  if (change.phase === 'comparing') return 1
  const head = await log.head()
  const shares: number[] = []
  for (const view of change.views) {
    // A build's own key also works on stores that resolve to active builds. No checkpoints exist before it starts.
    const checkpoints = await views.checkpoints(buildKey(view, change.number))
    const [lowest] = [...checkpoints.values()].map(({ position }) => position).sort()
    shares.push(lowest === undefined || head === null ? 0 : shareOf(lowest, head))
  }
  return Math.floor(Math.min(...shares) / SHARE_STEP) * SHARE_STEP
}

async function report(stores: Pick<Stores, 'log' | 'views'>, all: readonly Projection[], builds: Builds) {
  const { change, kept, shown, ended } = builds
  return {
    state: change?.phase ?? ('idle' as const),
    views: change?.views ?? [],
    asked: change?.asked ?? null,
    share: await shareDone(stores, builds),
    shown: all.map((view) => ({ view: viewKey(view), build: shown[viewKey(view)] ?? 0 })),
    way_back: kept === null ? null : { views: Object.keys(kept.builds), until: kept.until },
    last:
      ended === null
        ? null
        : {
            views: ended.views,
            outcome: ended.outcome,
            finished: ended.finished,
            reason: ended.reason,
            documents: ended.compared?.documents ?? null,
            found: ended.compared?.found ?? null,
            differences: ended.compared?.differences ?? [],
          },
  }
}
