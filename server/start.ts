// The composition root: opens the stores, starts the views, the reactions and the servers in order, and stops them in
// reverse order.

import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { NodeRevocations } from '../access/revocations.ts'
import type { CommandDeps, NodeCommandDeps } from '../commands/command-deps.ts'
import { createHandler } from '../commands/handle.ts'
import { refuseDeleted } from '../commands/refuse-deleted.ts'
import { refuseWhileClockBehind } from '../commands/refuse-while-clock-behind.ts'
import { createSnapshots } from '../commands/snapshots.ts'
import { createSubmissionTexts } from '../commands/submission-texts.ts'
import type { MasterSecrets, WorkingKeys } from '../credentials/master.ts'
import { createTokens } from '../credentials/tokens.ts'
import { type Checks, createReadiness } from '../http/pipeline/health.ts'
import { viewsOver } from '../projections/all.ts'
import { withActiveBuilds } from '../projections/builds/active-builds.ts'
import { EMBEDDED_CAUGHT_UP_BYTES } from '../projections/memory-budget.ts'
import { Progress } from '../projections/progress.ts'
import { viewKey } from '../projections/projection.ts'
import { createRoomsServer } from '../realtime/server.ts'
import { VERSION } from '../runtime/version.ts'
import type { OpenedStores, Stores } from '../stores/contract/stores.ts'
import { openDataFolder } from '../stores/embedded/data-folder.ts'
import { tighten } from '../stores/embedded/private-files.ts'
import { type Parts, queryDeps, readinessChecks } from './compose.ts'
import { createNodeStatuses } from './compose-pipeline.ts'
import { roomsDeps } from './compose-rooms.ts'
import type { Config } from './config.ts'
import { DamageCounts, failureHooks, retryOnDamage } from './failures.ts'
import { type Installation, openInstallation } from './installation.ts'
import { type Memory, memoryHere } from './memory.ts'
import {
  watch,
  watchClock,
  watchCommits,
  watchDamageCounts,
  watchLag,
  watchLog,
  watchRevocations,
  watchWindows,
} from './metrics/node-metrics.ts'
import { watchEventStore, watchProcess } from './metrics/process-metrics.ts'
import { createNodeBuilds, type NodeBuilds } from './node/builds.ts'
import { deletionParts, watchDeletedGames } from './node/deletion.ts'
import { joinNodes } from './node/join.ts'
import { followClock, type NodeClock, openNodeClock } from './node-clock.ts'
import { type Bytes, type OwnFiles, openBytes } from './open-bytes.ts'
import { openMail } from './open-mail.ts'
import { openStores, storesNamed } from './open-stores.ts'
import { operatorOf } from './operator.ts'
import { reencryptVault } from './reencrypt-vault.ts'
import { serve } from './serve.ts'
import { indexing } from './windows.ts'

export interface Running {
  /** Null where this process serves neither the API nor the rooms. */
  readonly port: number | null
  readonly adminPort: number
  /** Path of the operator key's file if this start created one, else null. */
  readonly operatorFile: string | null
  /** Stops accepting requests, finishes running ones, writes the last checkpoints and closes the stores. Idempotent. */
  stop(): Promise<void>
}

/** Starts everything. If a part cannot start, closes the stores and rejects. `now` returns Unix milliseconds. */
export function start(
  config: Config,
  log: Logger,
  now: () => number = Date.now,
  ownFiles: OwnFiles | null = null,
): Promise<Running> {
  const damageCounts = new DamageCounts()
  return retryOnDamage(log, (onDamage) =>
    startOnce({ config, log, now, ownFiles, damageCounts }, failureHooks(log, onDamage, damageCounts)),
  )
}

async function startOnce(
  given: Pick<StartContext, 'config' | 'log' | 'now' | 'ownFiles'> & { readonly damageCounts: DamageCounts },
  { fatal, hooks: failing }: ReturnType<typeof failureHooks>,
): Promise<Running> {
  const { config, log, now } = given
  const master = await openDataFolder(config.dataDir, config)
  for (const failure of await tighten(config.dataDir)) log.warn(failure)
  const metrics = new Registry()
  watchLog(metrics, log)
  watchDamageCounts(metrics, given.damageCounts.byFile)
  const memory = memoryHere(config.roles, config.memory)
  const hooks = { ...failing, onCommit: watchCommits(metrics), ...watchEventStore(metrics) }
  const opened = await openStores(config, { ...hooks, ...memory.storeSizes, now })
  try {
    return await startOn(opened, { ...given, metrics, master, ...memory, fatal })
  } catch (failure) {
    await opened.close()
    throw failure
  }
}

interface StartContext extends Pick<Memory, 'shares' | 'cacheSizes' | 'maxConnections'> {
  readonly config: Config
  readonly log: Logger
  readonly metrics: Registry
  readonly now: () => number
  readonly ownFiles: OwnFiles | null
  readonly master: MasterSecrets
  /** Logs the reason and ends the process. */
  fatal(reason: string): void
}

/** What all other parts are built on: the stores with decrypted data, and the commands that write to them. */
interface Infrastructure extends Pick<Bytes, 'fileRoutes' | 'filesFault'> {
  readonly rawStores: Stores
  readonly builds: NodeBuilds
  /** The same stores; view keys resolve to the active builds. */
  readonly stores: Stores
  readonly keys: WorkingKeys
  readonly unfiltered: Installation['unfiltered']
  readonly deletedGames: Installation['deletedGames']
  readonly revocations: NodeRevocations
  readonly commands: NodeCommandDeps
  release(): Promise<void>
}

async function startOn(opened: OpenedStores, context: StartContext): Promise<Running> {
  const { config, log, metrics, now, fatal, shares } = context
  const clock = await openNodeClock(opened, { now, isAccepted: config.acceptsClock })
  watchClock(metrics, clock)
  const watched = { ...opened, log: clock.watching(opened.log) }
  const infrastructure = await openInfrastructure(watched, { ...context, clock })
  const { rawStores, builds, stores, commands, filesFault } = infrastructure
  const progress = new Progress()
  const counted = watchWindows(log, metrics, () => queries.windows.bytes)
  const queries = indexing(queryDeps({ stores }), stores, { ...counted, maxBytes: shares.windows }, builds.keyOf)
  const watching = watch(log, metrics)
  const joining = joinNodes({
    // The projector addresses each build by its own key; all other readers use the active build.
    stores: rawStores,
    builds,
    commands,
    queries,
    progress,
    isProjector: config.roles.has('projector'),
    memory: { ...shares, ...(config.servers === null && { documentsCaughtUp: EMBEDDED_CAUGHT_UP_BYTES }) },
    isAlone: config.servers === null,
    log,
    now,
    watch: watching,
    fatal,
    deletion: deletionParts(infrastructure, queries, context),
  })
  const leave = async () => {
    await queries.windows.stop()
    await infrastructure.release()
  }
  const node = await joining.catch(async (failure: unknown) => {
    await leave()
    throw failure
  })
  watchLag(metrics, node.lagMs)
  const mail = config.roles.has('api') ? await openMail(context) : null
  const release = async () => {
    await Promise.all([node.stop(), mail?.close()])
    await leave()
  }
  const files = { missing: watching.missingFiles, fault: filesFault }
  const checks = readinessChecks(stores, node.lagMs, files, () => clock.warning)
  try {
    return await startServers(opened, context, infrastructure, { progress, queries, mail, checks, release })
  } catch (failure) {
    await release()
    throw failure
  }
}

async function openInfrastructure(
  opened: OpenedStores,
  context: StartContext & { readonly clock: NodeClock },
): Promise<Infrastructure> {
  const { config, log, metrics, now, master, cacheSizes, clock } = context
  const { stores: rawStores, keys, unfiltered, deletedGames, filesClaim } = await openInstallation(opened, master)
  const builds = await createNodeBuilds(rawStores.views, viewsOver(rawStores))
  const stores = withActiveBuilds(rawStores, builds.keyOf)
  watchProcess(metrics, config)
  const revocations = new NodeRevocations(stores.revocations, { now, elapsedMs: () => performance.now() })
  watchDeletedGames(revocations, deletedGames)
  await revocations.start()
  watchRevocations(metrics, revocations)
  const publish: CommandDeps['publish'] = (changes) => revocations.note(changes)
  const { log: events, vault } = stores
  const snapshotFailed = (error: unknown) =>
    log.warn({ failure: String(error) }, 'a snapshot could not be written or read: more events are read instead')
  const snapshots = createSnapshots(events, stores.views, snapshotFailed)
  const recording = createHandler(events, { snapshots, maxStreams: cacheSizes.streams })
  const handler = refuseWhileClockBehind(refuseDeleted(recording, deletedGames.has), clock.refusesWrites)
  const submissionTexts = createSubmissionTexts(events)
  const { clockMs } = stores.leases
  const sharedNow = clockMs && { sharedNow: clockMs }
  const base = { handler, log: events, vault, keys, submissionTexts, publish, ...sharedNow }
  const { files, filesFault, releasePrereserved, fileRoutes, close } = await openBytes(base, {
    ...context,
    locks: stores.transient,
    filesClaim,
  })
  const leaveClock = followClock(clock, opened, log)
  const release = async () => {
    revocations.stop()
    await leaveClock()
    await close()
  }
  const storage = { rawStores, builds, stores, keys, unfiltered, deletedGames, fileRoutes, filesFault }
  return { ...storage, revocations, commands: { ...base, files, releasePrereserved }, release }
}

/** The parts of a node that has joined the cluster. `release` closes them and the infrastructure. */
interface Joined extends Pick<Parts, 'progress' | 'queries' | 'mail'> {
  readonly checks: Checks
  release(): Promise<void>
}

async function startServers(
  opened: OpenedStores,
  context: StartContext,
  { builds, stores, keys, revocations, commands, fileRoutes, deletedGames }: Infrastructure,
  { progress, queries, mail, checks, release }: Joined,
): Promise<Running> {
  const { config, log, metrics, cacheSizes } = context
  const operatorFile = await operatorOf(context, stores, commands, progress)
  const stopping = new AbortController()
  const tokens = createTokens(keys.token, cacheSizes.tokenBytes)
  const backedUp = config.servers === null ? { ...opened, installation: keys.installation, key: keys.backup } : null
  const made = { stores, commands, queries, progress, tokens, revocations, mail, backedUp }
  const parts: Parts = { ...context, ...made, stopping: stopping.signal, builds }
  const statuses = createNodeStatuses(parts, deletedGames)
  const rooms = config.roles.has('rooms') ? await createRoomsServer(roomsDeps(parts, statuses)) : null
  const ready = createReadiness({ ...checks, ...(rooms === null ? {} : { rooms: rooms.check }) })
  const served = await serve({ parts, statuses, fileRoutes, rooms, stopping }, ready)
  const views = builds.now().active.map(viewKey)
  const summary = { version: VERSION, roles: [...config.roles], stores: storesNamed(config), ...served.ports, views }
  log.info({ ...summary, memory: context.shares, caches: cacheSizes }, 'ready')
  const reencryption = reencryptVault(opened, context)
  const stop = async () => {
    await served.close()
    await reencryption?.stop()
    await release()
    await opened.close()
    // The observers of Node itself outlive this call and would keep the registry in memory.
    metrics.clear()
    log.info('stopped')
  }
  let stopped: Promise<void> | null = null
  return { ...served.ports, operatorFile, stop: () => (stopped ??= stop()) }
}
