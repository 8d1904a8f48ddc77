// The view builds that this node reads and applies: a cached copy of the active-build pointer, refreshed with each
// heartbeat.

import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { withActiveBuilds } from '../../projections/builds/active-builds.ts'
import { type BuildPointer, createBuildPointer } from '../../projections/builds/pointer.ts'
import {
  activeKey,
  activeProjections,
  type Builds,
  NO_BUILDS,
  projectionsBeingBuilt,
  projectionsInStep,
} from '../../projections/builds/state.ts'
import { type Projection, viewKey } from '../../projections/projection.ts'
import { failureText } from '../../runtime/repeated-failures.ts'
import type { Stores } from '../../stores/contract/stores.ts'

interface Applied {
  readonly active: readonly Projection[]
  /** Builds updated together, in the same writes: the active ones, and those that may become active next or again. */
  readonly inStep: readonly Projection[]
  /** Builds in progress, which run separately until they have caught up. */
  readonly inProgress: readonly Projection[]
  readonly changed: AbortSignal
  readonly inProgressChanged: AbortSignal
}

export interface NodeBuilds {
  readonly pointer: BuildPointer
  now(): Applied
  /**
   * Reads the pointer and updates `now()`. Concurrent calls take turns, so that no older state replaces a newer one.
   */
  refresh(): Promise<void>
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
  let inProgressChanging = new AbortController()
  let builds: Builds = NO_BUILDS
  let applied = appliedBy(builds)

  function appliedBy(latest: Builds): Applied {
    const [inStep, inProgress] = [projectionsInStep(latest, projections), projectionsBeingBuilt(latest, projections)]
    const signals = { changed: changing.signal, inProgressChanged: inProgressChanging.signal }
    return { active: activeProjections(latest, projections), inStep, inProgress, ...signals }
  }

  let reads = Promise.resolve()

  function refresh(): Promise<void> {
    const read = reads.then(readPointer)
    reads = read.catch(() => {})
    return read
  }

  async function readPointer(): Promise<void> {
    const latest = await pointer.read()
    const before = applied
    const [last, lastInProgress] = [changing, inProgressChanging]
    const next = appliedBy(latest)
    if (named(next.inStep) !== named(before.inStep)) changing = new AbortController()
    if (named(next.inProgress) !== named(before.inProgress)) inProgressChanging = new AbortController()
    // Both assignments are synchronous, so no reader sees a mix of old and new builds.
    builds = latest
    applied = appliedBy(latest)
    // Abort `inStep` first: a finished build moves from `inProgress` to `inStep`.
    if (last !== changing) last.abort()
    if (lastInProgress !== inProgressChanging) lastInProgress.abort()
  }

  await refresh()
  return {
    pointer,
    now: () => applied,
    refresh,
    keys: () => [...new Set([...applied.active, ...applied.inStep, ...applied.inProgress].map(viewKey))],
    keyOf: (view) => activeKey(builds, view),
  }
}

const named = (projections: readonly Projection[]): string => projections.map(viewKey).join()

/**
 * Stores that resolve views to the builds that are active now. For CLI commands, which do not follow later switches.
 */
export async function resolveActiveBuilds<Read extends Pick<Stores, 'views' | 'rankings'>>(
  stores: Read,
): Promise<Read> {
  const builds = await createBuildPointer(stores.views).read()
  return withActiveBuilds(stores, (view) => activeKey(builds, view))
}

const EVERY_ALONE_MS = 200
const EVERY_MS = 1_000

interface PollDeps {
  readonly builds: NodeBuilds
  readonly isAlone: boolean
  readonly log: Logger
}

/**
 * Polls the active-build pointer between heartbeats until the signal aborts, so that all nodes switch builds within
 * about a second. `drive`, if given, runs before each poll.
 */
export async function followBuilds(
  { builds, isAlone, log }: PollDeps,
  drive: (() => Promise<void>) | null,
  stopping: AbortSignal,
): Promise<void> {
  // A derived signal: the shared one already has so many listeners that Node would warn of a leak.
  const signal = AbortSignal.any([stopping])
  while (!signal.aborted) {
    try {
      await setTimeout(isAlone ? EVERY_ALONE_MS : EVERY_MS, undefined, { signal, ref: false })
      await drive?.()
      await builds.refresh()
    } catch (error) {
      if (!signal.aborted)
        log.warn({ failure: failureText(error) }, 'the active view builds could not be read: trying again')
    }
  }
}
