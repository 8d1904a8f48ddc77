// Applies a log to fresh views with writes that fail part way, so that events are redelivered in other batches. The
// views must end up equal to rebuilt ones.

import { ALL_PARTITIONS, partitionOf } from '../../domain/partition.ts'
import { type CatchUpDeps, catchUp } from '../../projections/catch-up.ts'
import { createApplier } from '../../projections/create-applier.ts'
import { history as historyView } from '../../projections/history.ts'
import { MemoryBudget } from '../../projections/memory-budget.ts'
import { Progress } from '../../projections/progress.ts'
import { viewKey } from '../../projections/projection.ts'
import { prepareViews } from '../../projections/start.ts'
import { historyInViews } from '../../queries/history.ts'
import type { Log } from '../../stores/contract/log.ts'
import { historyOf } from '../memory/history.ts'
import { createSharedRankings } from '../memory/rankings.ts'
import { createMemoryViews } from '../memory/views.ts'
import type { Random } from '../random.ts'
import { type Rebuilt, rebuiltDifferences, sortKeysOf } from './oracle/rebuilt.ts'
import { same } from './oracle/same.ts'
import { Breaks } from './world/breaking.ts'
import { isPlanted } from './world/planted.ts'

const ALL = Number.MAX_SAFE_INTEGER
/** After an interrupted write: how often the rankings are lost, and how often the process ends. */
const LOST = 0.05
const ENDS = 0.5
/** Maximum events per read, maximum changed documents per commit, and maximum bytes held between commits. */
const EVENTS_MAX = [3, 20, 60, 200, 1_000] as const
const CHANGES = [1, 1, 10, 100] as const
const HELD_BYTES = [0, 20_000, 2 ** 26] as const

export interface Tried {
  /** One line each. */
  readonly differences: readonly string[]
  /** Number of interrupted writes. */
  readonly breaks: number
}

/** Applies the log until all views are current. `rebuilt` holds the expected views of the same log. */
export async function applyBreaking(log: Log, rebuilt: Rebuilt, random: Random): Promise<Tried> {
  const { projections } = rebuilt
  const breaks = new Breaks(random)
  const stored = createMemoryViews()
  const shared = createSharedRankings()
  const reports: string[] = []
  const positions = (await log.readAll(null, ALL)).map(({ position }) => position)
  const most = random.pick(EVENTS_MAX)
  const own = {
    history: projections.includes(historyView) ? historyInViews(stored, viewKey(historyView)) : historyOf(log),
    views: breaks.views(stored),
    installation: 'this one',
    parked: (view: string, { type, stream }: { type: string; stream: string }, error: unknown) =>
      void reports.push(`${view} parked ${type} of ${stream}: ${error}`),
    pace: {
      get events() {
        return 1 + random.below(most)
      },
      changes: random.pick(CHANGES),
    },
    applied: () => {},
    catchingUp: () => {},
  }
  /** The log grows during the run: number of events that are visible so far. */
  let written = 0
  const growing: Log = {
    ...log,
    head: async () => positions[written - 1] ?? null,
    readAll: async (after, limit) => {
      const events = await log.readAll(after, limit)
      return events.filter(({ position }) => position <= (positions[written - 1] ?? ''))
    },
  }

  /** Runs one process until it ends. Returns true when every event is applied. */
  async function live(): Promise<boolean> {
    const deps: CatchUpDeps = {
      ...{ ...own, log: growing, rankings: breaks.rankings(shared.handle()), progress: new Progress() },
    }
    const held = new MemoryBudget(random.pick(HELD_BYTES))
    const appliers = projections.map((view) => createApplier(view, deps, held))
    for (;;) {
      try {
        await catchUp(deps, appliers, new Set(ALL_PARTITIONS), new AbortController().signal)
        if (written === positions.length) return true
        written = Math.min(positions.length, written + 1 + random.below(2 * most))
      } catch (error) {
        if (!isPlanted(error)) throw error
        if (random.chance(LOST)) shared.lose()
        if (random.chance(ENDS)) return false
      }
    }
  }

  await prepareViews({ log, views: stored }, projections)
  while (!(await live()));
  await breaks.arrivals(true)
  const rankings = shared.handle()
  const differences = [...reports, ...(await rebuiltDifferences(stored, log, rebuilt))]
  for (const key of rebuilt.keys) {
    const [is, due] = [await sortKeysOf(rankings, key), await sortKeysOf(rebuilt.rankings, key)]
    if (!same(is, due)) differences.push(`ranking ${key.key}: ${is.join()} and not ${due.join()}`)
  }
  const last = new Map((await log.readAll(null, ALL)).map(({ meta, position }) => [partitionOf(meta.game), position]))
  for (const view of projections.map(viewKey)) {
    const reached = await stored.checkpoints(view)
    for (const [partition, position] of last) {
      const is = reached.get(partition)?.position ?? ''
      if (is < position) differences.push(`${view}: checkpoint ${partition} is ${is} and not ${position}`)
    }
  }
  return { differences, breaks: breaks.count }
}
