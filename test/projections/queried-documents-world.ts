// Players with many entries and a game with many origins, on memory stores that can fail at any step: for tests of
// events that update many documents.

import { randomUUID } from 'node:crypto'
import type { JsonObject, NewEvent } from '../../domain/event.ts'
import { partitionOf } from '../../domain/partition.ts'
import { createApplier } from '../../projections/create-applier.ts'
import { entries } from '../../projections/entries.ts'
import { history } from '../../projections/history.ts'
import { origins } from '../../projections/origins.ts'
import { type Projection, viewKey, viewSpec } from '../../projections/projection.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { AllRankings, RankingChange } from '../../stores/contract/rankings.ts'
import type { Batch, Views } from '../../stores/contract/views.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'
import { rulesOf } from '../rules.ts'
import { type RunWorld, runWorld } from './run-world.ts'

export const GAME = 'g1'
/** Documents that are written together. */
export const BATCH_SIZE = 3
export const VIEWS = [entries, history, origins] as const

export type EventSpec = readonly [
  stream: string,
  type: string,
  data: JsonObject,
  about?: { board?: string; player?: string },
]

const board = (id: string, unique: boolean): EventSpec => {
  const rules = { ...rulesOf(unique), minScore: unique ? '0' : null }
  return [`board-${id}`, 'LeaderboardCreated', { name: id, description: '', rules }, { board: id }]
}
const ofPlayer = (player: string, type: string, data: JsonObject = {}): EventSpec => {
  return [`player-${player}`, type, data, { player }]
}
export const score = (id: string, player: string, submission: string, value: number): EventSpec => {
  const data = { id: submission, score: String(value), secondary: null, extra: null }
  const playerName = value % 4 === 0 ? 'An ace' : null
  return [`lb_${id}-${player}`, 'ScoreSubmitted', { ...data, playerName }, { board: id, player }]
}
export const configured = (...corsOrigins: readonly string[]): EventSpec => [
  `game-${GAME}`,
  'GameConfigured',
  { corsOrigins },
]

/** Two players with several entries on two boards, and one on each of two unique boards; the last is out of bounds. */
export const BEFORE: readonly EventSpec[] = [
  configured(...[0, 1, 2, 3, 4, 5, 6].map((n) => `https://old-${n}.example`), 'https://kept.example'),
  board('b1', false),
  board('b2', false),
  board('b3', true),
  board('b4', true),
  ...['p1', 'p2'].flatMap((player): readonly EventSpec[] => [
    ofPlayer(player, 'PlayerCreated', { name: player, externalId: null, guest: true }),
    ...[5, 3, 9, 1, 7, 4, 8].map((value) => score('b1', player, `${player}-a${value}`, value)),
    ...[2, 6, 4, 1].map((value) => score('b2', player, `${player}-b${value}`, value)),
    score('b3', player, `${player}-c`, 5),
    score('b4', player, `${player}-d`, -5),
  ]),
]

export const BANNED = ofPlayer('p1', 'PlayerBanned', { reason: null, until: null })
export const UNBANNED = ofPlayer('p1', 'PlayerUnbanned')
export const NAMED = ofPlayer('p1', 'PlayerNamed', { name: 'Another' })
export const DELETED = ofPlayer('p1', 'PlayerDeleted', { externalId: null, login: null })

export async function appendEvents(log: Log, specs: readonly EventSpec[]): Promise<void> {
  for (const [stream, type, data, about = {}] of specs) {
    const revision = (await log.readStream(stream, 0, 1_000)).length
    const meta = { v: 1, game: GAME, ...about, command: randomUUID(), actor: null, request: null }
    const event: NewEvent = { id: randomUUID(), type, data, meta: { ...meta, time: '2026-01-01T00:00:00.000Z' } }
    await log.append(stream, revision === 0 ? 'none' : revision - 1, [event])
  }
}

export interface Stores {
  readonly log: Log
  readonly views: Views
  readonly rankings: AllRankings
}

export const newStores = (log: Log): Stores => ({ log, views: createMemoryViews(), rankings: createRankings() })

/** The projector of a process that starts on these stores. */
export function projectorOn(
  stores: Stores,
  queriedAtOnce: number,
  projections: readonly Projection[] = VIEWS,
): RunWorld {
  const world = runWorld(projections, stores)
  const deps = { ...world.deps, queriedAtOnce }
  return { ...world, deps, appliers: projections.map((view) => createApplier(view, deps)) }
}

/** Every document with its position, and every ranking. */
export async function all({ views, rankings }: Stores, projections: readonly Projection[] = VIEWS) {
  const found: Record<string, unknown> = {}
  for (const projection of projections) {
    for (const { name } of viewSpec(projection).collections) {
      const collection = `${projection.name}/${name}`
      for (const { id, ...document } of await views.scan(viewKey(projection), name, null, 1_000)) {
        found[`${collection}/${id}`] = JSON.stringify(document)
      }
    }
  }
  const own = rankings.of(viewKey(entries), partitionOf(GAME))
  for (const id of ['b1', 'b2', 'b3', 'b4']) found[id] = await own.range(`${id}.1`, 0, 1_000)
  return found
}

export class Crash extends Error {}

/**
 * Stores that throw Crash before or after (`isDone`) the `at`-th step from now on: a put into a ranking or a commit.
 */
export function crashingStores({ log, views, rankings }: Stores, at: number, isDone: boolean) {
  let steps = 0
  async function step(work: () => Promise<void>): Promise<void> {
    const isLast = ++steps === at
    if (steps > at || (isLast && !isDone)) throw new Crash()
    await work()
    if (isLast) throw new Crash()
  }
  const stores: Stores = {
    log,
    views: { ...views, commit: (batches: readonly Batch[]) => step(() => views.commit(batches)) },
    rankings: {
      ...rankings,
      of(view, partition) {
        const own = rankings.of(view, partition)
        return { ...own, put: (changes: readonly RankingChange[]) => step(() => own.put(changes)) }
      },
    },
  }
  return { stores, steps: () => steps }
}
