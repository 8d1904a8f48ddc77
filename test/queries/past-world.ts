// Generated histories of a board for tests of past boards, with nodes whose clocks differ. The stores answer from a
// list of events; `past-model.ts` computes past boards from it.

import type { Rules } from '../../domain/board-rules.ts'
import { type JsonObject, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import { partitionOf } from '../../domain/partition.ts'
import { past as pastView } from '../../projections/past.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { Board } from '../../queries/leaderboard.ts'
import type { PastDeps } from '../../queries/past/deps.ts'
import type { Views } from '../../stores/contract/views.ts'
import { skipsNothing } from '../memory/history.ts'
import type { Random } from '../random.ts'
import { rulesOf } from '../rules.ts'

const GAME = 'g'
export const BOARD = 'b'
const START_MS = Date.UTC(2026, 10, 1)
const SCORES = ['1', '2', '-2.5', '7', '30', '0', '0.000000000000000001']
/** Not added to any total, and the most that is. */
const FAR_SCORES = [`1${'0'.repeat(24)}`, `-${'9'.repeat(24)}.${'9'.repeat(18)}`]

export interface PastWorld {
  readonly events: StoredEvent[]
  readonly deps: PastDeps
  readonly board: Board
  /** The number of reads of the history. */
  readonly reads: () => number
  /** If set, the views have applied only this many events. */
  shown: number | null
  /** If set, reads of the history wait for it. */
  gate: Promise<unknown> | null
}

export function pastWorld(unique: boolean, keep?: Rules['keep']): PastWorld {
  const events: StoredEvent[] = []
  let reads = 0
  const rules = { ...rulesOf(unique), ...(keep !== undefined && { keep }) }
  const named = { name: 'B', description: '', key: null, claim: null, created: '' }
  const state = { ...named, rules, archived: false, generation: 1, lastGeneration: 1 }
  const seen = () => (world.shown === null ? events : events.slice(0, world.shown))
  const world: PastWorld = {
    events,
    gate: null,
    shown: null,
    reads: () => reads,
    board: { id: BOARD, game: GAME, generation: 1, state: { ...state, rebuild: null, superseded: [] } },
    deps: {
      log: {
        readStream: async (stream, from, limit) =>
          events.filter((one) => one.stream === stream && one.revision >= from).slice(0, limit),
      },
      reached: async () => seen().at(-1)?.position ?? null,
      activeBuilds: () => 'past@1',
      queries: {
        history: {
          part: async (filter, after, limit) => {
            if ('game' in filter)
              return seen()
                .filter(({ position }) => position > (after ?? ''))
                .slice(0, limit)
            reads++
            await world.gate
            return seen()
              .filter(({ position, meta }) => meta.board === BOARD && (after === null || position > after))
              .slice(0, limit)
          },
          nth: async () => null,
          skip: skipsNothing,
          lastBy: async (_game, { after, upTo }, instant) => {
            const isIn = ({ position, meta }: StoredEvent) =>
              position > (after ?? '') && position <= upTo && meta.time <= instant
            return seen().findLast(isIn)?.position ?? null
          },
        },
        views: viewsOf(seen),
        viewKey: (name) => name,
        rankings: null as unknown as QueryDeps['rankings'],
      },
    },
  }
  return world
}

/** The view `past`, filled by its own handler; players have no names. */
function viewsOf(seen: () => readonly StoredEvent[]): Views {
  const documents = () => {
    const made: { collection: string; id: string; body: JsonObject }[] = []
    const docs = {
      get: () => null,
      isAfter: () => false,
      remove: () => {},
      put: (collection: string, id: string, body: JsonObject) => made.push({ collection, id, body }),
    }
    for (const event of seen()) if (pastView.takes.includes(event.type)) pastView.handle(event, docs, [])
    return made
  }
  const views: Pick<Views, 'find' | 'get' | 'current' | 'checkpoints'> = {
    checkpoints: async () => new Map([[partitionOf(GAME), { position: seen().at(-1)?.position ?? '', eventId: '' }]]),
    get: async (_view, _collection, ids) => ids.map(() => null),
    current: async (_view, _collection, ids) => ids.map(() => null),
    find: async ({ collection, index, equal, after = '', limit }) =>
      documents()
        .filter((one) => one.collection === collection && one.body[index] === equal[0])
        .filter(({ body }) => String(body.position) > String(after))
        .slice(0, limit)
        .map(({ id, body }) => ({ id, body, pos: String(body.position) })),
  }
  return views as Views
}

/** Appends an event. Its time is `ms` after the start, but never before the last event of its stream. */
export function append(
  world: PastWorld,
  stream: string,
  type: string,
  data: JsonObject,
  player: string | null,
  ms: number,
) {
  const { events } = world
  const before = events.filter((one) => one.stream === stream)
  const clock = new Date(START_MS + ms).toISOString()
  const last = before.at(-1)?.meta.time ?? clock
  const time = last > clock ? last : clock
  const board = stream.startsWith('player-') ? {} : { board: BOARD }
  const meta = {
    v: 1,
    game: GAME,
    ...board,
    ...(player === null ? {} : { player }),
    command: '',
    actor: null,
    request: null,
    time,
  }
  const position = String(events.length).padStart(16, '0')
  events.push({ id: position, type, data, meta, stream, revision: before.length, position })
}

/** A random history of some players, written by nodes whose clocks differ; with `changes`, the rules change in it. */
export function playHistory(world: PastWorld, random: Random, length: number, changes = false): void {
  const rules = unsafeCast<JsonObject>(world.board.state.rules)
  append(world, `board-${BOARD}`, 'LeaderboardCreated', { name: 'B', description: '', rules }, null, 0)
  for (let n = 1; n <= length; n++) {
    const player = `p${random.below(6)}`
    const ms = 20 + n * 3 + random.pick(changes ? [0, 0, -15, 15, -150] : [0, 0, -15, 15])
    if (changes && random.chance(0.1)) changeRules(world, random, ms)
    const draw = random.below(20)
    if (draw < 13) {
      const someScore = () => random.pick(changes && random.chance(0.1) ? FAR_SCORES : SCORES)
      const [secondary, score] = [random.chance(0.3) ? someScore() : null, someScore()]
      const data = { id: `s${n}`, score, secondary, extra: random.chance(0.3) ? `{"n":${n}}` : null, playerName: null }
      append(world, `lb_${BOARD}-${player}`, 'ScoreSubmitted', data, player, ms)
    } else if (draw < 15) deleteOne(world, random, player, ms)
    else
      append(
        world,
        `player-${player}`,
        draw < 18 ? 'PlayerUnbanned' : 'PlayerBanned',
        { until: null, reason: null },
        player,
        ms,
      )
  }
}

/** Other rules, whose change is sometimes cancelled. */
function changeRules(world: PastWorld, random: Random, ms: number): void {
  const generation = 2 + world.events.filter(({ type }) => type === 'LeaderboardRulesRequested').length
  const unique = random.chance(0.7)
  const orderings = ['desc', 'asc'] as const
  const rules = {
    ...rulesOf(unique),
    ...(unique && random.pick([{}, { keep: 'latest' }, { keep: 'total' }] as const)),
    ordering: random.pick(orderings),
    secondaryOrdering: random.pick(orderings),
    minScore: random.pick([null, null, '-1', '1']),
  }
  const change = { change: `c${generation}`, generation, rules }
  append(world, `board-${BOARD}`, 'LeaderboardRulesRequested', change, null, ms)
  if (random.chance(0.2))
    append(world, `board-${BOARD}`, 'LeaderboardRulesCancelled', { ...change, upTo: null }, null, ms)
  else append(world, `board-${BOARD}`, 'LeaderboardRulesChanged', { ...change, after: null }, null, ms)
}

/** The rules in force after some events of the log. */
export const rulesAfter = (events: readonly StoredEvent[]): Rules =>
  unsafeCast(
    events.findLast(({ type }) => type === 'LeaderboardCreated' || type === 'LeaderboardRulesChanged')?.data.rules,
  )

/** Where rules have changed, a node may not know it yet: it deletes under rules of the other kind. */
function deleteOne(world: PastWorld, random: Random, player: string, ms: number): void {
  const isLate = world.events.some(({ type }) => type === 'LeaderboardRulesChanged') && random.chance(0.2)
  const unique = rulesAfter(world.events).unique !== isLate
  const stream = `lb_${BOARD}-${player}`
  const own = world.events.filter((one) => one.stream === stream)
  const sent = random.any(own.filter(({ type }) => type === 'ScoreSubmitted'))
  if (sent === null) return
  append(world, stream, 'ScoreDeleted', { id: sent.data.id ?? '', upTo: unique ? own.length - 1 : null }, player, ms)
}
