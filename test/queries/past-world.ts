// Generated histories of a board for tests of past boards, with nodes whose clocks differ. The stores answer from a
// list of events; `expectedRanks` computes a past board from it with plain arrays.

import type { JsonObject, StoredEvent } from '../../domain/event.ts'
import { partitionOf } from '../../domain/partition.ts'
import { past as pastView } from '../../projections/past.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { Board } from '../../queries/leaderboard.ts'
import type { PastDeps } from '../../queries/past/deps.ts'
import type { Views } from '../../stores/contract/views.ts'
import { skipsNothing } from '../memory/history.ts'
import { scaled } from '../model/big-decimal.ts'
import { bestOf, byRank, type ModelRules, type Submission } from '../model/board-model.ts'
import type { Row } from '../model/scores-model.ts'
import type { Random } from '../random.ts'
import { rulesOf } from '../rules.ts'

const GAME = 'g'
export const BOARD = 'b'
const START_MS = Date.UTC(2026, 10, 1)
const SCORES = ['1', '2', '-2.5', '7', '30', '0']

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

export function pastWorld(unique: boolean): PastWorld {
  const events: StoredEvent[] = []
  let reads = 0
  const rules = rulesOf(unique)
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
        head: async () => events.at(-1)?.position ?? null,
        eventAt: async (position) => events.find((one) => one.position === position) ?? null,
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
    current: async () => null,
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
  const position = String(events.length).padStart(8, '0')
  events.push({ id: position, type, data, meta, stream, revision: before.length, position })
}

/** A random history of some players, written by nodes whose clocks differ. */
export function playHistory(world: PastWorld, random: Random, length: number): void {
  const rules = world.board.state.rules as unknown as JsonObject
  append(world, `board-${BOARD}`, 'LeaderboardCreated', { name: 'B', description: '', rules }, null, 0)
  for (let n = 1; n <= length; n++) {
    const player = `p${random.below(6)}`
    const ms = 20 + n * 3 + random.pick([0, 0, -15, 15])
    const draw = random.below(20)
    if (draw < 13) {
      const secondary = random.chance(0.3) ? random.pick(SCORES) : null
      const data = { id: `s${n}`, score: random.pick(SCORES), secondary, extra: null, playerName: null }
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

function deleteOne(world: PastWorld, random: Random, player: string, ms: number): void {
  const { unique } = world.board.state.rules
  const stream = `lb_${BOARD}-${player}`
  const own = world.events.filter((one) => one.stream === stream)
  const sent = random.any(own.filter(({ type }) => type === 'ScoreSubmitted'))
  if (sent === null) return
  append(world, stream, 'ScoreDeleted', { id: sent.data.id ?? '', upTo: unique ? own.length - 1 : null }, player, ms)
}

/** Each player's best rank and score at an instant, without the players in `gone`. */
export function expectedRanks(
  world: PastWorld,
  asOf: string,
  gone: readonly string[] = [],
): Map<string, { rank: number; score: string }> {
  const { unique } = world.board.state.rules
  const then = world.events.filter(({ meta }) => meta.time <= asOf && !gone.includes(meta.player ?? ''))
  const rules: ModelRules = { ordering: 'desc', secondary_ordering: 'desc', unique, min_score: null, max_score: null }
  const banned = new Set<string>()
  let sent: Submission[] = []
  for (const { type, data, meta } of then) {
    const { player = '', time } = meta
    if (type === 'PlayerBanned') banned.add(player)
    else if (type === 'PlayerUnbanned') banned.delete(player)
    else if (type === 'ScoreDeleted') sent = sent.filter((one) => (unique ? one.player !== player : one.id !== data.id))
    else if (type === 'ScoreSubmitted') {
      const secondary = data.secondary === null ? null : scaled(String(data.secondary))
      sent.push({
        id: String(data.id),
        player,
        score: scaled(String(data.score)),
        secondary,
        ownName: null,
        extra: String(data.score),
        time,
      })
    }
  }
  const players = [...new Set(sent.map(({ player }) => player))]
  const rows: Row[] = unique
    ? players.map((player) => {
        const own = sent.filter((one) => one.player === player)
        const [first] = own as [Submission]
        return { id: first.id, player, added: first.time, from: bestOf(rules, own) }
      })
    : sent.map((from) => ({ id: from.id, player: from.player, added: from.time, from }))
  const shown = rows.filter(({ player }) => !banned.has(player)).sort(byRank(rules))
  const found = new Map<string, { rank: number; score: string }>()
  for (const [i, { player, from }] of shown.entries()) {
    if (!found.has(player)) found.set(player, { rank: i + 1, score: String(from.extra) })
  }
  return found
}
