// Rebuilds views in a process of its own: it joins the nodes on these stores as one more projector, which runs the
// views and nothing else. In a data folder it is the only one.

import { pino } from 'pino'
import { Registry } from 'prom-client'
import type { ViewsCalls } from '../client/views.ts'
import { createBuildOrders } from '../cluster/build-orders.ts'
import { createNodeBuilds } from '../cluster/builds.ts'
import { joinNodes } from '../cluster/join.ts'
import type { FileCommandDeps } from '../commands/command-deps.ts'
import { createHandler } from '../commands/handle.ts'
import type { Config } from '../config.ts'
import { watch } from '../observability/node-metrics.ts'
import { viewsOver } from '../projections/all.ts'
import { withActiveBuilds } from '../projections/builds/active-builds.ts'
import { Progress } from '../projections/progress.ts'
import { NO_FILES } from '../stores/support/no-files.ts'
import { queryDeps } from './compose.ts'
import type { Installation } from './installation.ts'
import { limitsHere, sharesOf } from './memory.ts'

/** Rejects with what `work` rejects with, and where the node can go on no longer. */
export async function buildViewsHere<Result>(
  { stores, keys, config }: Installation & { readonly config: Pick<Config, 'redisUrl'> },
  work: (calls: ViewsCalls) => Promise<Result>,
): Promise<Result> {
  const builds = await createNodeBuilds(stores.views, viewsOver(stores))
  const shown = withActiveBuilds(stores, builds.keyOf)
  const { log, vault } = stores
  const commands: FileCommandDeps = {
    ...{ handler: createHandler(log), log, vault, keys, announce: async () => {}, files: NO_FILES },
  }
  const quiet = pino({ level: 'silent' })
  let fatal = (_why: string): void => {}
  const broken = new Promise<never>((_, reject) => {
    fatal = (why) => reject(new Error(why))
  })
  // It may break while nobody waits for it: before the work begins, or after.
  broken.catch(() => {})
  const node = await joinNodes({
    ...{ stores, builds, commands, queries: queryDeps({ stores: shown }), progress: new Progress(), log: quiet },
    isProjector: true,
    memory: sharesOf(limitsHere(), new Set(['projector'])),
    isAlone: config.redisUrl === null,
    onlyViews: true,
    now: Date.now,
    watch: watch(quiet, new Registry()),
    fatal,
  })
  try {
    const orders = createBuildOrders(shown, Date.now)
    const done = work({
      builds: orders.status,
      rebuildViews: (views) => orders.ask(views ?? null),
      cancelViews: orders.cancel,
      viewsBack: orders.back,
      letGoOfViews: orders.letGo,
    })
    return await Promise.race([done, broken])
  } finally {
    await node.stop()
  }
}
