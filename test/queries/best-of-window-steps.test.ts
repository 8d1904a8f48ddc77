// `window=best` with filters on a large board yields after each page of entries, events and names, and while it removes
// duplicates, sorts and filters.

import { expect } from 'chai'
import type { Rules } from '../../domain/board-rules.ts'
import { type Decimal, parseDecimal } from '../../domain/decimal.ts'
import type { StoredEvent } from '../../domain/event.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { Board } from '../../queries/leaderboard.ts'
import { BoardReader } from '../../queries/scores/board-reader.ts'
import { listRows, UNFILTERED } from '../../queries/scores/list.ts'
import type { ScoresQuery } from '../../queries/scores/query.ts'
import { entryDocument, rankingKey } from '../../ranking/key.ts'
import { sortKeyOf } from '../../ranking/sort-key.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import type { History } from '../../stores/contract/history.ts'
import { positionOf } from '../../stores/embedded/log-schema.ts'
import { nothingBy, skipsNothing } from '../memory/history.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'
import { rulesOf } from '../rules.ts'

const timeOf = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString()
const nameOf = (n: number) => `p${String(n).padStart(5, '0')}`
const decimal = (n: number) => parseDecimal(String(n)) as Decimal

/** A player's submission, or the deletion of one of theirs. */
interface Step {
  readonly player: string
  readonly id: string
  readonly score: number | null
}

describe('a list with window=best and a filter', () => {
  let steps: (string | number)[]
  /** The number of times that a submission was compared with the bounds of the board. */
  let judged: number
  const rules: Rules = {
    ...rulesOf(true),
    get minScore() {
      judged++
      return null
    },
  }

  beforeEach(() => {
    steps = []
    judged = 0
  })

  function eventsOf(all: readonly Step[]): StoredEvent[] {
    return all.map(({ player, id, score }, n) => {
      const meta = { v: 1, game: 'g', board: 'b', player, command: '', actor: null, request: null, time: timeOf(n) }
      const sent = { id, score: String(score), secondary: null, extra: null, playerName: null }
      const reference = { id: String(n), stream: `lb_b-${player}`, revision: n, position: String(n).padStart(16, '0') }
      return score === null
        ? { ...reference, meta, type: 'ScoreDeleted', data: { id, upTo: null } }
        : { ...reference, meta, type: 'ScoreSubmitted', data: sent }
    })
  }

  /** A board whose entries have these scores. */
  async function boardOf(scores: readonly (readonly [player: string, score: number])[], all: readonly Step[]) {
    const views = createMemoryViews()
    const collections = [
      { name: 'entries', indexes: { rank: ['ranking', 'member'] } },
      { name: 'names', indexes: {} },
    ]
    await views.prepare({ key: 'entries', collections })
    const writes = scores.flatMap(([player, value], n) => {
      const [id, score, time, ranking] = [`e-${player}`, decimal(value), timeOf(0), rankingKey('b', 2)]
      const sortKey = sortKeyOf({ score, secondary: null, position: positionOf(n), time }, id, rules)
      const fields = {
        id,
        lookup: id,
        board: 'b',
        generation: 2,
        player,
        ranking,
        member: sortKey,
        score,
        secondary: null,
      }
      const body = { ...fields, extra: null, ownName: null, name: player, added: time, updated: time }
      const document = entryDocument({ board: 'b', generation: 2, unique: true, player, submission: '' })
      const name = { collection: 'names', id: player, pos: String(n), body: { name: `Name ${player}` } }
      return [{ collection: 'entries', id: document, pos: String(n), body }, name]
    })
    await views.commit([{ view: 'entries', writes, checkpoints: new Map() }])
    const events = eventsOf(all)
    const history: History = {
      nth: async () => null,
      skip: skipsNothing,
      lastBy: nothingBy,
      part: async (_, after, limit) => {
        const from = after === null ? 0 : Number(after) + 1
        const part = events.slice(from, from + limit)
        steps.push('events', part.length)
        return part
      },
    }
    const counting: typeof views = {
      ...views,
      find: async (params) => {
        const found = await views.find(params)
        steps.push('entries', found.length)
        return found
      },
      get: async (view, collection, ids) => {
        steps.push(collection, ids.length)
        return views.get(view, collection, ids)
      },
    }
    const deps: QueryDeps = { history, views: counting, rankings: createRankings(), viewKey: (name) => name }
    const board = { id: 'b', game: 'g', generation: 2, state: { rules } } as Board
    return async (params: Partial<ScoresQuery>) => {
      const window = { since: timeOf(0), until: timeOf(1_000_000), shownInside: true, playerName: 'name' }
      const query = { ...UNFILTERED, ...window, limit: 3, offset: 0, order: 'best', ...params } as const
      const { rows, own, ...page } = await listRows(new BoardReader(deps, board), query, (work) =>
        work(new Counted(steps)),
      )
      const shown = rows.map(({ entry, rank }) => [rank, entry.player, entry.score])
      return { rows: shown, ...(own !== undefined && { own: own && [own.rank, own.entry.player] }), ...page }
    }
  }

  it('yields after every 100 entries and every 50 events and names, and while it sorts and filters', async () => {
    const players = Array.from({ length: 1_230 }, (_, n) => nameOf(n))
    // Inside the window, the order is the opposite of the one on the board.
    const read = await boardOf(
      players.map((player, n) => [player, 10_000 + n]),
      players.map((player, n) => ({ player, id: `e-${player}`, score: 5_000 - n })),
    )
    const rows = players.map((player, n) => [n + 1, player, String(5_000 - n)])
    expect(await read({ offset: 5 })).to.deep.equal({ rows: rows.slice(5, 8), count: 1_230, offset: 5 })
    const pages = (what: string, size: number) => {
      const full = Math.floor(players.length / size)
      return [...Array.from({ length: full }, () => [what, size, 'turn']).flat(), what, players.length - full * size]
    }
    const yields = (count: number) => Array.from({ length: count }, () => 'turn')
    expect(steps).to.deep.equal([
      ...pages('entries', 100),
      // The first pass collects single deletions, the second one submissions.
      ...pages('events', 50),
      ...pages('events', 50),
      // Collects the best of each player; sorts three runs, merges twice, and puts the result in order.
      ...yields(25 + 3 + 2 + 25),
      ...pages('names', 50),
      // Reads the three rows of the answer, each with its entry, submission and name.
      ...[1, 2, 3].flatMap(() => ['entries', 1, 'events', 1, 'names', 1, 'turn']),
    ])
  })

  it('orders by the submissions inside the window, in every order and around a player', async () => {
    const players = Array.from({ length: 230 }, (_, n) => nameOf(n))
    const read = await boardOf(
      players.map((player, n) => [player, 10_000 + n]),
      players.map((player, n) => ({ player, id: `e-${player}`, score: 5_000 - n })),
    )
    const rows = players.map((player, n) => [n + 1, player, String(5_000 - n)])
    for (const order of ['worst', 'newest'] as const) {
      expect(await read({ order, offset: 1 })).to.deep.equal({
        ...{ rows: rows.slice(-4, -1).reverse(), count: 230, offset: 1 },
      })
    }
    expect((await read({ order: 'oldest' })).rows).to.deep.equal(rows.slice(0, 3))
    const around = { rows: rows.slice(99, 102), own: [101, nameOf(100)], count: 230, offset: 99 }
    expect(await read({ around: nameOf(100) })).to.deep.equal(around)
    // The player's own score is outside the bounds but still has a rank.
    expect(await read({ around: nameOf(2), maxScore: decimal(4_900) })).to.deep.equal({
      ...{ rows: rows.slice(100, 103), own: [3, nameOf(2)], count: 130, offset: 0 },
    })
    expect(await read({ around: 'nobody' })).to.deep.equal({ rows: [], own: null, count: 230, offset: 0 })
  })

  it('checks each submission of a player once, however many of them were deleted one by one', async () => {
    const ids = Array.from({ length: 600 }, (_, n) => `s${n}`)
    const submitted = ids.map((id, n) => ({ player: 'p', id, score: n }))
    const deleted = ids.slice(300).map((id) => ({ player: 'p', id, score: null }))
    const read = await boardOf([['p', 299]], [...submitted, ...deleted])
    expect(await read({})).to.deep.equal({ rows: [[1, 'p', '299']], count: 1, offset: 0 })
    expect(judged).to.equal(300)
  })
})

/** Time slices that are always due, and record each yield. */
class Counted extends TimeSlices {
  readonly #steps: (string | number)[]

  constructor(steps: (string | number)[]) {
    super()
    this.#steps = steps
  }

  override get due(): boolean {
    return true
  }

  override async yield(): Promise<void> {
    this.#steps.push('turn')
    await super.yield()
  }
}
