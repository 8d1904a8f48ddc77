// The views that a projector applies: those that are shown, with those in step with them; and beside them, on its own,
// the builds in progress. The set changes with the active-build pointer, between two runs.

import { setTimeout } from 'node:timers/promises'
import { partitionOf } from '../domain/partition.ts'
import { createApplier } from '../projections/apply.ts'
import { Folds } from '../projections/folds.ts'
import { HeldBytes, VIEWS_MEMORY, type ViewsShares } from '../projections/held-bytes.ts'
import { Progress } from '../projections/progress.ts'
import { type Projection, viewKey } from '../projections/projection.ts'
import { type RunDeps, run } from '../projections/run.ts'
import { prepareViews } from '../projections/start.ts'
import { historyInViews } from '../queries/history.ts'
import { aborted } from '../scheduling/aborted.ts'
import type { Holding } from '../stores/contract/holding.ts'
import type { NodeBuilds } from './builds.ts'

/** Beside those that serve: small steps, and a smaller part of the memory. */
const PACE = { events: 250, changes: 2_000 }
const BESIDE_PART = 1 / 4
const AGAIN_AFTER_MS = 500

export interface RunningViews {
  /** Whether the build of this key is applied together with what is shown, and by nothing else here. */
  isInStep(key: string): boolean
  /** Ends with the signal; what was applied is written by then. */
  readonly over: Promise<void>
}

interface ViewsToRun {
  readonly builds: NodeBuilds
  /** The view of history where the log has none, else null. */
  readonly historyView: Projection | null
  /** Of all of them together. */
  readonly memory?: ViewsShares | undefined
}

export function runViews(
  deps: RunDeps,
  { builds, historyView, memory = VIEWS_MEMORY }: ViewsToRun,
  holding: Holding,
  signal: AbortSignal,
): RunningViews {
  let inStep: ReadonlySet<string> = new Set()

  async function runOn(): Promise<void> {
    while (!signal.aborted) {
      const applied = builds.now()
      const until = AbortSignal.any([signal, applied.changed])
      // Whatever ran before has ended: nobody else here applies these any more.
      inStep = new Set(applied.inStep.map(viewKey))
      const held = new HeldBytes(memory.documents * (1 - BESIDE_PART))
      const appliers = applied.inStep.map((view) => createApplier(view, deps, held))
      await Promise.all([run(deps, appliers, holding, until), runAllBeside(until)])
    }
  }

  /** Those that are shown go on meanwhile, whatever begins and ends here. */
  async function runAllBeside(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      const { beside, besideChanged } = builds.now()
      const own = AbortSignal.any([until, besideChanged])
      if (beside.length === 0) await aborted(own)
      else await runBeside(beside, own)
    }
  }

  async function runBeside(views: readonly Projection[], until: AbortSignal): Promise<void> {
    const own = besideDeps(deps, views, historyView, until, memory)
    while (!until.aborted) {
      try {
        // Twice, so that indexes are there before the documents: made over many at once
        // they would block requests.
        for (let times = 0; times < 2; times++) await prepareViews(deps, views)
        const held = new HeldBytes(memory.documents * BESIDE_PART)
        const appliers = views.map((view) => createApplier(view, own, held))
        await run(own, appliers, holding, until)
      } catch (why) {
        if (until.aborted) return
        deps.reopening(why)
        await setTimeout(AGAIN_AFTER_MS, undefined, { signal: until }).catch(() => {})
      }
    }
  }

  return { isInStep: (key) => inStep.has(key), over: runOn() }
}

/** Nobody waits for a build in progress: its checkpoint is its own, and no waiter is woken. */
function besideDeps(
  deps: RunDeps,
  beside: readonly Projection[],
  historyView: Projection | null,
  until: AbortSignal,
  { ruleFolds }: ViewsShares,
) {
  const own: RunDeps = {
    ...deps,
    pace: PACE,
    progress: new Progress(),
    stands: () => {},
    applied: () => {},
    catchingUp: () => {},
  }
  // What is folded for the others is of the history that is shown.
  if (historyView === null) return { ...own, folds: new Folds(own, ruleFolds) }
  const built = beside.find(({ name }) => name === historyView.name)
  // A build is applied before the builds that read it. The active build may be behind the new one.
  if (built !== undefined) {
    const read = { ...own, history: historyInViews(deps.views, viewKey(built)) }
    return { ...read, folds: new Folds(read, ruleFolds) }
  }
  return {
    ...own,
    folds: new Folds(own, ruleFolds),
    historyUpTo: async ({ meta, position }) => {
      await deps.progress.waitUntil(partitionOf(meta.game), position, until)
      until.throwIfAborted()
    },
  } satisfies RunDeps
}
