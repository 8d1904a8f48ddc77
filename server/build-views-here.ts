// Rebuilds views in a process of its own: it joins the nodes on these stores as one more projector, which runs the
// views and nothing else. In a data folder it is the only one.

import { pino } from 'pino'
import { Registry } from 'prom-client'
import type { ViewsCalls } from '../clients/javascript/views.ts'
import type { FileCommandDeps } from '../commands/command-deps.ts'
import { createHandler } from '../commands/handle.ts'
import { viewsOver } from '../projections/all.ts'
import { withActiveBuilds } from '../projections/builds/active-builds.ts'
import { Progress } from '../projections/progress.ts'
import { NO_FILES } from '../stores/support/no-files.ts'
import { queryDeps } from './compose.ts'
import type { Config } from './config.ts'
import type { Installation } from './installation.ts'
import { memoryHere } from './memory.ts'
import { watch } from './metrics/node-metrics.ts'
import { createBuildOrders } from './node/build-orders.ts'
import { createNodeBuilds } from './node/builds.ts'
import { joinNodes } from './node/join.ts'

/** Runs `work` on a temporary node. Rejects if `work` rejects or the node fails. */
export async function buildViewsHere<Result>(
  { stores, keys, config }: Installation & { readonly config: Pick<Config, 'servers' | 'memory'> },
  work: (calls: ViewsCalls) => Promise<Result>,
): Promise<Result> {
  const builds = await createNodeBuilds(stores.views, viewsOver(stores))
  const shown = withActiveBuilds(stores, builds.keyOf)
  const { log, vault } = stores
  const commands: FileCommandDeps = {
    ...{ handler: createHandler(log), log, vault, keys, publish: async () => {}, files: NO_FILES },
  }
  const quiet = pino({ level: 'silent' })
  let fatal = (_reason: string): void => {}
  const broken = new Promise<never>((_, reject) => {
    fatal = (error) => reject(new Error(error))
  })
  // Avoids an unhandled rejection if the node fails before or after `work` runs.
  broken.catch(() => {})
  const node = await joinNodes({
    ...{ stores, builds, commands, queries: queryDeps({ stores: shown }), progress: new Progress(), log: quiet },
    isProjector: true,
    memory: memoryHere(new Set(['projector']), config.memory).shares,
    isAlone: config.servers === null,
    onlyViews: true,
    now: Date.now,
    watch: watch(quiet, new Registry()),
    fatal,
  })
  try {
    const orders = createBuildOrders(shown, builds, Date.now)
    const done = work({
      builds: orders.status,
      rebuildViews: (views) => orders.ask(views ?? null),
      cancelViews: orders.cancel,
      viewsBack: orders.back,
      discardPreviousViews: orders.discard,
    })
    return await Promise.race([done, broken])
  } finally {
    await node.stop()
  }
}
