// This process as a node of the installation: its heartbeat, the views and processes that it runs where it is a
// projector, and word of how far the views have come where others run them.

import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { FileCommandDeps } from '../commands/command-deps.ts'
import type { StoredEvent } from '../domain/event.ts'
import { refuseHalfImport } from '../log-import/half-import.ts'
import type { ViewsWatch } from '../observability/node-metrics.ts'
import { failureText } from '../observability/repeated-failures.ts'
import { buryAgain } from '../processes/bury-again.ts'
import { runProcesses } from '../processes/run.ts'
import { runTimed } from '../processes/tick.ts'
import { viewsOver } from '../projections/all.ts'
import { createDrive, KEPT_MS } from '../projections/builds/drive.ts'
import { untilFilled } from '../projections/fill-rankings.ts'
import { Folds } from '../projections/folds.ts'
import { type FollowDeps, followOthers } from '../projections/follow.ts'
import type { ViewsShares } from '../projections/held-bytes.ts'
import { history } from '../projections/history.ts'
import { createLag } from '../projections/lag.ts'
import { createDropUnused } from '../projections/old-views.ts'
import type { Progress } from '../projections/progress.ts'
import { viewKey } from '../projections/projection.ts'
import type { RunDeps } from '../projections/run.ts'
import { prepareViews, untilBuilt } from '../projections/start.ts'
import type { QueryDeps } from '../queries/deps.ts'
import { BEAT_EVERY_MS, LEASE_MS } from '../stores/contract/leases.ts'
import type { Stores } from '../stores/contract/stores.ts'
import type { NodeBuilds } from './builds.ts'
import { type DeletionParts, deletionOf, passingOver } from './deletion.ts'
import { followBuilds } from './follow-builds.ts'
import { type Heartbeat, startHeartbeat } from './heartbeat.ts'
import { processesOf } from './processes.ts'
import { runViews } from './run-views.ts'

const ID_BYTES = 12
/** Where others may still read them, old views are kept for as long after the last one was seen. */
const OLD_VIEWS_KEPT_MS = 60_000
const TELL_EVERY_MS = 1_000

export interface NodeDeps {
  readonly stores: Stores
  readonly commands: FileCommandDeps
  readonly queries: QueryDeps
  readonly progress: Progress
  readonly isProjector: boolean
  /** What its views and folds may take. */
  readonly memory: ViewsShares
  /** Which builds of the views are read and applied. */
  readonly builds: NodeBuilds
  /** What deleting a game takes beside what is here; left out: games are not deleted here. */
  readonly deletion?: DeletionParts
  /** Whether it runs the views alone, and no process. */
  readonly onlyViews?: boolean
  /** Whether no other process can be on these stores. */
  readonly isAlone: boolean
  readonly log: Logger
  /** Unix milliseconds. */
  now(): number
  readonly watch: ViewsWatch
  /** Told of a failure that leaves nothing but to end the process. */
  fatal(why: string): void
}

export interface JoinedNode {
  /** How long the oldest event that this node has yet to apply has waited; 0 where it applies none. */
  lagMs(): Promise<number>
  /** Ends what runs, with all that was applied written, and gives back what is held. */
  stop(): Promise<void>
}

/**
 * Answers once every view has what the log held at the beginning, and its rankings are filled. Rejects where they
 * cannot be prepared, run or followed.
 */
export async function joinNodes(deps: NodeDeps): Promise<JoinedNode> {
  const { stores, commands, queries, progress, builds, log, watch, fatal } = deps
  // First of all: who drops old views must know that these are used.
  const heartbeat = await beat(deps)
  const fresh = await prepared(deps).catch(async (failure: unknown) => {
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
  const reopening = (why: unknown) => {
    if (isBuilt) watch.reopening(why)
    else failing.abort(why)
  }
  const lookFailed = (why: unknown) => {
    if (isBuilt) log.warn({ failure: failureText(why) }, 'how far the views are could not be read: trying again')
    else failing.abort(why)
  }
  const runDeps: RunDeps = {
    ...stores,
    history: queries.history,
    installation: commands.keys.installation,
    progress,
    ...watch,
    stands: lag.stands,
    applied,
    reopening,
    catchingUp: telling(log, fresh),
  }
  const running = Promise.all([
    follow({ ...runDeps, lookFailed }, builds, heartbeat, stopping.signal),
    deps.isProjector ? project(deps, runDeps, heartbeat, stopping.signal) : followBuilds(deps, null, stopping.signal),
  ])
  const stop = async () => {
    stopping.abort()
    await running
    await heartbeat.stop()
  }
  running.catch((why: unknown) => fatal(`the node's work broke off: ${why}`))
  const waiting = setInterval(() => log.info('waiting until the views are built'), 10 * TELL_EVERY_MS)
  try {
    await untilBuilt(stores.log, progress, failing.signal)
    await untilFilled(stores.rankings, builds.now().shown, failing.signal)
    isBuilt = true
    if (failing.signal.aborted) throw failing.signal.reason
    await destroyRestoredKeys(deps)
    return { lagMs: async () => (deps.isProjector ? lag.ms(deps.now()) : 0), stop }
  } catch (failure) {
    await stop()
    throw failure
  } finally {
    clearInterval(waiting)
  }
}

async function destroyRestoredKeys({ stores, queries, log, isProjector, onlyViews }: NodeDeps): Promise<void> {
  if (!isProjector || onlyViews === true) return
  const destroyed = await buryAgain(stores.vault, stores.log, queries)
  if (destroyed === 0) return
  const text = 'the vault held keys of deleted players or secrets of deleted games, as a restored copy does: destroyed'
  log.warn({ buried: destroyed }, text)
}

async function prepared({ stores, builds }: NodeDeps): Promise<readonly string[]> {
  // Once more, now that this node is known of: an import looks for nodes after its mark is there, so one of the two
  // sees the other.
  await refuseHalfImport(stores.vault)
  return prepareViews(stores, builds.now().inStep)
}

/** Where partitions that others hold have come to, in every build that is in step. */
async function follow(deps: FollowDeps, builds: NodeBuilds, heartbeat: Heartbeat, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { inStep, changed } = builds.now()
    await followOthers(deps, inStep.map(viewKey), heartbeat, AbortSignal.any([signal, changed]))
  }
}

/** Runs until the signal aborts; what was applied is written by then. */
async function project(deps: NodeDeps, own: RunDeps, heartbeat: Heartbeat, signal: AbortSignal): Promise<void> {
  const { stores, commands, queries, progress, builds, now } = deps
  const failed = deps.watch.processFailed
  const folds = new Folds(own, deps.memory.ruleFolds)
  const runDeps: RunDeps = { ...own, folds }
  const views = viewsOver(stores)
  const held = () => heartbeat.now().partitions
  const { filesMissing } = deps.watch
  const deletion = deletionOf(stores, builds, deps.deletion)
  const { reacting, timed } =
    deps.onlyViews === true
      ? { reacting: [], timed: [] }
      : processesOf({ ...stores, commands, queries, progress, folds, signal, now, filesMissing, deletion })
  const historyView = views.find(({ name }) => name === history.name) ?? null
  const running = runViews(runDeps, { builds, historyView, memory: deps.memory }, heartbeat, signal)
  const drive = createDrive({
    ...stores,
    pointer: builds.pointer,
    projections: views,
    isInStep: running.isInStep,
    settleMs: deps.isAlone ? 0 : LEASE_MS + BEAT_EVERY_MS,
    keptMs: KEPT_MS,
    elapsedMs: () => performance.now(),
    now,
  })
  await Promise.all([
    running.over,
    followBuilds(deps, async () => (held().has(0) ? drive(signal) : undefined), signal),
    runProcesses({ ...stores, failed }, passingOver(reacting, deps.deletion), heartbeat, signal),
    ...timed.map((one) => runTimed({ held, now, failed }, one, signal)),
  ])
}

function beat({ stores, builds, isProjector, isAlone, log, fatal }: NodeDeps): Promise<Heartbeat> {
  const views = viewsOver(stores)
  const dropUnused = createDropUnused(
    {
      views: stores.views,
      rankings: stores.rankings,
      elapsedMs: () => performance.now(),
      dropped: (view) => log.info({ view }, 'an old view was dropped: no node uses it any more'),
    },
    views,
    isAlone ? 0 : OLD_VIEWS_KEPT_MS,
    builds.keys,
  )
  const failed = (why: unknown) => log.warn({ failure: failureText(why) }, 'the heartbeat failed: trying again')
  const beaten = async (used: readonly string[], gapMs: number) => {
    if (gapMs > LEASE_MS) await checkStillThere(stores, builds.now().inStep.map(viewKey), fatal)
    if (isProjector) await dropUnused(used)
  }
  const node = {
    id: randomBytes(ID_BYTES).toString('base64url'),
    // Of the views and not of their builds: nodes that have not looked yet share the partitions with those that have.
    group: isProjector ? views.map(viewKey).join() : null,
    get uses() {
      return builds.keys()
    },
  }
  return startHeartbeat(stores.leases, node, {
    // Whoever holds a partition knows, as of its last heartbeat at least, what is to be applied.
    before: () => builds.look(),
    failed,
    beaten: ({ used }, gapMs) => void beaten(used, gapMs).catch(failed),
  })
}

/** While this node was not heard of, its views may have been taken for unused. */
async function checkStillThere(
  { views }: Stores,
  keys: readonly string[],
  fatal: (why: string) => void,
): Promise<void> {
  const there = await views.list()
  const gone = keys.filter((key) => !there.includes(key))
  if (gone.length > 0)
    fatal(`${gone.join(', ')}: dropped while this node was not heard of. Its next start builds them.`)
}

/** Says at most once a second how far the views have come. */
function telling(log: Logger, fresh: readonly string[]): (read: number) => void {
  let next = 0
  return (read) => {
    if (performance.now() < next) return
    next = performance.now() + TELL_EVERY_MS
    log.info({ fresh, read }, 'views are catching up')
  }
}
