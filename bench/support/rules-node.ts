// A node that only updates views and builds board generations, on stores whose calls are timed.

import { randomBytes } from 'node:crypto'
import type { CommandDeps } from '../../commands/command-deps.ts'
import { createHandler } from '../../commands/handle.ts'
import { setLeaderboard } from '../../commands/leaderboard.ts'
import { randomIds } from '../../credentials/command-ids.ts'
import { ALL_PARTITIONS, partitionOf } from '../../domain/partition.ts'
import { viewsOver } from '../../projections/all.ts'
import { createApplier } from '../../projections/create-applier.ts'
import { Folds } from '../../projections/folds.ts'
import { waitForViewsOf } from '../../projections/progress.ts'
import { run } from '../../projections/run.ts'
import { prepareViews, untilBuilt } from '../../projections/start.ts'
import { buildGenerations, SERVER_RANGES } from '../../reactions/build-generations.ts'
import { ownContext } from '../../reactions/reaction.ts'
import { runReactions } from '../../reactions/run.ts'
import { queryDeps } from '../../server/compose.ts'
import { type Installation, openInstallation } from '../../server/installation.ts'
import { foldingWith } from '../../server/node/reactions.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Rankings } from '../../stores/contract/rankings.ts'
import type { OpenedStores } from '../../stores/contract/stores.ts'
import type { BoardReference } from './events.ts'
import { quietRun } from './projection-run.ts'

export interface RulesNode {
  /** Resolves when the new order is in force and every view has applied it. */
  change(boardRef: BoardReference, ordering: 'asc' | 'desc'): Promise<void>
  stop(): Promise<void>
}

/** The log must be empty. */
export function installed(opened: OpenedStores, waits: Waits): Promise<Installation> {
  return openInstallation(timed(opened, waits), { current: randomBytes(32), previous: [] })
}

/** Resolves when the views have reached the end of the log. */
export async function startRulesNode({ stores: given, keys }: Installation): Promise<RulesNode> {
  const hooks = { changed: (_position: string): void => {} }
  const stores = { ...given, log: reportingChanges(given.log, (position) => hooks.changed(position)) }
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
  const [waitForProjection, folding] = [waitForViewsOf(own.progress), foldingWith(folds, queries)]
  const reaction = buildGenerations({
    commands,
    queries,
    now: Date.now,
    waitForProjection,
    folding,
    policy: SERVER_RANGES,
  })
  const failed = (name: string, error: unknown) => {
    throw new Error(`${name} failed`, { cause: error })
  }
  const running = Promise.all([
    run(deps, appliers, holding, over.signal),
    runReactions({ log, views, failed }, [reaction], holding, over.signal),
  ])
  const broken = running.then(() => {
    throw new Error('the node ended')
  })
  broken.catch(() => {})
  await Promise.race([untilBuilt(log, own.progress, over.signal), broken])

  async function change({ board, game }: BoardReference, ordering: 'asc' | 'desc'): Promise<void> {
    const context = { ...ownContext(Date.now()), generator: randomIds().generator }
    const changed = new Promise<string>((resolve) => {
      hooks.changed = resolve
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

/** The same log; reports the position of each appended rule change. */
function reportingChanges(log: Log, hooks: (position: string) => void): Log {
  return {
    ...log,
    async append(stream, expected, events) {
      const appended = await log.append(stream, expected, events)
      const isChanged = events.some(({ type }) => type === 'LeaderboardRulesChanged')
      if (isChanged && appended.kind === 'appended') hooks(appended.position)
      return appended
    },
  }
}

/** The same stores; reports the duration of calls by kind. */
function timed(stores: OpenedStores, waits: Waits): OpenedStores {
  const { views, rankings, log } = stores
  const sets = new Map<Rankings, Rankings>()
  return {
    ...stores,
    log: {
      ...log,
      append: (...request) => waits.during('log', log.append(...request)),
      readStream: (...request) => waits.during('log', log.readStream(...request)),
    },
    views: {
      ...views,
      get: (...request) => waits.during('documents read', views.get(...request)),
      find: (...request) => waits.during('history read', views.find(...request)),
      scan: (...request) => waits.during('documents read', views.scan(...request)),
      commit: (...request) => waits.during('documents written', views.commit(...request)),
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

/** Waiting time by cause: the time during which at least one call of a kind is in flight. */
export class Waits {
  readonly #kinds = new Map<string, { running: number; since: number; ms: number }>()

  async during<Answer>(kind: string, call: Promise<Answer>): Promise<Answer> {
    const one = this.#kinds.get(kind) ?? { running: 0, since: 0, ms: 0 }
    this.#kinds.set(kind, one)
    if (one.running++ === 0) one.since = performance.now()
    try {
      return await call
    } finally {
      if (--one.running === 0) one.ms += performance.now() - one.since
    }
  }

  /** Seconds of each kind since the last call. */
  taken(): ReadonlyMap<string, number> {
    const seconds = new Map([...this.#kinds].map(([kind, one]) => [kind, one.ms / 1_000]))
    this.#kinds.clear()
    return seconds
  }
}
