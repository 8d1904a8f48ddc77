// One simulated node: the parts that server/start.ts assembles below HTTP, on stores that outlive it. A crash drops its
// memory.

import type { NodeCommandDeps } from '../../../commands/command-deps.ts'
import { createHandler } from '../../../commands/handle.ts'
import { workingKeys } from '../../../credentials/master.ts'
import { PERSONAL_FIELDS } from '../../../domain/personal.ts'
import { viewsOver } from '../../../projections/all.ts'
import { withActiveBuilds } from '../../../projections/builds/active-builds.ts'
import { createBuildDriver } from '../../../projections/builds/drive.ts'
import { Folds } from '../../../projections/folds.ts'
import { type FollowDeps, followOthers } from '../../../projections/follow.ts'
import { history as historyView } from '../../../projections/history.ts'
import { Progress } from '../../../projections/progress.ts'
import { viewKey } from '../../../projections/projection.ts'
import type { RunDeps } from '../../../projections/run.ts'
import { prepareViews, untilBuilt } from '../../../projections/start.ts'
import type { QueryDeps } from '../../../queries/deps.ts'
import { historyInViews } from '../../../queries/history.ts'
import type { Reaction } from '../../../reactions/reaction.ts'
import { runReactions } from '../../../reactions/run.ts'
import type { Timed } from '../../../reactions/tick.ts'
import { queryDeps } from '../../../server/compose.ts'
import { createBuildOrders } from '../../../server/node/build-orders.ts'
import { createNodeBuilds, type NodeBuilds } from '../../../server/node/builds.ts'
import { reactionsOf } from '../../../server/node/reactions.ts'
import { runViews } from '../../../server/node/run-views.ts'
import { indexing } from '../../../server/windows.ts'
import type { PartitionOwnership } from '../../../stores/contract/leases.ts'
import type { CodeMail } from '../../../stores/contract/mail.ts'
import type { AllRankings } from '../../../stores/contract/rankings.ts'
import type { VaultStore } from '../../../stores/contract/vault.ts'
import { sealHistory, sealLog } from '../../../stores/log-decorators/sealing/open.ts'
import { sealVault } from '../../../stores/log-decorators/sealing/vault.ts'
import { createRankings } from '../../memory/rankings-in-process.ts'
import type { Blobs } from './blobs.ts'
import { createPasswordStandIn } from './passwords.ts'
import { Incarnation, PlantedFault } from './planted.ts'
import { type Routes, routesOf } from './routes.ts'
import { StoreConnection } from './store-connection.ts'
import type { World } from './world.ts'

/** Ranges of board builds and clears: small, because histories are short. */
const GENERATIONS = { policy: { events: 5, entries: 5, clearedEvents: 5, recordsAhead: true }, keptMs: 0 }

/** Batch size of documents that one event updates: small, so that crashes fall between batches. */
const FOUND_AT_ONCE = 2

export const KEYS = workingKeys(Buffer.alloc(32, 7))

/** A node that is up. */
export interface Running {
  readonly name: string
  readonly incarnation: Incarnation
  readonly commands: NodeCommandDeps
  readonly queries: QueryDeps
  /** All builds of views, by key. */
  readonly ownRankings: AllRankings
  readonly progress: Progress
  readonly reactions: readonly Reaction[]
  /** Timed jobs; the history decides when they run. */
  readonly timed: readonly Timed[]
  /** By method and path. */
  readonly routes: Routes
  readonly connection: StoreConnection
  readonly blobs: Blobs
  readonly builds: NodeBuilds
  /** Operator actions on all views. */
  readonly rebuilds: ReturnType<typeof createBuildOrders>
  /** Periodic work: advances running builds and reads the active-build pointer. */
  pollBuilds(): Promise<void>
  /** Unix milliseconds by this node's own clock. */
  now(): number
}

/**
 * Starts a node. Rejects with an error that `world.isPlanted` accepts where a fault hit the start: a process would
 * exit. `skewMs`: how far its clock is ahead now.
 */
export async function startNode(world: World, name: string, skewMs: () => number): Promise<Running> {
  const incarnation = new Incarnation()
  try {
    return await startWith(world, incarnation, name, skewMs)
  } catch (failure) {
    incarnation.kill()
    throw failure
  }
}

/** How long the previous build is retained: shorter than a history. */
const KEEP_PREVIOUS_MS = 10 * 60_000

/** Windows are served from an index on every board, also on boards of best submissions. */
const INDEXED = { from: -1, atOnce: true }

async function startWith(world: World, incarnation: Incarnation, name: string, skewMs: () => number): Promise<Running> {
  const { scheduler, rates } = world
  const stores = await world.open()
  const connection = new StoreConnection(scheduler, incarnation, name)
  const vault = sealVault(connection.vault(stores.vault), world.masters.keys())
  const log = sealLog(connection.log(stores.log, rates), vault, PERSONAL_FIELDS)
  const ownViews = connection.views(stores.views, rates, world.partsOfCommit)
  const ownRankings = stores.rankings === null ? createRankings() : connection.rankings(stores.rankings, rates)
  const history =
    stores.history === null ? null : sealHistory(connection.history(stores.history), vault, PERSONAL_FIELDS)
  const projections = viewsOver({ history })
  const keys = projections.map(viewKey)
  // Where a history has no rebuilds, this poll is not a step.
  const builds = await orDeath(createNodeBuilds(world.rebuilds ? ownViews : stores.views, projections), incarnation)
  const { views, rankings } = withActiveBuilds({ views: ownViews, rankings: ownRankings }, builds.keyOf)
  const progress = new Progress()
  const report = (what: string, error: unknown) => {
    // Ignore reports of a dead node and consequences of planted faults.
    if (!incarnation.alive) return
    if (world.isPlanted(error)) scheduler.note(`${name} ${what}: ${error.message}`)
    else world.defect(`${name} ${what}: ${error instanceof Error ? error.stack : String(error)}`)
  }
  const starting = new AbortController()
  let isUp = false
  const deps: RunDeps = {
    log,
    history: history ?? historyInViews(views, viewKey(historyView)),
    views: ownViews,
    rankings: ownRankings,
    installation: 'this one',
    progress,
    queriedAtOnce: FOUND_AT_ONCE,
    parked: (view, event, error) => report(`parked ${event.type} of ${event.stream} in ${view}`, error),
    reopening: (error) => (isUp ? report('reopens', error) : starting.abort(error)),
    applied: () => {},
    catchingUp: () => {},
  }
  const folds = new Folds(deps)
  await orDeath(prepareViews(deps, builds.now().inStep), incarnation)
  const ownership = await orDeath(
    stores.join(incarnation, keys, (error) => report('misses a heartbeat', error)),
    incarnation,
  )
  const inBackground = (what: string, work: Promise<void>) => void work.catch((error: unknown) => report(what, error))
  // As with its first heartbeat: other nodes rely on this only after it.
  if (world.rebuilds) await orDeath(builds.refresh(), incarnation)
  const applied = runViews(
    { ...deps, folds },
    { builds, historyView: history === null ? historyView : null },
    ownership,
    incarnation.signal,
  )
  world.applying.add(applied)
  incarnation.signal.addEventListener('abort', () => world.applying.delete(applied))
  inBackground('runs no views', applied.over)
  const pollFailed = (error: unknown) => report('looks in vain', error)
  inBackground(
    'follows nobody',
    followBuilds({ views: ownViews, progress, pollFailed }, builds, ownership, incarnation.signal),
  )
  await orDeath(untilBuilt(log, progress, starting.signal), incarnation)
  if (starting.signal.aborted) throw starting.signal.reason
  isUp = true
  // A node that has a previous master key re-encrypts its secrets; a crash may come between any two.
  if (world.masters.wasRotated)
    inBackground('seals in vain', reencryptVault(world, connection.vaultStore(stores.vault)))
  const now = () => scheduler.nowMs + skewMs()
  const files = connection.files(world.blobs.store)
  const commands = { handler: createHandler(log), log, vault, keys: KEYS, publish: async () => {}, files }
  const queries = indexing(
    queryDeps({ stores: { history, views, rankings } }),
    { history, log, views },
    {
      ...INDEXED,
      maxBytes: 2 ** 30,
      onEvent: (what, key, error) => void (what === 'failed' && report(`has no windows of ${key}`, error)),
    },
    builds.keyOf,
  )
  const { reacting: reactions, timed } = reactionsOf({
    ...{ commands, queries, progress, log, folds, now, signal: incarnation.signal, generations: GENERATIONS },
    filesMissing: () => {},
    logErasure: null,
    documentErasure: null,
    deletion: null,
  })
  inBackground(
    'runs no reactions',
    runReactions({ log, views: ownViews, failed: report }, reactions, ownership, incarnation.signal),
  )
  const minutes = { transient: connection.transient(stores.transient), windows: connection.windows(stores.windows) }
  const passwords = createPasswordStandIn(world.scheduler.random.pick([1, 2]))
  const send = ({ email, code }: CodeMail, askedMs: number) =>
    void world.mailed.push({ email, code, askedMs, sentMs: scheduler.nowMs })
  const routes = routesOf({ commands, queries, progress, ...minutes, passwords, now, send })
  const drive = createBuildDriver({
    ...{ views: ownViews, rankings: ownRankings, log, pointer: builds.pointer, projections },
    // Leases and their grace period keep two nodes from applying one partition; here each node that applies must stop
    // first.
    isInStep: (key) => [...world.applying].every((one) => one.isInStep(key)),
    ...{ settleMs: 0, keptMs: KEEP_PREVIOUS_MS, elapsedMs: () => performance.now(), now },
  })
  const pollBuilds = async () => {
    await drive(incarnation.signal)
    await builds.refresh()
  }
  const rebuilds = createBuildOrders({ views, history, log }, builds, now)
  scheduler.note(`${name} is up`)
  return {
    ...{
      name,
      incarnation,
      commands,
      queries,
      ownRankings,
      progress,
      reactions,
      timed,
      routes,
      connection,
      blobs: world.blobs,
      now,
    },
    ...{ builds, rebuilds, pollBuilds },
  }
}

/** Positions of the partitions that other nodes own, in every current build. */
async function followBuilds(
  deps: FollowDeps,
  builds: NodeBuilds,
  ownership: PartitionOwnership,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { inStep, changed } = builds.now()
    await followOthers(deps, inStep.map(viewKey), ownership, AbortSignal.any([signal, changed]))
  }
}

async function reencryptVault({ masters, scheduler }: World, vault: VaultStore): Promise<void> {
  const { reencrypted, foreign, damaged } = await masters.seal(vault)
  if (foreign.size + damaged > 0) throw new Error(`${foreign.size} foreign and ${damaged} damaged secrets`)
  scheduler.note(`${reencrypted} secrets were re-encrypted`)
}

/** Rejects if the node dies first. */
async function orDeath<T>(work: Promise<T>, incarnation: Incarnation): Promise<T> {
  const result = await Promise.race([work, incarnation.death])
  if (!incarnation.alive) throw new PlantedFault('it died')
  return result as T
}
