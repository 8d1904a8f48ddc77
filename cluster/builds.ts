// Which builds of the views this node reads and applies: what the pointer said when it was
// last read, with each heartbeat.

import { createPointer, type Pointer } from '../projections/builds/pointer.ts'
import { shownBuilds } from '../projections/builds/shown.ts'
import { type Builds, besideOf, inStepOf, NO_BUILDS, shownKey, shownOf } from '../projections/builds/state.ts'
import { type Projection, viewKey } from '../projections/projection.ts'
import type { Stores } from '../stores/contract/stores.ts'

/** What a node does with the builds of its views. */
interface Applied {
  /** As they are read. */
  readonly shown: readonly Projection[]
  /** Applied together, in the same writes: what is shown, and what is to be shown next or again. */
  readonly inStep: readonly Projection[]
  /** Built on its own until it has caught up. */
  readonly beside: readonly Projection[]
  /** Aborted once something else is to be applied together. */
  readonly changed: AbortSignal
  /** Aborted once something else is to be built. */
  readonly besideChanged: AbortSignal
}

export interface NodeBuilds {
  readonly pointer: Pointer
  now(): Applied
  /** Reads the pointer. */
  look(): Promise<void>
  /** Keys of all that this node reads or applies. */
  keys(): string[]
  /** The key of the build that is shown, of a view by its `name@version`. */
  keyOf(view: string): string
}

/** With what the pointer says now. */
export async function createNodeBuilds(
  views: Stores['views'],
  projections: readonly Projection[],
): Promise<NodeBuilds> {
  const pointer = createPointer(views)
  let changing = new AbortController()
  let besideChanging = new AbortController()
  let builds: Builds = NO_BUILDS
  let applied = appliedBy(builds)

  function appliedBy(told: Builds): Applied {
    const [inStep, beside] = [inStepOf(told, projections), besideOf(told, projections)]
    const signals = { changed: changing.signal, besideChanged: besideChanging.signal }
    return { shown: shownOf(told, projections), inStep, beside, ...signals }
  }

  async function look(): Promise<void> {
    const told = await pointer.read()
    const before = applied
    const [last, lastBeside] = [changing, besideChanging]
    const next = appliedBy(told)
    if (named(next.inStep) !== named(before.inStep)) changing = new AbortController()
    if (named(next.beside) !== named(before.beside)) besideChanging = new AbortController()
    // In one step: every later read uses the new builds only.
    builds = told
    applied = appliedBy(told)
    // What is applied together first: by then it is known that what was built beside goes over to it.
    if (last !== changing) last.abort()
    if (lastBeside !== besideChanging) lastBeside.abort()
  }

  await look()
  return {
    pointer,
    now: () => applied,
    look,
    keys: () => [...new Set([...applied.shown, ...applied.inStep, ...applied.beside].map(viewKey))],
    keyOf: (view) => shownKey(builds, view),
  }
}

const named = (projections: readonly Projection[]): string => projections.map(viewKey).join()

/** The stores as they are read where nothing switches meanwhile: for commands that open them themselves. */
export async function asShown<Read extends Pick<Stores, 'views' | 'rankings'>>(stores: Read): Promise<Read> {
  const builds = await createPointer(stores.views).read()
  return shownBuilds(stores, (view) => shownKey(builds, view))
}
