// The state of view builds: which builds of each view exist and which one is active. A build is a copy of a view made
// from the log beside the active one. One document holds the whole state, so that any number of views switch in one
// step. New entries of one board under other rules are no build: reactions/build-generations.ts makes those.

import { Refusal } from '../../domain/decider.ts'
import { type Projection, viewKey } from '../projection.ts'
import type { Difference } from '../verify/report.ts'

export interface Builds {
  /** The number of the last requested build; 0 is the first build of every view. */
  readonly last: number
  /** View key (`name@version`) -> active build; a missing entry means 0. */
  readonly shown: Readonly<Record<string, number>>
  /** The previously active builds, which are still applied so that they can be restored. */
  readonly kept: PreviousBuilds | null
  /** The build in progress. At most one. */
  readonly change: BuildChange | null
  /** The outcome of the last build. */
  readonly ended: Ended | null
}

export interface PreviousBuilds {
  readonly builds: Readonly<Record<string, number>>
  /** ISO 8601; the previous builds are discarded then. */
  readonly until: string
}

export interface BuildChange {
  readonly number: number
  /** Keys of the views that are rebuilt. */
  readonly views: readonly string[]
  /** `building`: catching up by itself. `comparing`: applied in step with the active builds. */
  readonly phase: 'building' | 'comparing'
  /** ISO 8601. */
  readonly asked: string
}

export interface Ended {
  readonly number: number
  readonly views: readonly string[]
  readonly outcome: 'switched' | 'cancelled' | 'failed' | 'taken_back'
  readonly finished: string
  /** The reason of a failure. */
  readonly reason: string | null
  /** The result of the comparison with the previous build; null if none was made. */
  readonly compared: Compared | null
}

export interface Compared {
  readonly documents: number
  readonly found: number
  /** The first of them. */
  readonly differences: readonly Difference[]
}

export const NO_BUILDS: Builds = { last: 0, shown: {}, kept: null, change: null, ended: null }

type Next = (builds: Builds) => Builds

/**
 * Starts a build of these views and discards the previous builds. Throws Refusal `views_rebuilding` if one is in
 * progress.
 */
export function requestBuild(views: readonly string[], time: string): Next {
  return (builds) => {
    refuseWhileRunning(builds)
    const last = builds.last + 1
    return { ...builds, last, kept: null, change: { number: last, views, phase: 'building', asked: time } }
  }
}

function refuseWhileRunning({ change }: Builds): void {
  if (change === null) return
  const detail = 'A rebuild of views is already running: wait until it ends, or cancel it.'
  throw new Refusal('conflict', 'views_rebuilding', detail)
}

/** The build has caught up: from now on it is applied in step with the active builds. */
export function startComparing(number: number): Next {
  return (builds) => {
    const { change } = builds
    if (change?.number !== number || change.phase !== 'building') return builds
    return { ...builds, change: { ...change, phase: 'comparing' } }
  }
}

export function switchTo(number: number, compared: Compared, time: string, keptUntil: string): Next {
  return (builds) => {
    const { change, shown } = builds
    if (change?.number !== number || change.phase !== 'comparing') return builds
    const before = Object.fromEntries(change.views.map((view) => [view, shown[view] ?? 0]))
    const now = Object.fromEntries(change.views.map((view) => [view, number]))
    return {
      ...builds,
      shown: { ...shown, ...now },
      kept: { builds: before, until: keptUntil },
      change: null,
      ended: { number, views: change.views, outcome: 'switched', finished: time, reason: null, compared },
    }
  }
}

/** Cancels the build in progress and leaves the active builds. Does nothing if there is none. */
export const cancel = (time: string): Next => end('cancelled', null, null, time)

export function fail(number: number, reason: string, compared: Compared, time: string): Next {
  return (builds) => (builds.change?.number === number ? end('failed', reason, compared, time)(builds) : builds)
}

function end(outcome: Ended['outcome'], reason: string | null, compared: Compared | null, time: string): Next {
  return (builds) => {
    const { change } = builds
    if (change === null) return builds
    const { number, views } = change
    return { ...builds, change: null, ended: { number, views, outcome, finished: time, reason, compared } }
  }
}

/**
 * Makes the previous builds active and keeps the current ones in their place, so that this can be undone in the same
 * way. Throws Refusal `nothing_kept`.
 */
export function restorePrevious(time: string): Next {
  return (builds) => {
    const { kept, shown } = builds
    refuseWhileRunning(builds)
    if (kept === null) {
      const detail = 'There is no previous build to restore: there was no rebuild, or its previous build was discarded.'
      throw new Refusal('conflict', 'nothing_kept', detail)
    }
    const views = Object.keys(kept.builds)
    const now = Object.fromEntries(views.map((view) => [view, shown[view] ?? 0]))
    const number = Math.max(...Object.values(kept.builds))
    return {
      ...builds,
      shown: { ...shown, ...kept.builds },
      kept: { ...kept, builds: now },
      ended: { number, views, outcome: 'taken_back', finished: time, reason: null, compared: null },
    }
  }
}

/** Discards the previous builds. They cannot be restored afterwards. */
export const discardPrevious: Next = (builds) => (builds.kept === null ? builds : { ...builds, kept: null })

/** The key of a view in one of its builds. */
export const buildKey = (view: string, build: number): string => (build === 0 ? view : `${view}+${build}`)

export const activeKey = ({ shown }: Builds, view: string): string => buildKey(view, shown[view] ?? 0)

const inBuild = (projection: Projection, build: number): Projection => ({ ...projection, build })

/** Each view in its active build. */
export function activeProjections({ shown }: Builds, projections: readonly Projection[]): readonly Projection[] {
  return projections.map((projection) => inBuild(projection, shown[viewKey(projection)] ?? 0))
}

/** All builds that are applied in step: the active ones, the previous ones, and the one that is being compared. */
export function projectionsInStep(builds: Builds, projections: readonly Projection[]): readonly Projection[] {
  const { shown, kept, change } = builds
  return projections.flatMap((projection) => {
    const view = viewKey(projection)
    const numbers = new Set([shown[view] ?? 0])
    const before = kept?.builds[view]
    if (before !== undefined) numbers.add(before)
    if (change?.phase === 'comparing' && change.views.includes(view)) numbers.add(change.number)
    // Sorted, so that a switch does not change the list.
    return [...numbers].sort((a, b) => a - b).map((number) => inBuild(projection, number))
  })
}

/** The builds that are still catching up. */
export function projectionsBeingBuilt({ change }: Builds, projections: readonly Projection[]): readonly Projection[] {
  if (change?.phase !== 'building') return []
  const own = projections.filter((projection) => change.views.includes(viewKey(projection)))
  return own.map((projection) => inBuild(projection, change.number))
}
