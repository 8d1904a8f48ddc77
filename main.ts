// The composition root: picks the adapters, starts the views, the processes and the servers in order, and stops them in
// reverse.

import type { Logger } from 'pino'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { CommandDeps } from './commands/deps.ts'
import { createHandler } from './commands/handle.ts'
import { type Parts, pipelineDeps, queryDeps, routeDeps, takeOverDeps } from './compose.ts'
import type { Config } from './config.ts'
import { workingKeys } from './credentials/master.ts'
import { createTokens } from './credentials/tokens.ts'
import { PERSONAL_FIELDS } from './domain/personal.ts'
import { BEHIND_AFTER_MS } from './http/pipeline/consistency.ts'
import { allRoutes } from './http/routes/all.ts'
import { createAdminServer, createHttpServer } from './http/server.ts'
import { watch, watchCommits } from './metrics.ts'
import { openMail } from './open-mail.ts'
import { openStores, storesNamed } from './open-stores.ts'
import { makeOperator } from './operator.ts'
import { finishClaims } from './processes/finish-claims.ts'
import { finishSignIns } from './processes/finish-sign-ins.ts'
import { runProcess } from './processes/run.ts'
import { viewsOver } from './projections/all.ts'
import { createApplier } from './projections/apply.ts'
import { Progress } from './projections/progress.ts'
import { viewKey } from './projections/projection.ts'
import { type RunDeps, run } from './projections/run.ts'
import { startViews } from './projections/start.ts'
import type { Stores } from './stores/contract/stores.ts'
import { openDataFolder } from './stores/embedded/data-folder.ts'
import { openSealed } from './stores/sealing/open.ts'
import { VERSION } from './version.ts'

/** How long running requests have to finish when the process is told to stop. */
const GRACE_MS = 10_000

export interface Running {
  readonly port: number
  readonly adminPort: number
  /** The operator key's file, where this start made one. */
  readonly operatorFile: string | null
  /** Stops accepting, finishes what runs, writes the last checkpoints, closes the stores. Once, however often called. */
  stop(): Promise<void>
}

/** Starts everything; rejects, with the stores closed again, where something cannot start. `now` is Unix milliseconds. */
export async function start(config: Config, log: Logger, now: () => number = Date.now): Promise<Running> {
  const master = await openDataFolder(config.dataDir, config.masterKey)
  const metrics = new Registry()
  const failed = (error: Error) => {
    log.fatal({ failure: error.stack }, 'the disk failed: stopping, as what was not acknowledged is unknown')
    process.exit(1)
  }
  const warn = (message: string) => log.warn(message)
  const opened = await openStores(config, { onFailure: failed, onCommit: watchCommits(metrics), warn, now })
  try {
    return await startOn(opened, { config, log, metrics, now, master })
  } catch (failure) {
    await opened.close()
    throw failure
  }
}

interface Setting {
  readonly config: Config
  readonly log: Logger
  readonly metrics: Registry
  readonly now: () => number
  readonly master: Uint8Array
}

async function startOn(opened: Stores, setting: Setting): Promise<Running> {
  const { config, log, metrics, now, master } = setting
  const keys = workingKeys(master)
  const stores = await openSealed(opened, keys.seal, PERSONAL_FIELDS)
  collectDefaultMetrics({ register: metrics })

  const progress = new Progress()
  const runDeps: RunDeps = { ...stores, progress, ...watch(log, metrics) }
  const appliers = viewsOver(stores).map((view) => createApplier(view, runDeps))
  await startViews(runDeps, appliers, tellingNow(log, now))

  const commands: CommandDeps = { handler: createHandler(stores.log), log: stores.log, vault: stores.vault, keys }
  const takeOver = takeOverDeps({ commands, progress }, queryDeps({ stores }))
  const mail = openMail(setting)
  const stopping = new AbortController()
  const running = Promise.all([
    run(runDeps, appliers, stopping.signal),
    runProcess({ ...stores, failed: failing(log) }, finishClaims(commands), stopping.signal),
    runProcess({ ...stores, failed: failing(log) }, finishSignIns(takeOver), stopping.signal),
  ])
  const halt = async () => {
    stopping.abort()
    await Promise.all([running, mail?.close()])
  }
  try {
    const operatorFile = config.production ? null : await makeOperator(commands, stores.log, config.dataDir, now())
    const head = await stores.log.head()
    if (head !== null) await progress.waitFor(null, head, BEHIND_AFTER_MS)
    const served = await serve({ ...setting, stores, commands, progress, mail, tokens: createTokens(keys.token) })
    log.info(
      { version: VERSION, stores: storesNamed(config), ...served.ports, views: viewsOver(stores).map(viewKey) },
      'ready',
    )
    const stop = async () => {
      await served.close()
      await halt()
      await opened.close()
      log.info('stopped')
    }
    let stopped: Promise<void> | null = null
    return { ...served.ports, operatorFile, stop: () => (stopped ??= stop()) }
  } catch (failure) {
    await halt()
    throw failure
  }
}

/** The two listeners: the API's, and the operators'. */
async function serve(parts: Parts): Promise<{ ports: { port: number; adminPort: number }; close(): Promise<void> }> {
  const { config, metrics } = parts
  let isReady = true
  const ready = () => isReady
  const queries = queryDeps(parts)
  const info = { version: VERSION, url: config.publicUrl }
  const api = createHttpServer(pipelineDeps(parts, queries, ready), allRoutes(routeDeps(parts, queries), info))
  const admin = createAdminServer({ metrics, ready })
  const close = async () => {
    isReady = false
    await Promise.all([api.close(GRACE_MS), admin.close(GRACE_MS)])
  }
  try {
    const port = await api.listen(config.port, config.host)
    const adminPort = await admin.listen(config.adminPort, config.host)
    return { ports: { port, adminPort }, close }
  } catch (failure) {
    await close()
    throw failure
  }
}

/** Says at most once a second how far the views have come. */
function tellingNow(log: Logger, now: () => number): (fresh: readonly string[], read: number) => void {
  let nextMs = 0
  return (fresh, read) => {
    if (now() < nextMs) return
    nextMs = now() + 1_000
    log.info({ fresh, read }, 'views are catching up')
  }
}

const failing = (log: Logger) => (name: string, why: unknown) =>
  log.error({ process: name, failure: why instanceof Error ? why.stack : why }, 'process failed, trying again')
