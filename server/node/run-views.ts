// Runs the views of a projector: the active builds, with those updated together with them, and separately the builds
// in progress. When the active-build pointer changes, the current run ends and the next one uses the new set.

import { setTimeout } from 'node:timers/promises'
import { partitionOf } from '../../domain/partition.ts'
import { createApplier } from '../../projections/create-applier.ts'
import { Folds } from '../../projections/folds.ts'
import { DEFAULT_VIEWS_MEMORY, MemoryBudget, type ViewsMemory } from '../../projections/memory-budget.ts'
import { Progress } from '../../projections/progress.ts'
import { type Projection, viewKey } from '../../projections/projection.ts'
import { type RunDeps, run } from '../../projections/run.ts'
import { prepareViews } from '../../projections/start.ts'
import { historyInViews } from '../../queries/history.ts'
import { aborted } from '../../runtime/yield-to-event-loop.ts'
import type { PartitionOwnership } from '../../stores/contract/leases.ts'
import type { NodeBuilds } from './builds.ts'

/** Rebuilds use small batches and a smaller share of the memory, so that the active builds stay responsive. */
const REBUILD_PACE = { events: 250, changes: 2_000 }
const REBUILD_MEMORY_SHARE = 1 / 4
const RETRY_AFTER_MS = 500

export interface RunningViews {
  /** True if this build is updated together with the active ones, and nothing else in this process writes to it. */
  isInStep(key: string): boolean
  /** Resolves after the signal aborts, with all applied changes written. */
  readonly over: Promise<void>
}

interface ViewsToRun {
  readonly builds: NodeBuilds
  /** The history view if the log has no history index of its own, else null. */
  readonly historyView: Projection | null
  readonly memory?: ViewsMemory | undefined
}

export function runViews(
  deps: RunDeps,
  { builds, historyView, memory = DEFAULT_VIEWS_MEMORY }: ViewsToRun,
  ownership: PartitionOwnership,
  signal: AbortSignal,
): RunningViews {
  let inStep: ReadonlySet<string> = new Set()

  async function runActive(): Promise<void> {
    while (!signal.aborted) {
      const applied = builds.now()
      const until = AbortSignal.any([signal, applied.changed])
      // The previous run has ended, so nothing else in this process writes to these builds.
      inStep = new Set(applied.inStep.map(viewKey))
      const held = new MemoryBudget(memory.documents * (1 - REBUILD_MEMORY_SHARE), memory.documentsCaughtUp)
      const appliers = applied.inStep.map((view) => createApplier(view, deps, held))
      await Promise.all([run(deps, appliers, ownership, until), runRebuilds(until)])
    }
  }

  /** Runs the builds in progress. The active builds continue independently of it. */
  async function runRebuilds(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      const { inProgress, inProgressChanged } = builds.now()
      const signal = AbortSignal.any([until, inProgressChanged])
      if (inProgress.length === 0) await aborted(signal)
      else await runRebuild(inProgress, signal)
    }
  }

  async function runRebuild(views: readonly Projection[], until: AbortSignal): Promise<void> {
    const rebuilding = rebuildDeps(deps, views, historyView, until, memory)
    while (!until.aborted) {
      try {
        // Two passes, so that indexes exist before the documents: creating one over many documents would block readers.
        for (let times = 0; times < 2; times++) await prepareViews(deps, views)
        const held = new MemoryBudget(memory.documents * REBUILD_MEMORY_SHARE)
        const appliers = views.map((view) => createApplier(view, rebuilding, held))
        await run(rebuilding, appliers, ownership, until)
      } catch (error) {
        if (until.aborted) return
        deps.reopening(error)
        await setTimeout(RETRY_AFTER_MS, undefined, { signal: until }).catch(() => {})
      }
    }
  }

  return { isInStep: (key) => inStep.has(key), over: runActive() }
}

/** Dependencies of a rebuild. No request waits for it, so it has its own progress and reports none. */
function rebuildDeps(
  deps: RunDeps,
  inProgress: readonly Projection[],
  historyView: Projection | null,
  until: AbortSignal,
  { ruleFolds }: ViewsMemory,
) {
  const rebuilding: RunDeps = {
    ...deps,
    pace: REBUILD_PACE,
    progress: new Progress(),
    readsFrom: () => {},
    applied: () => {},
    catchingUp: () => {},
  }
  // The shared folds read the active history, so a rebuild has its own.
  if (historyView === null) return { ...rebuilding, folds: new Folds(rebuilding, ruleFolds) }
  const built = inProgress.find(({ name }) => name === historyView.name)
  // If the history view is rebuilt too, it is applied before the views that read it. Otherwise they read the active
  // history, which may be behind this rebuild.
  if (built !== undefined) {
    const read = { ...rebuilding, history: historyInViews(deps.views, viewKey(built)) }
    return { ...read, folds: new Folds(read, ruleFolds) }
  }
  return {
    ...rebuilding,
    folds: new Folds(rebuilding, ruleFolds),
    historyUpTo: async ({ meta, position }) => {
      await deps.progress.waitUntil(partitionOf(meta.game), position, until)
      until.throwIfAborted()
    },
  } satisfies RunDeps
}
