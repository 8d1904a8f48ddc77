// A rebuild of views by a process of its own: it joins whoever is on the stores as one more projector, that runs the views and
// nothing else. In a data folder that no server has open it is the only one.

import { pino } from 'pino'
import { Registry } from 'prom-client'
import type { ViewsCalls } from '../client/views.ts'
import type { FileCommandDeps } from '../commands/deps.ts'
import { createHandler } from '../commands/handle.ts'
import type { Config } from '../config.ts'
import { type MasterSecrets, sealingKeys, workingKeys } from '../credentials/master.ts'
import { PERSONAL_FIELDS } from '../domain/personal.ts'
import { viewsOver } from '../projections/all.ts'
import { shownBuilds } from '../projections/builds/shown.ts'
import { Progress } from '../projections/progress.ts'
import { FolderInUse } from '../stores/contract/faults.ts'
import { NO_FILES } from '../stores/contract/no-files.ts'
import { openSealed } from '../stores/sealing/open.ts'
import { createNodeBuilds } from './builds.ts'
import { queryDeps } from './compose.ts'
import { refuseHalfImport } from './half-import.ts'
import { joinNodes } from './join.ts'
import { watch } from './metrics.ts'
import { openStores } from './open-stores.ts'
import { createRebuilds } from './rebuilds.ts'

/** `served` where another process has the data folder open. Rejects with what `work` rejects with. */
export async function rebuildHere<Result>(
  config: Config,
  master: MasterSecrets,
  work: (calls: ViewsCalls) => Promise<Result>,
): Promise<'served' | { readonly result: Result }> {
  const told: string[] = []
  const opening = openStores(config, { onFailure: () => {}, warn: () => {}, now: Date.now })
  const opened = await opening.catch((failure: unknown) => {
    if (failure instanceof FolderInUse) return null
    throw failure
  })
  if (opened === null) return 'served'
  try {
    const { stores, root } = await openSealed(opened, sealingKeys(master), PERSONAL_FIELDS)
    await refuseHalfImport(stores.vault)
    const builds = await createNodeBuilds(stores.views, viewsOver(stores))
    const shown = shownBuilds(stores, builds.keyOf)
    const { log, vault } = stores
    const keys = workingKeys(root)
    const commands: FileCommandDeps = {
      ...{ handler: createHandler(log), log, vault, keys, announce: async () => {}, files: NO_FILES },
    }
    const quiet = pino({ level: 'silent' })
    const node = await joinNodes({
      ...{ stores, builds, commands, queries: queryDeps({ stores: shown }), progress: new Progress(), log: quiet },
      isProjector: true,
      isAlone: config.redisUrl === null,
      onlyViews: true,
      now: Date.now,
      watch: watch(quiet, new Registry()),
      fatal: (why) => void told.push(why),
    })
    try {
      const rebuilds = createRebuilds(shown, Date.now)
      const result = await work({
        builds: rebuilds.status,
        rebuildViews: (views) => rebuilds.ask(views ?? null),
        cancelViews: rebuilds.cancel,
        viewsBack: rebuilds.back,
        letGoOfViews: rebuilds.letGo,
      })
      return { result }
    } finally {
      await node.stop()
    }
  } finally {
    await opened.close()
  }
}
