// Runs this process as a node of the cluster: sends heartbeats, runs views and reactions if it is a projector, and
// follows the view positions of partitions that other nodes own.

import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { FileCommandDeps } from '../../commands/command-deps.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { refuseUnfinishedImport } from '../../portability/import/import-marker.ts'
import { viewsOver } from '../../projections/all.ts'
import { createBuildDriver, KEEP_PREVIOUS_MS } from '../../projections/builds/drive.ts'
import { untilFilled } from '../../projections/fill-rankings.ts'
import { Folds } from '../../projections/folds.ts'
import { type FollowDeps, followOthers } from '../../projections/follow.ts'
import { history } from '../../projections/history.ts'
import { createLag } from '../../projections/lag.ts'
import type { ViewsMemory } from '../../projections/memory-budget.ts'
import { createDropUnused } from '../../projections/old-views.ts'
import type { Progress } from '../../projections/progress.ts'
import { viewKey } from '../../projections/projection.ts'
import type { RunDeps } from '../../projections/run.ts'
import { prepareViews, untilBuilt } from '../../projections/start.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import { runReactions } from '../../reactions/run.ts'
import { runTimed } from '../../reactions/tick.ts'
import { failureText } from '../../runtime/repeated-failures.ts'
import { BEAT_EVERY_MS, LEASE_MS } from '../../stores/contract/leases.ts'
import type { Stores } from '../../stores/contract/stores.ts'
import type { ViewsWatch } from '../metrics/node-metrics.ts'
import { followBuilds, type NodeBuilds } from './builds.ts'
import {
  type DeletionParts,
  deletionOf,
  destroyRestoredKeys,
  dropIncompleteViews,
  skippingDeletedGames,
} from './deletion.ts'
import { type Heartbeat, startHeartbeat } from './heartbeat.ts'
import { reactionsOf } from './reactions.ts'
import { runViews } from './run-views.ts'

const ID_BYTES = 12
/** With several nodes: how long unused views are kept after the last node reported using them. */
const UNUSED_VIEWS_KEPT_MS = 60_000
const LOG_EVERY_MS = 1_000

export interface NodeDeps {
  readonly stores: Stores
  readonly commands: FileCommandDeps
  readonly queries: QueryDeps
  readonly progress: Progress
  readonly isProjector: boolean
  readonly memory: ViewsMemory
  readonly builds: NodeBuilds
  /** Further dependencies of game deletion. If absent, this node does not delete games. */
  readonly deletion?: DeletionParts
  readonly onlyViews?: boolean
  /** True if no other process can use these stores. */
  readonly isAlone: boolean
  readonly log: Logger
  /** Unix milliseconds. */
  now(): number
  readonly watch: ViewsWatch
  /** Reports an unrecoverable failure; the process must end. */
  fatal(reason: string): void
}

export interface JoinedNode {
  /** Age in ms of the oldest event that this node still has to apply; 0 if this node is not a projector. */
  lagMs(): Promise<number>
  /** Stops all work, writes what was applied, and releases the leases. */
  stop(): Promise<void>
}

/**
 * Resolves once every view has applied the events that the log held at the start, and the rankings are filled. Rejects
 * if the views cannot be prepared, run or followed.
 */
export async function joinNodes(deps: NodeDeps): Promise<JoinedNode> {
  const { stores, commands, queries, progress, builds, log, watch, fatal } = deps
  // The heartbeat comes first: nodes that drop unused views must know that these are used.
  const heartbeat = await beginHeartbeat(deps)
  const fresh = await prepare(deps).catch(async (failure: unknown) => {
    await heartbeat.stop()
    throw failure
  })
  const stopping = new AbortController()
  const failing = new AbortController()
  let isBuilt = false
  const lag = createLag(stores.log, heartbeat, progress)
  const applied = (events: number, last: StoredEvent) => {
    lag.read(last.position)
    watch.applied(events, last)
  }
  /** Until the views are built a failure ends the start; later it is only reported. */
  const reported = (report: (error: unknown) => void) => (error: unknown) =>
    isBuilt ? report(error) : failing.abort(error)
  const pollFailed = (error: unknown) =>
    log.warn({ failure: failureText(error) }, 'the view positions could not be read: trying again')
  const runDeps: RunDeps = {
    ...stores,
    history: queries.history,
    installation: commands.keys.installation,
    progress,
    ...watch,
    readsFrom: lag.startFrom,
    applied,
    reopening: reported((error) => watch.reopening(error)),
    catchingUp: logProgress(log, fresh),
  }
  const running = Promise.all([
    followPositions({ ...runDeps, pollFailed: reported(pollFailed) }, builds, heartbeat, stopping.signal),
    deps.isProjector
      ? runProjector(deps, runDeps, heartbeat, stopping.signal)
      : followBuilds(deps, null, stopping.signal),
  ])
  const stop = async () => {
    stopping.abort()
    await running
    await heartbeat.stop()
  }
  running.catch((error: unknown) => fatal(`the node's work failed: ${error}`))
  const waiting = setInterval(() => log.info('waiting until the views are built'), 10 * LOG_EVERY_MS)
  try {
    await untilBuilt(stores.log, progress, failing.signal)
    await untilFilled(stores.rankings, builds.now().active, failing.signal)
    isBuilt = true
    if (failing.signal.aborted) throw failing.signal.reason
    if (deps.isProjector && deps.onlyViews !== true) await destroyRestoredKeys(stores, queries, deps)
    return { lagMs: async () => (deps.isProjector ? lag.ms(deps.now()) : 0), stop }
  } catch (failure) {
    await stop()
    throw failure
  } finally {
    clearInterval(waiting)
  }
}

async function prepare({ stores, builds, deletion, log }: NodeDeps): Promise<readonly string[]> {
  // Check again after the first heartbeat: an import writes its marker before it looks for nodes, so at least one of
  // the two sees the other.
  await refuseUnfinishedImport(stores.vault)
  if (deletion !== undefined) await dropIncompleteViews(stores, deletion.deletedGames, log)
  return prepareViews(stores, builds.now().inStep)
}

/** Follows the positions of partitions that other nodes own, for all builds that are updated together. */
async function followPositions(
  deps: FollowDeps,
  builds: NodeBuilds,
  heartbeat: Heartbeat,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { inStep, changed } = builds.now()
    await followOthers(deps, inStep.map(viewKey), heartbeat, AbortSignal.any([signal, changed]))
  }
}

/** Runs views and reactions until the signal aborts. All applied changes are written when it resolves. */
async function runProjector(deps: NodeDeps, own: RunDeps, heartbeat: Heartbeat, signal: AbortSignal): Promise<void> {
  const { stores, commands, queries, progress, builds, now } = deps
  const failed = deps.watch.reactionFailed
  const folds = new Folds(own, deps.memory.ruleFolds)
  const runDeps: RunDeps = { ...own, folds }
  const views = viewsOver(stores)
  const held = () => heartbeat.now().partitions
  const { filesMissing } = deps.watch
  const deletion = deletionOf(stores, builds, deps.deletion)
  const { clockMs } = stores.leases
  const sharedNow = clockMs && { sharedNow: clockMs }
  const { reacting, timed } =
    deps.onlyViews === true
      ? { reacting: [], timed: [] }
      : reactionsOf({
          ...stores,
          commands,
          queries,
          progress,
          folds,
          signal,
          now,
          filesMissing,
          deletion,
          ...sharedNow,
        })
  const historyView = views.find(({ name }) => name === history.name) ?? null
  const running = runViews(runDeps, { builds, historyView, memory: deps.memory }, heartbeat, signal)
  const drive = createBuildDriver({
    ...stores,
    pointer: builds.pointer,
    projections: views,
    isInStep: running.isInStep,
    settleMs: deps.isAlone ? 0 : LEASE_MS + BEAT_EVERY_MS,
    keptMs: KEEP_PREVIOUS_MS,
    elapsedMs: () => performance.now(),
    now,
  })
  await Promise.all([
    running.over,
    followBuilds(deps, async () => (held().has(0) ? drive(signal) : undefined), signal),
    runReactions({ ...stores, failed }, skippingDeletedGames(reacting, deps.deletion), heartbeat, signal),
    ...timed.map((one) => runTimed({ held, now, failed }, one, signal)),
  ])
}

function beginHeartbeat({ stores, builds, isProjector, isAlone, log, fatal }: NodeDeps): Promise<Heartbeat> {
  const views = viewsOver(stores)
  const dropUnused = createDropUnused(
    {
      views: stores.views,
      rankings: stores.rankings,
      elapsedMs: () => performance.now(),
      dropped: (view) => log.info({ view }, 'an unused view was dropped'),
    },
    views,
    isAlone ? 0 : UNUSED_VIEWS_KEPT_MS,
    builds.keys,
  )
  const failed = (error: unknown) => log.warn({ failure: failureText(error) }, 'the heartbeat failed: trying again')
  const onHeartbeat = async (used: readonly string[], gapMs: number) => {
    if (gapMs > LEASE_MS) await checkStillThere(stores, builds.now().inStep.map(viewKey), fatal)
    if (isProjector) await dropUnused(used)
  }
  const node = {
    id: randomBytes(ID_BYTES).toString('base64url'),
    // View keys, not build keys: nodes that have not polled the pointer yet still share partitions with those that
    // have.
    group: isProjector ? views.map(viewKey).join() : null,
    get uses() {
      return builds.keys()
    },
  }
  return startHeartbeat(stores.leases, node, {
    // A node that owns a partition has read the pointer at its last heartbeat or later.
    before: () => builds.refresh(),
    failed,
    onHeartbeat: ({ used }, gapMs) => void onHeartbeat(used, gapMs).catch(failed),
  })
}

/** Other nodes may have dropped this node's views as unused while its heartbeat was missing. */
async function checkStillThere({ views }: Stores, keys: readonly string[], fatal: NodeDeps['fatal']): Promise<void> {
  const there = await views.list()
  const gone = keys.filter((key) => !there.includes(key))
  if (gone.length > 0)
    fatal(`${gone.join(', ')}: dropped while this node sent no heartbeat. Restart this node: it builds them again.`)
}

/** Logs the catch-up progress of the views at most once a second. */
function logProgress(log: Logger, fresh: readonly string[]): (read: number) => void {
  let next = 0
  return (read) => {
    if (performance.now() < next) return
    next = performance.now() + LOG_EVERY_MS
    log.info({ fresh, read }, 'views are catching up')
  }
}
