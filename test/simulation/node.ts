// One simulated node: what main.ts puts together below HTTP, on stores that outlive it. A crash drops everything it holds.

import type { CommandDeps } from '../../commands/deps.ts'
import { createHandler } from '../../commands/handle.ts'
import { queryDeps } from '../../compose.ts'
import { workingKeys } from '../../credentials/master.ts'
import { PERSONAL_FIELDS } from '../../domain/personal.ts'
import { finishClaims } from '../../processes/finish-claims.ts'
import { runProcess } from '../../processes/run.ts'
import { viewsOver } from '../../projections/all.ts'
import { createApplier } from '../../projections/apply.ts'
import { Progress } from '../../projections/progress.ts'
import { type RunDeps, run } from '../../projections/run.ts'
import { startViews } from '../../projections/start.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { Rankings } from '../../stores/contract/rankings.ts'
import { createRankings } from '../../stores/embedded/rankings.ts'
import { sealHistory, sealLog } from '../../stores/sealing/log.ts'
import { sealVault } from '../../stores/sealing/vault.ts'
import { Life } from './planted.ts'
import { Wire } from './wire.ts'
import type { World } from './world.ts'

export const KEYS = workingKeys(Buffer.alloc(32, 7))

/** A node that is up. */
export interface Running {
  readonly name: string
  readonly life: Life
  readonly commands: CommandDeps
  readonly queries: QueryDeps
  readonly rankings: Rankings
  readonly progress: Progress
  /** Unix milliseconds by this node's own clock. */
  now(): number
}

/** Starts a node. Rejects with what `world.isPlanted` knows where a fault hit its start: the process would have exited. */
export async function startNode(world: World, name: string, skewMs: number): Promise<Running> {
  const { scheduler, rates } = world
  const stores = await world.open()
  const life = new Life()
  const wire = new Wire(scheduler, life, name)
  const vault = sealVault(wire.vault(stores.vault), { current: KEYS.seal, previous: [] })
  const log = sealLog(wire.log(stores.log, rates), vault, PERSONAL_FIELDS)
  const views = wire.views(stores.views, rates, stores.rankings === null)
  const rankings = stores.rankings === null ? createRankings() : wire.rankings(stores.rankings, rates)
  const history = stores.history === null ? null : sealHistory(wire.history(stores.history), vault, PERSONAL_FIELDS)
  const progress = new Progress()
  const told = (what: string, why: unknown) => {
    // Of what is dead nothing is heard, nor of what the planted faults make of themselves.
    if (!life.alive) return
    if (world.isPlanted(why)) scheduler.note(`${name} ${what}: ${why.message}`)
    else world.defect(`${name} ${what}: ${why instanceof Error ? why.stack : String(why)}`)
  }
  const deps: RunDeps = {
    log,
    views,
    rankings,
    progress,
    parked: (view, event, why) => told(`parked ${event.type} of ${event.stream} in ${view}`, why),
    reopening: (why) => told('reopens', why),
    applied: () => {},
  }
  const appliers = viewsOver({ history }).map((view) => createApplier(view, deps))
  const started = startViews(deps, appliers, () => {})
  await Promise.race([started, life.death])
  const commands = { handler: createHandler(log), log, vault, keys: KEYS }
  void run(deps, appliers, life.signal)
  const failed = (process: string, why: unknown) => told(process, why)
  const processing = runProcess({ log, views, failed }, finishClaims(commands), life.signal)
  processing.catch((why: unknown) => told('its process does not start', why))
  scheduler.note(`${name} is up`)
  const queries = queryDeps({ stores: { history, views, rankings } })
  return { name, life, commands, queries, rankings, progress, now: () => scheduler.nowMs + skewMs }
}
