// Which builds of each view there are, and which one is shown: what every node goes by. A build is the view made from the log
// once more beside the one that is shown. One document says all, so that any number of views switch in one step.

import { Refusal } from '../../domain/decider.ts'
import { type Projection, viewKey } from '../projection.ts'
import type { Difference } from '../verify/report.ts'

export interface Builds {
  /** The number of the last one that was asked for; 0 is what a view begins with. */
  readonly last: number
  /** Key of a view (`name@version`) -> the build that is shown; where there is none, 0. */
  readonly shown: Readonly<Record<string, number>>
  /** What was shown before, and is applied further for a way back. */
  readonly kept: PreviousBuilds | null
  /** What is being built. One at a time. */
  readonly change: BuildChange | null
  /** What became of the last change. */
  readonly ended: Ended | null
}

export interface PreviousBuilds {
  readonly builds: Readonly<Record<string, number>>
  /** ISO 8601; it is let go then. */
  readonly until: string
}

export interface BuildChange {
  readonly number: number
  /** Keys of the builds in progress. */
  readonly views: readonly string[]
  /** `building`: on its own, behind the others. `comparing`: in step with those that are shown. */
  readonly phase: 'building' | 'comparing'
  /** ISO 8601. */
  readonly asked: string
}

export interface Ended {
  readonly number: number
  readonly views: readonly string[]
  readonly outcome: 'switched' | 'cancelled' | 'failed' | 'taken_back'
  readonly finished: string
  /** Why it failed. */
  readonly reason: string | null
  /** What was compared, and what of it differed from what was shown before; null where it did not come to that. */
  readonly compared: Compared | null
}

export interface Compared {
  readonly documents: number
  readonly found: number
  /** Some of them. */
  readonly differences: readonly Difference[]
}

export const NO_BUILDS: Builds = { last: 0, shown: {}, kept: null, change: null, ended: null }

type Next = (builds: Builds) => Builds

/** Throws Refusal `views_rebuilding` where there is a change already. What was kept for a way back goes. */
export function requestBuild(views: readonly string[], time: string): Next {
  return (builds) => {
    refuseWhileRunning(builds)
    const last = builds.last + 1
    return { ...builds, last, kept: null, change: { number: last, views, phase: 'building', asked: time } }
  }
}

function refuseWhileRunning({ change }: Builds): void {
  if (change === null) return
  const detail = 'Views are being built already: wait until that is done, or cancel it.'
  throw new Refusal('conflict', 'views_rebuilding', detail)
}

/** It has caught up: it is applied together with what is shown from now on. */
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

/** Everything stays as it is. Nothing where there is no change. */
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

/** Shows what was shown before, and keeps what is shown now: the way back from that is the same. Throws Refusal `nothing_kept`. */
export function restorePrevious(time: string): Next {
  return (builds) => {
    const { kept, shown } = builds
    refuseWhileRunning(builds)
    if (kept === null) {
      const detail = 'No former build is kept: there was no rebuild, or its way back has ended.'
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

/** No way back any more. */
export const discardPrevious: Next = (builds) => (builds.kept === null ? builds : { ...builds, kept: null })

/** The view's key in one of its builds. */
export const buildKey = (view: string, build: number): string => (build === 0 ? view : `${view}+${build}`)

export const activeKey = ({ shown }: Builds, view: string): string => buildKey(view, shown[view] ?? 0)

const inBuild = (projection: Projection, build: number): Projection => ({ ...projection, build })

/** As each of these views is shown. */
export function activeProjections({ shown }: Builds, projections: readonly Projection[]): readonly Projection[] {
  return projections.map((projection) => inBuild(projection, shown[viewKey(projection)] ?? 0))
}

/** All builds that are applied in step with each other: what is shown, what is kept, and what is being compared. */
export function projectionsInStep(builds: Builds, projections: readonly Projection[]): readonly Projection[] {
  const { shown, kept, change } = builds
  return projections.flatMap((projection) => {
    const view = viewKey(projection)
    const numbers = new Set([shown[view] ?? 0])
    const before = kept?.builds[view]
    if (before !== undefined) numbers.add(before)
    if (change?.phase === 'comparing' && change.views.includes(view)) numbers.add(change.number)
    // In one order, whichever is shown: a switch is no change of what is applied.
    return [...numbers].sort((a, b) => a - b).map((number) => inBuild(projection, number))
  })
}

/** What is built behind the others. */
export function projectionsBeingBuilt({ change }: Builds, projections: readonly Projection[]): readonly Projection[] {
  if (change?.phase !== 'building') return []
  const own = projections.filter((projection) => change.views.includes(viewKey(projection)))
  return own.map((projection) => inBuild(projection, change.number))
}
