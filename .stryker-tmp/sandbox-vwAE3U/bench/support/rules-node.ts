// A node that brings the views along and builds boards' generations, and nothing else, on stores of which each call is timed.

import { randomBytes } from 'node:crypto'
import { foldingWith } from '../../cluster/folding.ts'
import { seenIn } from '../../cluster/take-over.ts'
import type { CommandDeps } from '../../commands/command-deps.ts'
import { createHandler } from '../../commands/handle.ts'
import { setLeaderboard } from '../../commands/leaderboard.ts'
import { queryDeps } from '../../composition/compose.ts'
import { type Installation, openInstallation } from '../../composition/installation.ts'
import { randomIds } from '../../credentials/command-ids.ts'
import { ALL_PARTITIONS, partitionOf } from '../../domain/partition.ts'
import { buildGenerations } from '../../processes/build-generations.ts'
import { ownContext } from '../../processes/own-context.ts'
import { runProcesses } from '../../processes/run.ts'
import { viewsOver } from '../../projections/all.ts'
import { createApplier } from '../../projections/apply.ts'
import { Folds } from '../../projections/folds.ts'
import { run } from '../../projections/run.ts'
import { prepareViews, untilBuilt } from '../../projections/start.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Rankings } from '../../stores/contract/rankings.ts'
import type { OpenedStores } from '../../stores/contract/stores.ts'
import type { Place } from './events.ts'
import { quietRun } from './projection-run.ts'
import type { Waits } from './waits.ts'

export interface RulesNode {
  /** Answers once the other order is in force and every view has it. */
  change(place: Place, ordering: 'asc' | 'desc'): Promise<void>
  stop(): Promise<void>
}

/** On a log that is still empty. */
export function installed(opened: OpenedStores, waits: Waits): Promise<Installation> {
  return openInstallation(timed(opened, waits), { current: randomBytes(32), previous: [] })
}

/** Settles when the views have what the log holds. */
export async function startRulesNode({ stores: given, keys }: Installation): Promise<RulesNode> {
  const told = { changed: (_position: string): void => {} }
  const stores = { ...given, log: tellingOfChanges(given.log, (position) => told.changed(position)) }
  const { log, vault, views } = stores
  const commands: CommandDeps = { handler: createHandler(log), log, vault, keys, publish: async () => {} }
  const queries = queryDeps({ stores })
  const own = { ...quietRun(stores), history: queries.history }
  const folds = new Folds(own)
  const deps = { ...own, folds }
  const projections = viewsOver(stores)
  await prepareViews(stores, projections)
  const appliers = projections.map((view) => createApplier(view, deps))
  const holding = { now: () => ({ partitions: new Set(ALL_PARTITIONS), changed: new AbortController().signal }) }
  const over = new AbortController()
  const [seen, folding] = [seenIn(own.progress), foldingWith(folds, queries)]
  const process = buildGenerations({ commands, queries, now: Date.now, seen, folding })
  const failed = (name: string, why: unknown) => {
    throw new Error(`${name} failed`, { cause: why })
  }
  const running = Promise.all([
    run(deps, appliers, holding, over.signal),
    runProcesses({ log, views, failed }, [process], holding, over.signal),
  ])
  const broken = running.then(() => {
    throw new Error('the node ended')
  })
  broken.catch(() => {})
  await Promise.race([untilBuilt(log, own.progress, over.signal), broken])

  async function change({ board, game }: Place, ordering: 'asc' | 'desc'): Promise<void> {
    const context = { ...ownContext(Date.now()), generator: randomIds().generator }
    const changed = new Promise<string>((resolve) => {
      told.changed = resolve
    })
    await setLeaderboard(commands, { board, game }, { change: { rules: { ordering } }, expect: () => {} }, context)
    const position = await Promise.race([changed, broken])
    await own.progress.waitUntil(partitionOf(game), position, over.signal)
  }
  const stop = async () => {
    over.abort()
    await running
  }
  return { change, stop }
}

/** The same log; told of is the position of each change of rules that it takes. */
function tellingOfChanges(log: Log, told: (position: string) => void): Log {
  return {
    ...log,
    async append(stream, expected, events) {
      const appended = await log.append(stream, expected, events)
      const isChanged = events.some(({ type }) => type === 'LeaderboardRulesChanged')
      if (isChanged && appended.kind === 'appended') told(appended.position)
      return appended
    },
  }
}

/** The same stores; calls of each kind are reported. */
function timed(stores: OpenedStores, waits: Waits): OpenedStores {
  const { views, rankings, log } = stores
  const sets = new Map<Rankings, Rankings>()
  return {
    ...stores,
    log: {
      ...log,
      append: (...asked) => waits.during('log', log.append(...asked)),
      readStream: (...asked) => waits.during('log', log.readStream(...asked)),
    },
    views: {
      ...views,
      get: (...asked) => waits.during('documents read', views.get(...asked)),
      find: (...asked) => waits.during('history read', views.find(...asked)),
      scan: (...asked) => waits.during('documents read', views.scan(...asked)),
      commit: (...asked) => waits.during('documents written', views.commit(...asked)),
    },
    rankings: {
      ...rankings,
      of: (view, partition) => {
        const one = rankings.of(view, partition)
        const known = sets.get(one) ?? { ...one, put: (changes) => waits.during('rankings', one.put(changes)) }
        sets.set(one, known)
        return known
      },
    },
  }
}
