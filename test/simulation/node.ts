// One simulated node: what main.ts puts together below HTTP, on stores that outlive it. A crash drops everything it holds.

import type { CommandDeps } from '../../commands/deps.ts'
import { createHandler } from '../../commands/handle.ts'
import { queryDeps } from '../../compose.ts'
import { sealingKeys, workingKeys } from '../../credentials/master.ts'
import { Refusal } from '../../domain/decider.ts'
import { PERSONAL_FIELDS } from '../../domain/personal.ts'
import { finishClaims } from '../../processes/finish-claims.ts'
import { finishDeletions } from '../../processes/finish-deletions.ts'
import { runProcess } from '../../processes/run.ts'
import { ALL_VIEWS } from '../../projections/all.ts'
import { createApplier } from '../../projections/apply.ts'
import { Progress } from '../../projections/progress.ts'
import { viewKey } from '../../projections/projection.ts'
import { type RunDeps, run } from '../../projections/run.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { History } from '../../stores/contract/history.ts'
import { holdsAll } from '../../stores/contract/holding.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { AllRankings } from '../../stores/contract/rankings.ts'
import type { Vault } from '../../stores/contract/vault.ts'
import { createRankings } from '../../stores/embedded/rankings.ts'
import { sealHistory, sealLog } from '../../stores/sealing/log.ts'
import { sealVault } from '../../stores/sealing/vault.ts'
import type { SharedRankings } from '../memory/rankings.ts'
import { startViews } from '../projections/started.ts'
import { type FaultRates, isPlanted, Life } from './planted.ts'
import type { RewindableViews } from './rewindable-views.ts'
import type { Scheduler } from './scheduler.ts'
import { Wire } from './wire.ts'

export const KEYS = workingKeys(Buffer.alloc(32, 7))
export const SEALING = sealingKeys({ current: Buffer.alloc(32, 7), previous: [] })

/** What outlives the nodes. */
export interface World {
  readonly scheduler: Scheduler
  readonly log: Log & History
  readonly vault: Vault
  readonly views: RewindableViews
  /** Shared by the nodes, each of which fills what was lost; null: each node keeps its own, and views take a commit whole, as the embedded stores do. */
  readonly rankings: SharedRankings | null
  readonly rates: FaultRates
  /** Told of what production code reports and no planted fault explains. */
  defect(text: string): void
}

/** A node that is up. */
export interface Running {
  readonly name: string
  readonly life: Life
  readonly commands: CommandDeps
  readonly queries: QueryDeps
  readonly rankings: AllRankings
  readonly progress: Progress
  /** Unix milliseconds by this node's own clock. */
  now(): number
}

const VIEW_KEYS = new Map(ALL_VIEWS.map((view) => [view.name, viewKey(view)]))

export const viewKeyOf = (name: string): string => VIEW_KEYS.get(name) ?? ''

/** Starts a node. Rejects with a PlantedFault where one hit its start: the process would have exited. */
export async function startNode(world: World, name: string, skewMs: number): Promise<Running> {
  const { scheduler, rates } = world
  const life = new Life()
  const wire = new Wire(scheduler, life, name)
  const vault = sealVault(wire.vault(world.vault), SEALING)
  const log = sealLog(wire.log(world.log, rates), vault, PERSONAL_FIELDS)
  const views = wire.views(world.views, rates, world.rankings === null)
  const rankings = world.rankings === null ? createRankings() : wire.rankings(world.rankings.handle(), rates)
  const progress = new Progress()
  const told = (what: string, why: unknown) => {
    // What the planted faults make of themselves, the command layer included: a log that gave no answer in time.
    const planted = isPlanted(why) || (why instanceof Refusal && why.kind === 'unavailable')
    if (planted) scheduler.note(`${name} ${what}: ${why.message}`)
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
    catchingUp: () => {},
  }
  const appliers = ALL_VIEWS.map((view) => createApplier(view, deps))
  const started = startViews(deps, appliers)
  await Promise.race([started, life.death])
  void run(deps, appliers, holdsAll, life.signal)
  const commands = { handler: createHandler(log), log, vault, keys: KEYS, announce: async () => {} }
  const failed = (process: string, why: unknown) => told(process, why)
  void runProcess({ log, views, failed }, finishClaims(commands), holdsAll, life.signal)
  const queries = queryDeps({
    stores: { history: sealHistory(wire.history(world.log), vault, PERSONAL_FIELDS), views, rankings },
  })
  const seen = (game: string, position: string, ms: number) => progress.waitFor(game, position, ms)
  void runProcess({ log, views, failed }, finishDeletions(commands, queries, seen), holdsAll, life.signal)
  scheduler.note(`${name} is up`)
  return { name, life, commands, queries, rankings, progress, now: () => scheduler.nowMs + skewMs }
}
