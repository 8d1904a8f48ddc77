// The composition root: picks the adapters, starts the views, the processes and the servers in order, and stops them in
// reverse. The only file that knows which adapter stands behind which contract.

import type { Logger } from 'pino'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { CommandDeps } from './commands/deps.ts'
import { createHandler } from './commands/handle.ts'
import type { Config } from './config.ts'
import { keyedDigest, workingKeys } from './credentials/master.ts'
import { freshMinting, keyedMinting } from './credentials/mint.ts'
import { createTokens, type Tokens } from './credentials/tokens.ts'
import type { Json } from './domain/event.ts'
import { PERSONAL_FIELDS } from './domain/personal.ts'
import { allRoutes } from './http/routes/all.ts'
import type { RouteDeps } from './http/routes/deps.ts'
import { createAdminServer, createHttpServer, type PipelineDeps } from './http/server.ts'
import { watch, watchCommits } from './metrics.ts'
import { makeOperator } from './operator.ts'
import { finishClaims } from './processes/finish-claims.ts'
import { runProcess } from './processes/run.ts'
import { ALL_VIEWS } from './projections/all.ts'
import { createApplier } from './projections/apply.ts'
import { Progress } from './projections/progress.ts'
import { viewKey } from './projections/projection.ts'
import { type RunDeps, run } from './projections/run.ts'
import { startViews } from './projections/start.ts'
import { authenticate } from './queries/access.ts'
import type { QueryDeps } from './queries/deps.ts'
import { findGame } from './queries/game.ts'
import { findKey } from './queries/key.ts'
import { openDataFolder } from './stores/embedded/data-folder.ts'
import { openEmbedded, type Stores } from './stores/embedded/open.ts'
import { sealLog } from './stores/sealing/log.ts'
import { sealVault } from './stores/sealing/vault.ts'
import { VERSION } from './version.ts'

/** How long running requests have to finish when the process is told to stop. */
const GRACE_MS = 10_000
const SEEN_TIMEOUT_MS = 2_000

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
  const secrets = await openDataFolder(config.dataDir, config.masterKey !== null)
  const master = config.masterKey ?? Buffer.from(secrets.masterKey ?? '', 'base64url')
  const metrics = new Registry()
  const failed = (error: Error) => {
    log.fatal({ failure: error.stack }, 'the disk failed: stopping, as what was not acknowledged is unknown')
    process.exit(1)
  }
  const opened = await openEmbedded(config.dataDir, failed, watchCommits(metrics))
  try {
    return await startOn(opened, { config, log, metrics, now, master, installation: secrets.installation })
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
  readonly installation: string
}

async function startOn(opened: Stores, setting: Setting): Promise<Running> {
  const { config, log, metrics, now, master, installation } = setting
  const keys = workingKeys(master)
  const vault = sealVault(opened.vault, { current: keys.seal, previous: [] })
  const stores: Stores = { ...opened, vault, log: sealLog(opened.log, vault, PERSONAL_FIELDS) }
  collectDefaultMetrics({ register: metrics })

  const progress = new Progress()
  const runDeps: RunDeps = { ...stores, progress, ...watch(log, metrics) }
  const appliers = ALL_VIEWS.map((view) => createApplier(view, runDeps))
  await startViews(runDeps, appliers, (fresh, read) => log.info({ fresh, read }, 'views catching up'))

  const stopping = new AbortController()
  const commands: CommandDeps = { handler: createHandler(stores.log), log: stores.log, vault, keys }
  const running = [
    run(runDeps, appliers, stopping.signal),
    runProcess({ ...stores, failed: failing(log) }, finishClaims(commands), stopping.signal),
  ]
  const operatorFile = config.production ? null : await makeOperator(commands, stores.log, config.dataDir, now())
  const head = await stores.log.head()
  if (head !== null) await progress.waitFor(null, head, SEEN_TIMEOUT_MS)

  const tokens = createTokens(keys.token)
  const queries = queryDeps(stores, progress)
  const info = { version: VERSION, url: config.publicUrl }
  const routes = allRoutes(routeDeps({ stores, commands, queries, progress, tokens }), info)
  let ready = true
  const pipeline: PipelineDeps = {
    ...origins(queries),
    authenticate: (token, nowMs) => authenticate(queries, tokens, token, nowMs),
    intents: {
      keyed: (caller, key) => keyedMinting(keys.mint, caller?.key ?? '', caller?.player ?? null, key),
      fresh: freshMinting,
      callHash: (call) => keyedDigest(keys.digest, 'call', call).toString('base64url'),
    },
    commandSeen: async (command) => {
      const [seen] = await stores.views.get(queries.viewKey('commands'), 'commands', [command])
      return seen ? { call: textOf(seen.body.call) } : null
    },
    transient: stores.transient,
    rates: stores.rates,
    ratesOfThisNode: stores.rates,
    rateLimits: config.rateLimits,
    installation,
    progress: {
      waitFor: (game, position, timeoutMs) => progress.waitFor(game, position, timeoutMs),
      current: (game) => progress.current(game) ?? '',
    },
    log,
    metrics,
    now,
    ready: () => ready,
  }
  const api = createHttpServer(pipeline, routes)
  const admin = createAdminServer({ metrics, ready: () => ready })
  const port = await api.listen(config.port, config.host)
  const adminPort = await admin.listen(config.adminPort, config.host)
  log.info({ version: VERSION, stores: 'embedded', port, adminPort, views: ALL_VIEWS.map(viewKey) }, 'ready')

  let stopped: Promise<void> | null = null
  const stop = async () => {
    ready = false
    await Promise.all([api.close(GRACE_MS), admin.close(GRACE_MS)])
    stopping.abort()
    await Promise.all(running)
    await opened.close()
    log.info('stopped')
  }
  return {
    port,
    adminPort,
    operatorFile,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

const failing = (log: Logger) => (name: string, why: unknown) =>
  log.error({ process: name, failure: why instanceof Error ? why.stack : why }, 'process failed, trying again')

function queryDeps(stores: Stores, progress: Progress): QueryDeps {
  const views = new Map(ALL_VIEWS.map((view) => [view.name, viewKey(view)]))
  return {
    ...stores,
    viewKey: (name) => {
      const key = views.get(name)
      if (key === undefined) throw new Error(`there is no view ${name}`)
      return key
    },
    position: (game) => progress.current(game),
  }
}

function routeDeps(parts: {
  stores: Stores
  commands: CommandDeps
  queries: QueryDeps
  progress: Progress
  tokens: Tokens
}): RouteDeps {
  const { stores, commands, queries, progress, tokens } = parts
  return {
    commands,
    queries,
    handshake: {
      ...stores,
      tokens,
      keys: commands.keys,
      keyOf: async (prefix) => (await findKey(queries, prefix))?.state ?? null,
    },
    seen: async (written) => {
      if (written !== null) await progress.waitFor(written.game, written.position, SEEN_TIMEOUT_MS)
    },
  }
}

function origins(queries: QueryDeps): Pick<PipelineDeps, 'corsOrigins' | 'corsAllowedByAny'> {
  return {
    corsOrigins: async (game) => (await findGame(queries, game))?.state.corsOrigins ?? [],
    corsAllowedByAny: async (origin) => {
      const [allowed] = await queries.views.get(queries.viewKey('origins'), 'origins', [origin])
      return allowed !== null && allowed !== undefined
    },
  }
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}
