// Small views on memory stores for tests of the projector, and a way to run it until it has applied everything.

import { randomUUID } from 'node:crypto'
import { type NewEvent, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import { ALL_PARTITIONS, partitionOf } from '../../domain/partition.ts'
import type { Applier } from '../../projections/applier.ts'
import { createApplier } from '../../projections/create-applier.ts'
import { Progress } from '../../projections/progress.ts'
import type { Projection } from '../../projections/projection.ts'
import { type RunDeps, run } from '../../projections/run.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { AllRankings } from '../../stores/contract/rankings.ts'
import type { Views } from '../../stores/contract/views.ts'
import { historyOf } from '../memory/history.ts'
import { createMemoryLog } from '../memory/log.ts'
import { ownsAll } from '../memory/ownership.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'

/** One document per stream: the texts of its events, in order. `boom` cannot be applied. */
export const texts: Projection = {
  name: 'texts',
  version: 1,
  collections: [{ name: 'texts', indexes: {} }],
  takes: ['Said'],
  needs: ({ stream }) => [['texts', stream]],
  handle({ stream, data }, docs) {
    if (data.text === 'boom') throw new Error('it does not apply')
    const said = unsafeCast<readonly string[]>(docs.get('texts', stream)?.said ?? [])
    docs.put('texts', stream, { said: [...said, String(data.text)] })
  },
}

const rankedIn = (partition: number): string => `of-partition-${partition}`

/** The number of events of each game, ranked among the games of its partition. */
export const counts: Projection = {
  name: 'counts',
  version: 1,
  collections: [
    { name: 'counts', indexes: { rank: ['ranking', 'member'] } },
    { name: 'rankings', indexes: { partition: ['partition', 'ranking'] } },
  ],
  takes: ['Said', 'Forgotten'],
  ranked: {
    collection: 'counts',
    index: 'rank',
    key: 'ranking',
    sortKey: 'member',
    keys: 'rankings',
    byPartition: 'partition',
  },
  needs: ({ meta }) => [
    ['counts', meta.game ?? ''],
    ['rankings', rankedIn(partitionOf(meta.game))],
  ],
  handle({ type, meta }, docs) {
    const game = meta.game ?? ''
    const partition = partitionOf(meta.game)
    const ranking = rankedIn(partition)
    if (docs.get('rankings', ranking) === null) docs.put('rankings', ranking, { ranking, partition })
    if (type === 'Forgotten') return docs.remove('counts', game)
    const count = Number(docs.get('counts', game)?.count ?? 0) + 1
    docs.put('counts', game, { count, ranking, member: `${String(count).padStart(6, '0')}-${game}` })
  },
}

export const saidEvent = (text: string, game = 'g1', type = 'Said'): NewEvent => ({
  id: randomUUID(),
  type,
  data: { text },
  meta: { v: 1, game, command: randomUUID(), actor: null, request: null, time: '2026-01-01T00:00:00.000Z' },
})

/** Appends texts to the end of a stream of a game; returns the position of the last. */
export async function appendTexts(
  log: Log,
  stream: string,
  game: string,
  ...lines: readonly string[]
): Promise<string> {
  const present = await log.readStream(stream, 0, 1_000_000)
  const expected = present.length === 0 ? 'none' : present.length - 1
  const events = lines.map((line) => saidEvent(line, game))
  const result = await log.append(stream, expected, events)
  if (result.kind !== 'appended') throw new Error('another writer appended')
  return result.position
}

/** Hides the log's history from a new reader, so that all of it comes through the subscription. */
export const heardLive = (log: Log): Log => ({ ...log, head: async () => null })

export interface RunWorld {
  readonly deps: RunDeps
  readonly appliers: readonly Applier[]
  /** What the projector reported: failures it reopened after, events it parked, what it applied and read. */
  readonly reports: {
    readonly reopened: unknown[]
    readonly parked: string[]
    readonly applied: number[]
    readonly read: number[]
  }
}

export function runWorld(
  projections: readonly Projection[],
  stores: { readonly log?: Log; readonly views?: Views; readonly rankings?: AllRankings } = {},
): RunWorld {
  const reports: RunWorld['reports'] = { reopened: [], parked: [], applied: [], read: [] }
  const log = stores.log ?? createMemoryLog()
  const deps: RunDeps = {
    log,
    history: historyOf(log),
    views: stores.views ?? createMemoryViews(),
    rankings: stores.rankings ?? createRankings(),
    installation: 'this one',
    progress: new Progress(),
    reopening: (error) => reports.reopened.push(error),
    parked: (view: string, { stream, revision }: StoredEvent) => reports.parked.push(`${view} ${stream} ${revision}`),
    applied: (count) => reports.applied.push(count),
    catchingUp: (read) => reports.read.push(read),
  }
  return { deps, appliers: projections.map((projection) => createApplier(projection, deps)), reports }
}

/** Runs until every view has applied the whole log, then stops. Throws if that takes longer than 10 seconds. */
export async function runToEnd({ deps, appliers, reports }: RunWorld): Promise<void> {
  const last = (await deps.log.readAll(null, 1_000_000)).at(-1)
  const stopping = new AbortController()
  const running = run(deps, appliers, ownsAll, stopping.signal)
  const { progress } = deps
  const isReached = last === undefined || (await progress.waitFor(last.meta.game, last.position, 10_000))
  stopping.abort()
  await running
  if (!isReached)
    throw new Error(`the views have not reached the end of the log: ${reports.reopened.map(String).join('; ')}`)
}

/** Runs in the background. The returned function stops the run and returns the failures after which it reopened. */
export function running({ deps, appliers, reports }: RunWorld): () => Promise<readonly unknown[]> {
  const stopping = new AbortController()
  const ended = run(deps, appliers, ownsAll, stopping.signal)
  return async () => {
    stopping.abort()
    await ended
    return reports.reopened
  }
}

/** Resolves once a background run has applied the log up to its head, in the partition of g1. */
export async function caughtUp({ deps }: RunWorld): Promise<void> {
  const isReached = await deps.progress.waitFor('g1', (await deps.log.head()) ?? '', 10_000)
  if (!isReached) throw new Error('the views have not reached the end of the log')
}

/** The sort keys of the rankings of `counts` in all partitions, ascending. Throws if a ranking is lost. */
export async function ranked(rankings: AllRankings): Promise<string[]> {
  const each = ALL_PARTITIONS.map((partition) =>
    rankings.of('counts@1', partition).range(rankedIn(partition), 0, 1_000),
  )
  return (await Promise.all(each)).flat().sort()
}

/** The body of every document of a collection, by id. */
export async function bodies(views: Views, view: string, collection: string): Promise<Record<string, unknown>> {
  const documents = await views.scan(view, collection, null, 1_000_000)
  return Object.fromEntries(documents.map(({ id, body }) => [id, body]))
}

/** Two games in different partitions. */
export function twoPartitions(): [string, string] {
  const other = Array.from({ length: 100 }, (_, n) => `game${n}`).find(
    (game) => partitionOf(game) !== partitionOf('g1'),
  )
  return ['g1', other ?? '']
}
