// The view builds that this node reads and applies: a cached copy of the active-build pointer, refreshed with each
// heartbeat.

import { withActiveBuilds } from '../projections/builds/active-builds.ts'
import { type BuildPointer, createBuildPointer } from '../projections/builds/pointer.ts'
import {
  activeKey,
  activeProjections,
  type Builds,
  NO_BUILDS,
  projectionsBeingBuilt,
  projectionsInStep,
} from '../projections/builds/state.ts'
import { type Projection, viewKey } from '../projections/projection.ts'
import type { Stores } from '../stores/contract/stores.ts'

/** How a node uses the builds of its views. */
interface Applied {
  /** The active builds, which serve reads. */
  readonly shown: readonly Projection[]
  /** Builds updated together, in the same writes: the active ones, and those that may become active next or again. */
  readonly inStep: readonly Projection[]
  /** Builds in progress, which run separately until they have caught up. */
  readonly beside: readonly Projection[]
  /** Aborts when `inStep` changes. */
  readonly changed: AbortSignal
  /** Aborts when `beside` changes. */
  readonly besideChanged: AbortSignal
}

export interface NodeBuilds {
  readonly pointer: BuildPointer
  now(): Applied
  /** Reads the pointer and updates `now()`. */
  look(): Promise<void>
  /** Keys of all builds that this node reads or applies. */
  keys(): string[]
  /** The key of the active build of a view, given as `name@version`. */
  keyOf(view: string): string
}

/** Reads the pointer once before it resolves. */
export async function createNodeBuilds(
  views: Stores['views'],
  projections: readonly Projection[],
): Promise<NodeBuilds> {
  const pointer = createBuildPointer(views)
  let changing = new AbortController()
  let besideChanging = new AbortController()
  let builds: Builds = NO_BUILDS
  let applied = appliedBy(builds)

  function appliedBy(latest: Builds): Applied {
    const [inStep, beside] = [projectionsInStep(latest, projections), projectionsBeingBuilt(latest, projections)]
    const signals = { changed: changing.signal, besideChanged: besideChanging.signal }
    return { shown: activeProjections(latest, projections), inStep, beside, ...signals }
  }

  async function look(): Promise<void> {
    const latest = await pointer.read()
    const before = applied
    const [last, lastBeside] = [changing, besideChanging]
    const next = appliedBy(latest)
    if (named(next.inStep) !== named(before.inStep)) changing = new AbortController()
    if (named(next.beside) !== named(before.beside)) besideChanging = new AbortController()
    // Both assignments are synchronous, so no reader sees a mix of old and new builds.
    builds = latest
    applied = appliedBy(latest)
    // Abort `inStep` first: a finished build moves from `beside` to `inStep`.
    if (last !== changing) last.abort()
    if (lastBeside !== besideChanging) lastBeside.abort()
  }

  await look()
  return {
    pointer,
    now: () => applied,
    look,
    keys: () => [...new Set([...applied.shown, ...applied.inStep, ...applied.beside].map(viewKey))],
    keyOf: (view) => activeKey(builds, view),
  }
}

const named = (projections: readonly Projection[]): string => projections.map(viewKey).join()

/** Stores that resolve views to the builds that are active now. For CLI commands, which do not follow later switches. */
export async function asShown<Read extends Pick<Stores, 'views' | 'rankings'>>(stores: Read): Promise<Read> {
  const builds = await createBuildPointer(stores.views).read()
  return withActiveBuilds(stores, (view) => activeKey(builds, view))
}
