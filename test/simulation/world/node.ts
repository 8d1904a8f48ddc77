// One simulated node: what main.ts puts together below HTTP, on stores that outlive it. A crash drops everything it holds.

import type { FileCommandDeps } from '../../../commands/deps.ts'
import { createHandler } from '../../../commands/handle.ts'
import { workingKeys } from '../../../credentials/master.ts'
import { PERSONAL_FIELDS } from '../../../domain/personal.ts'
import { queryDeps } from '../../../node/compose.ts'
import { processesOf } from '../../../node/processes.ts'
import { indexing } from '../../../node/windows.ts'
import type { Process } from '../../../processes/process.ts'
import { runProcess } from '../../../processes/run.ts'
import type { Timed } from '../../../processes/tick.ts'
import { viewsOver } from '../../../projections/all.ts'
import { createApplier } from '../../../projections/apply.ts'
import { Folds } from '../../../projections/folds.ts'
import { followOthers } from '../../../projections/follow.ts'
import { history as historyView } from '../../../projections/history.ts'
import { Progress } from '../../../projections/progress.ts'
import { viewKey } from '../../../projections/projection.ts'
import { type RunDeps, run } from '../../../projections/run.ts'
import { prepareViews, untilBuilt } from '../../../projections/start.ts'
import type { QueryDeps } from '../../../queries/deps.ts'
import { historyInViews } from '../../../queries/history.ts'
import type { CodeMail } from '../../../stores/contract/mail.ts'
import type { AllRankings } from '../../../stores/contract/rankings.ts'
import type { VaultStore } from '../../../stores/contract/vault.ts'
import { createRankings } from '../../../stores/embedded/rankings.ts'
import { sealHistory, sealLog } from '../../../stores/sealing/log.ts'
import { sealVault } from '../../../stores/sealing/vault.ts'
import type { Blobs } from './blobs.ts'
import { createPasswordStandIn } from './passwords.ts'
import { Life, PlantedFault } from './planted.ts'
import { type Routes, routesOf } from './routes.ts'
import { Wire } from './wire.ts'
import type { World } from './world.ts'

/** Events of a board that are built, or cleared, at a time: histories are short. */
const GENERATIONS = { slice: 5, keptMs: 0 }

export const KEYS = workingKeys(Buffer.alloc(32, 7))

/** A node that is up. */
export interface Running {
  readonly name: string
  readonly life: Life
  readonly commands: FileCommandDeps
  readonly queries: QueryDeps
  readonly rankings: AllRankings
  readonly progress: Progress
  readonly processes: readonly Process[]
  /** What is due by time; asked whenever the history says so. */
  readonly timed: readonly Timed[]
  /** By method and path. */
  readonly routes: Routes
  readonly wire: Wire
  readonly blobs: Blobs
  /** Unix milliseconds by this node's own clock. */
  now(): number
}

/** Starts a node. Rejects with what `world.isPlanted` knows where a fault hit its start: the process would have exited. */
export async function startNode(world: World, name: string, skewMs: number): Promise<Running> {
  const life = new Life()
  try {
    return await startWith(world, life, name, skewMs)
  } catch (failure) {
    life.kill()
    throw failure
  }
}

/** Windows come from an index on all boards, also those of best submissions. */
const INDEXED = { from: -1, atOnce: true }

async function startWith(world: World, life: Life, name: string, skewMs: number): Promise<Running> {
  const { scheduler, rates } = world
  const stores = await world.open()
  const wire = new Wire(scheduler, life, name)
  const vault = sealVault(wire.vault(stores.vault), world.masters.keys())
  const log = sealLog(wire.log(stores.log, rates), vault, PERSONAL_FIELDS)
  const views = wire.views(stores.views, rates, world.partsOfCommit)
  const rankings = stores.rankings === null ? createRankings() : wire.rankings(stores.rankings, rates)
  const history = stores.history === null ? null : sealHistory(wire.history(stores.history), vault, PERSONAL_FIELDS)
  const progress = new Progress()
  const told = (what: string, why: unknown) => {
    // Of what is dead nothing is heard, nor of what the planted faults make of themselves.
    if (!life.alive) return
    if (world.isPlanted(why)) scheduler.note(`${name} ${what}: ${why.message}`)
    else world.defect(`${name} ${what}: ${why instanceof Error ? why.stack : String(why)}`)
  }
  const starting = new AbortController()
  let isUp = false
  const deps: RunDeps = {
    log,
    history: history ?? historyInViews(views, viewKey(historyView)),
    views,
    rankings,
    installation: 'this one',
    progress,
    parked: (view, event, why) => told(`parked ${event.type} of ${event.stream} in ${view}`, why),
    reopening: (why) => (isUp ? told('reopens', why) : starting.abort(why)),
    applied: () => {},
    catchingUp: () => {},
  }
  const folds = new Folds(deps)
  const projections = viewsOver({ history })
  const keys = projections.map(viewKey)
  await orDeath(prepareViews(deps, projections), life)
  const holding = await orDeath(
    stores.join(life, keys, (why) => told('misses a heartbeat', why)),
    life,
  )
  const aside = (what: string, work: Promise<void>) => void work.catch((why: unknown) => told(what, why))
  const appliers = projections.map((view) => createApplier(view, { ...deps, folds }))
  aside('runs no views', run(deps, appliers, holding, life.signal))
  const lookFailed = (why: unknown) => told('looks in vain', why)
  aside('follows nobody', followOthers({ views, progress, lookFailed }, keys, holding, life.signal))
  await orDeath(untilBuilt(log, progress, starting.signal), life)
  if (starting.signal.aborted) throw starting.signal.reason
  isUp = true
  // As a process does that was given a previous master key: a crash may come between any two secrets.
  if (world.masters.wasRotated) aside('seals in vain', sealAnew(world, wire.vaultStore(stores.vault)))
  const now = () => scheduler.nowMs + skewMs
  const files = wire.files(world.blobs.store)
  const commands = { handler: createHandler(log), log, vault, keys: KEYS, announce: async () => {}, files }
  const queries = indexing(
    queryDeps({ stores: { history, views, rankings } }),
    { history, log, views },
    { ...INDEXED, told: (what, key, why) => void (what === 'failed' && told(`has no windows of ${key}`, why)) },
  )
  const { reacting: processes, timed } = processesOf({
    ...{ commands, queries, progress, log, folds, now, signal: life.signal, generations: GENERATIONS },
    filesMissing: () => {},
  })
  for (const process of processes) {
    aside(`${process.name} does not start`, runProcess({ log, views, failed: told }, process, holding, life.signal))
  }
  const minutes = { transient: wire.transient(stores.transient), windows: wire.windows(stores.windows) }
  const passwords = createPasswordStandIn(world.scheduler.random.pick([1, 2]))
  const send = ({ email, code }: CodeMail, askedMs: number) =>
    void world.mailed.push({ email, code, askedMs, sentMs: scheduler.nowMs })
  const routes = routesOf({ commands, queries, progress, ...minutes, passwords, now, send })
  scheduler.note(`${name} is up`)
  return { name, life, commands, queries, rankings, progress, processes, timed, routes, wire, blobs: world.blobs, now }
}

async function sealAnew({ masters, scheduler }: World, vault: VaultStore): Promise<void> {
  const { resealed, foreign, damaged } = await masters.seal(vault)
  if (foreign.size + damaged > 0) throw new Error(`${foreign.size} foreign and ${damaged} damaged secrets`)
  scheduler.note(`${resealed} secrets were sealed anew`)
}

/** Rejects where the node dies first. */
async function orDeath<T>(work: Promise<T>, life: Life): Promise<T> {
  const result = await Promise.race([work, life.death])
  if (!life.alive) throw new PlantedFault('it died')
  return result as T
}
