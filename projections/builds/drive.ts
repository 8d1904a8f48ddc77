// Brings a build of views on, step by step, each as often as it takes: caught up, into step with what is shown, compared,
// switched. Its whole state is in the pointer and the checkpoints: after a crash the next driver continues from there.

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

/** How long there is a way back: until then both builds are applied. */
export const KEEP_PREVIOUS_MS = 24 * 3_600_000

export interface DriveDeps {
  /** The stored names, each build by its own key. */
  readonly views: Views
  readonly rankings: AllRankings
  readonly log: Log
  readonly pointer: BuildPointer
  readonly projections: readonly Projection[]
  /** Whether this node applies the build of this key together with what is shown. */
  isInStep(key: string): boolean
  /** After so long every node that may apply anything has seen what the pointer says. */
  readonly settleMs: number
  readonly keptMs: number
  /** Milliseconds that never go back. */
  elapsedMs(): number
  /** Unix milliseconds. */
  now(): number
}

/** One look, and what is due by it; rejects with the signal. */
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
    // What another version of the program asked for is for its nodes, or to be cancelled.
    if (change === null || !change.views.every((view) => mine.has(view))) return
    const of = `${change.number} ${change.phase}`
    if (watched?.of !== of) watched = { of, sinceMs: deps.elapsedMs() }
    if (change.phase === 'comparing') {
      const isHere = change.views.every((view) => deps.isInStep(buildKey(view, change.number)))
      if (!isHere || deps.elapsedMs() - watched.sinceMs < deps.settleMs) return
    }
    // First where the log ends, further than which none that is shown has come; then, at a later look, who has come there.
    if (watched.to === undefined) {
      watched.to = await deps.log.head()
      return
    }
    const shown = change.phase === 'building' ? [] : change.views.map((view) => activeKey(builds, view))
    if (!(await areThere(deps, change)) || !(await haveReached(deps, [...keysOf(change), ...shown], watched.to))) return
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
      const reason = `${parked} streams have an event that this program cannot apply, and that what is shown has applied`
      await pointer.change(fail(number, reason, compared, now))
    } else {
      await pointer.change(switchTo(number, compared, now, time(deps.now() + deps.keptMs)))
    }
  }

  return drive
}

const keysOf = ({ views, number }: BuildChange): string[] => views.map((view) => buildKey(view, number))

/** Whether a build's views are there, with their rankings. */
async function areThere({ views, rankings, projections }: DriveDeps, change: BuildChange): Promise<boolean> {
  const there = await views.list()
  if (!keysOf(change).every((key) => there.includes(key))) return false
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
