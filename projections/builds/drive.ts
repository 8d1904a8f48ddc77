// Advances a build of views step by step: catch up, apply in step with the active build, compare, switch. All state is
// in the build pointer and the checkpoints, so any node can continue after a crash.

import type { Position } from '../../domain/event.ts'
import { ALL_PARTITIONS } from '../../domain/partition.ts'
import type { Log } from '../../stores/contract/log.ts'
import { type AllRankings, RankingsLost } from '../../stores/contract/rankings.ts'
import type { Views } from '../../stores/contract/views.ts'
import { type Projection, viewKey } from '../projection.ts'
import { compareBuilds } from './compare.ts'
import { haveReached } from './have-reached.ts'
import type { BuildPointer } from './pointer.ts'
import {
  activeKey,
  type BuildChange,
  type Builds,
  buildKey,
  discardPrevious,
  fail,
  startComparing,
  switchTo,
} from './state.ts'

/** How long the previous build is kept after a switch. Until then both builds are applied. */
export const KEEP_PREVIOUS_MS = 24 * 3_600_000

export interface DriveDeps {
  /** The stored views, each build by its own key. */
  readonly views: Views
  readonly rankings: AllRankings
  readonly log: Log
  readonly pointer: BuildPointer
  readonly projections: readonly Projection[]
  /** Whether this node applies the build of this key in step with the active one. */
  isInStep(key: string): boolean
  /** Milliseconds after which every node that may apply events has seen a change of the pointer. */
  readonly settleMs: number
  readonly keptMs: number
  /** Milliseconds of a monotonic clock. */
  elapsedMs(): number
  /** Unix milliseconds. */
  now(): number
}

/** Checks the state once and takes the next step if it is due. Rejects with the signal's reason. */
export type Drive = (signal: AbortSignal) => Promise<void>

export function createBuildDriver(deps: DriveDeps): Drive {
  const { pointer, projections } = deps
  const mine = new Map(projections.map((projection) => [viewKey(projection), projection]))
  let watched: { readonly of: string; readonly sinceMs: number; to?: Position | null } | null = null
  const time = (ms: number) => new Date(ms).toISOString()

  async function drive(signal: AbortSignal): Promise<void> {
    const builds = await pointer.read()
    if (builds.kept !== null && deps.now() >= Date.parse(builds.kept.until)) await pointer.change(discardPrevious)
    const { change } = builds
    // A change requested by another program version is driven by its nodes, or must be cancelled.
    if (change === null || !change.views.every((view) => mine.has(view))) return
    const of = `${change.number} ${change.phase}`
    if (watched?.of !== of) watched = { of, sinceMs: deps.elapsedMs() }
    if (change.phase === 'comparing') {
      const isHere = change.views.every((view) => deps.isInStep(buildKey(view, change.number)))
      if (!isHere || deps.elapsedMs() - watched.sinceMs < deps.settleMs) return
    }
    // The first call records the head of the log, beyond which no active view has applied anything; later calls wait
    // until the builds have reached it.
    if (watched.to === undefined) {
      watched.to = await deps.log.head()
      return
    }
    const active = change.phase === 'building' ? [] : change.views.map((view) => activeKey(builds, view))
    if (!(await areBuilt(deps, change)) || !(await haveReached(deps, [...keysOf(change), ...active], watched.to)))
      return
    if (change.phase === 'building') await pointer.change(startComparing(change.number))
    else await compareAndSwitch(builds, change, signal)
  }

  async function compareAndSwitch(
    builds: Builds,
    { number, views: keys }: BuildChange,
    signal: AbortSignal,
  ): Promise<void> {
    const pairs = keys.map((view) => {
      const projection = mine.get(view) as Projection
      return [
        { ...projection, build: builds.shown[view] ?? 0 },
        { ...projection, build: number },
      ] as const
    })
    const found = await compareBuilds(deps, pairs, signal)
    if (found === null) return
    const { parked, ...compared } = found
    const now = time(deps.now())
    if (parked > 0) {
      const reason = `${parked} streams have an event that the new build cannot apply, although the active build applied it`
      await pointer.change(fail(number, reason, compared, now))
    } else {
      await pointer.change(switchTo(number, compared, now, time(deps.now() + deps.keptMs)))
    }
  }

  return drive
}

const keysOf = ({ views, number }: BuildChange): string[] => views.map((view) => buildKey(view, number))

/** Whether all views of a build exist, with their rankings filled. */
async function areBuilt({ views, rankings, projections }: DriveDeps, change: BuildChange): Promise<boolean> {
  const existing = await views.list()
  if (!keysOf(change).every((key) => existing.includes(key))) return false
  const ranked = projections.filter((view) => view.ranked !== undefined && change.views.includes(viewKey(view)))
  const keys = ranked.map((view) => buildKey(viewKey(view), change.number))
  return (await Promise.all(keys.map((key) => isRanked(rankings, key)))).every(Boolean)
}

async function isRanked(rankings: AllRankings, key: string): Promise<boolean> {
  try {
    await Promise.all(ALL_PARTITIONS.map((partition) => rankings.of(key, partition).size('')))
    return true
  } catch (error) {
    if (error instanceof RankingsLost) return false
    throw error
  }
}
