// A read in time slices while a submission is applied between any two of them: the answer is the one before or after
// the submission.

import { expect } from 'chai'
import { type Decimal, parseDecimal } from '../../domain/decimal.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { partitionOf } from '../../domain/partition.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { Board } from '../../queries/leaderboard.ts'
import { BoardReader } from '../../queries/scores/board-reader.ts'
import { listRows, UNFILTERED } from '../../queries/scores/list.ts'
import type { ScoresQuery } from '../../queries/scores/query.ts'
import { entryDocument, rankingKey } from '../../ranking/key.ts'
import { sortKeyOf } from '../../ranking/sort-key.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import type { History } from '../../stores/contract/history.ts'
import { nothingBy, skipsNothing } from '../memory/history.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'
import { rulesOf } from '../rules.ts'

const ENTRIES = 330
const RULES = rulesOf(true)
const KEY = rankingKey('b', 1)
const decimal = (n: number) => parseDecimal(String(n)) as Decimal
const timeOf = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString()
const positionOf = (n: number) => String(n).padStart(16, '0')

/** A submission, which is also the player's entry. */
interface Submission {
  readonly player: number
  readonly score: number
  readonly n: number
}

function bodyOf({ player, score, n }: Submission) {
  const [id, time] = [`e${player}`, timeOf(n)]
  const sortKey = sortKeyOf({ score: decimal(score), secondary: null, position: positionOf(n), time }, id, RULES)
  const fields = { id, lookup: id, board: 'b', generation: 1, player: `p${player}`, ranking: KEY, member: sortKey }
  const shown = { extra: null, ownName: null, name: `Name ${player}`, added: timeOf(player), updated: time }
  return { ...fields, score: decimal(score), secondary: null, ...shown }
}

function eventOf({ player, score, n }: Submission): StoredEvent {
  const meta = {
    v: 1,
    game: 'g',
    board: 'b',
    player: `p${player}`,
    command: '',
    actor: null,
    request: null,
    time: timeOf(n),
  }
  const data = { id: `s${n}`, score: String(score), secondary: null, extra: null, playerName: null }
  return {
    id: `s${n}`,
    stream: `lb_b-p${player}`,
    revision: n,
    position: positionOf(n),
    type: 'ScoreSubmitted',
    data,
    meta,
  }
}

async function* each<One>(all: readonly One[]): AsyncGenerator<One> {
  yield* all
}

/** A board on which player n has 10 * n points, with functions that improve or add an entry. */
async function openBoard() {
  const views = createMemoryViews()
  const indexes = {
    rank: ['ranking', 'member'],
    oldest: ['ranking', 'updated', 'member'],
    newest: ['ranking', '-updated', 'member'],
  }
  const collections = [
    { name: 'entries', indexes },
    { name: 'names', indexes: {} },
  ]
  await views.prepare({ key: 'entries', collections })
  const events: StoredEvent[] = []
  const rankings = createRankings()
  const own = rankings.of('entries', partitionOf('g'))
  const put = async (all: readonly Submission[]) => {
    const writes = all.flatMap((one) => {
      const player = `p${one.player}`
      const id = entryDocument({ board: 'b', generation: 1, unique: true, player, submission: '' })
      const name = { collection: 'names', id: player, pos: positionOf(one.n), body: { name: `Name ${one.player}` } }
      return [{ collection: 'entries', id, pos: positionOf(one.n), body: bodyOf(one) }, name]
    })
    events.push(...all.map(eventOf))
    const checkpoint = { position: positionOf(all.at(-1)?.n ?? 0), eventId: '' }
    await views.commit([{ view: 'entries', writes, checkpoints: new Map([[partitionOf('g'), checkpoint]]) }])
  }
  const first = Array.from({ length: ENTRIES }, (_, n) => ({ player: n, score: 10 * n, n }))
  await put(first)
  const fill = await own.beginFill('entries')
  await fill.finish(null, each([{ key: KEY, sortKeys: each([first.map((one) => bodyOf(one).member).sort()]) }]))
  const improve = async (player: number, score: number) => {
    const next = { player, score, n: events.length }
    const before = bodyOf({ player, score: 10 * player, n: player }).member
    await own.put([{ key: KEY, before: [before], after: bodyOf(next).member, pos: positionOf(next.n) }])
    await put([next])
  }
  const join = async (player: number, score: number) => {
    const next = { player, score, n: events.length }
    await own.put([{ key: KEY, before: [], after: bodyOf(next).member, pos: positionOf(next.n) }])
    await put([next])
  }
  const history: History = {
    nth: async () => null,
    skip: skipsNothing,
    lastBy: nothingBy,
    part: async (_, after, limit) => {
      const from = after === null ? 0 : Number(after) + 1
      return events.slice(from, from + limit)
    },
  }
  const deps: QueryDeps = { history, views, rankings, viewKey: (name) => name }
  return { deps, improve, join }
}

/** Time slices that are always due; the `at`-th yield runs `interrupt`. */
class Interrupted extends TimeSlices {
  turns = 0
  readonly #at: number
  readonly #interrupt: () => Promise<void>

  constructor(at: number, interrupt: () => Promise<void>) {
    super()
    this.#at = at
    this.#interrupt = interrupt
  }

  override get due(): boolean {
    return true
  }

  override async yield(): Promise<void> {
    if (this.turns++ === this.#at) await this.#interrupt()
  }
}

const QUERIES: Readonly<Record<string, Partial<ScoresQuery>>> = {
  'by name': { playerName: 'name' },
  'by name, worst first': { playerName: 'name', order: 'worst' },
  'by name, newest first': { playerName: 'name', order: 'newest' },
  'by name, oldest first': { playerName: 'name', order: 'oldest', offset: 3 },
  'by name within bounds': { playerName: 'name', minScore: decimal(505), maxScore: decimal(2_905) },
  'by bounds, newest first': { minScore: decimal(505), maxScore: decimal(2_905), order: 'newest' },
  'inside a window': { since: timeOf(10), order: 'oldest' },
  'the best of a window by name': { shownInside: true, since: timeOf(0), playerName: 'name' },
  'the best of a window by bounds': { shownInside: true, since: timeOf(0), maxScore: decimal(2_905), order: 'newest' },
}

/** Players with a low, a middle and a high rank, with their new scores. */
const MOVES = [
  [3, 5_000],
  [150, 1_755],
  [150, 2_955],
  [320, 3_500],
] as const

describe('a read in time slices during a submission', () => {
  for (const [name, params] of Object.entries(QUERIES)) {
    it(`answers scores ${name} as before or after the submission, between any two slices`, async () => {
      const query = { ...UNFILTERED, limit: 4, offset: 0, order: 'best', ...params } as const
      const board = { id: 'b', game: 'g', generation: 1, state: { rules: RULES } } as Board
      for (const [player, score] of MOVES) {
        const read = async (at: number) => {
          const { deps, improve } = await openBoard()
          const slices = new Interrupted(at, () => improve(player, score))
          if (at < 0) await improve(player, score)
          const { rows, count } = await listRows(new BoardReader(deps, board), query, (work) => work(slices))
          const shown = rows.map(({ entry, rank }) => `${rank} ${entry.player} ${entry.score} ${entry.updated}`)
          return { answer: { shown, count }, turns: slices.turns }
        }
        const [after, before] = [await read(-1), await read(Number.POSITIVE_INFINITY)]
        for (let at = 0; at < before.turns; at++) {
          const { answer } = await read(at)
          expect([before.answer, after.answer], `p${player} to ${score} after slice ${at}`).to.deep.include(answer)
        }
      }
    }).timeout(60_000)
  }

  it('ignores an improvement that comes after a first submission that the read missed', async () => {
    const query = { ...UNFILTERED, limit: 2, offset: 0, order: 'best', shownInside: true } as const
    const params = { ...query, since: timeOf(0), playerName: 'name' }
    const board = { id: 'b', game: 'g', generation: 1, state: { rules: RULES } } as Board
    const read = async (at: number, changes: number) => {
      const { deps, improve, join } = await openBoard()
      const all = [() => join(999, 1), () => improve(150, 5_000)].slice(0, changes)
      const change = async () => {
        for (const one of all) await one()
      }
      const slices = new Interrupted(at, change)
      if (at < 0) await change()
      const { rows, count } = await listRows(new BoardReader(deps, board), params, (work) => work(slices))
      const shown = rows.map(({ entry, rank }) => `${rank} ${entry.player} ${entry.score} ${entry.updated}`)
      return { answer: { shown, count }, turns: slices.turns }
    }
    const states = await Promise.all([0, 1, 2].map(async (changes) => (await read(-1, changes)).answer))
    const { turns } = await read(Number.POSITIVE_INFINITY, 2)
    for (let at = 0; at < turns; at++) {
      const { answer } = await read(at, 2)
      expect(states, `after slice ${at}`).to.deep.include(answer)
    }
  }).timeout(60_000)
})
