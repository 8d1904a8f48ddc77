// A log applied to fresh views by processes whose writes break off in their middle, so that the same events come again, cut at
// other places: in the end it must be as if nothing had ever gone wrong.

import { ALL_PARTITIONS, partitionOf } from '../../domain/partition.ts'
import { createApplier } from '../../projections/apply.ts'
import { type CatchUpDeps, catchUp } from '../../projections/catch-up.ts'
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
import { membersOf, type Rebuilt, rebuiltDifferences } from './oracle/rebuilt.ts'
import { same } from './oracle/same.ts'
import { Breaks } from './world/breaking.ts'
import { isPlanted } from './world/planted.ts'

const ALL = Number.MAX_SAFE_INTEGER
/** Where a write broke off: how often the rankings are lost with it, and how often the process ends. */
const LOST = 0.05
const ENDS = 0.5
/** Events that are read at a time, documents that change from one write to the next, and bytes that are held meanwhile. */
const EVENTS_MOST = [3, 20, 60, 200, 1_000] as const
const CHANGES = [1, 1, 10, 100] as const
const HELD_BYTES = [0, 20_000, 2 ** 26] as const

export interface Tried {
  /** One line each. */
  readonly differences: readonly string[]
  /** How many writes broke off. */
  readonly breaks: number
}

/** `rebuilt`: all views of this log; with the view of history, what they read of it is in that. */
export async function applyBreaking(log: Log, rebuilt: Rebuilt, random: Random): Promise<Tried> {
  const { projections } = rebuilt
  const breaks = new Breaks(random)
  const stored = createMemoryViews()
  const shared = createSharedRankings()
  const told: string[] = []
  const positions = (await log.readAll(null, ALL)).map(({ position }) => position)
  const most = random.pick(EVENTS_MOST)
  const own = {
    history: projections.includes(historyView) ? historyInViews(stored, viewKey(historyView)) : historyOf(log),
    views: breaks.views(stored),
    installation: 'this one',
    parked: (view: string, { type, stream }: { type: string; stream: string }, why: unknown) =>
      void told.push(`${view} parked ${type} of ${stream}: ${why}`),
    pace: {
      get events() {
        return 1 + random.below(most)
      },
      changes: random.pick(CHANGES),
    },
    applied: () => {},
    catchingUp: () => {},
  }
  /** The log grows meanwhile: so far it is written. */
  let written = 0
  const growing: Log = {
    ...log,
    head: async () => positions[written - 1] ?? null,
    readAll: async (after, limit) => {
      const events = await log.readAll(after, limit)
      return events.filter(({ position }) => position <= (positions[written - 1] ?? ''))
    },
  }

  /** One process, up to its end; whether all is applied. */
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
      } catch (why) {
        if (!isPlanted(why)) throw why
        if (random.chance(LOST)) shared.lose()
        if (random.chance(ENDS)) return false
      }
    }
  }

  await prepareViews({ log, views: stored }, projections)
  while (!(await live()));
  await breaks.arrivals(true)
  const rankings = shared.handle()
  const differences = [...told, ...(await rebuiltDifferences(stored, log, rebuilt))]
  for (const key of rebuilt.keys) {
    const [is, due] = [await membersOf(rankings, key), await membersOf(rebuilt.rankings, key)]
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
