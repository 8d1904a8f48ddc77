// A list by time with a large offset has the same entries as a sorted list, and no read skips more than a bounded
// number of entries.

import { expect } from 'chai'
import { type Decimal, parseDecimal } from '../../domain/decimal.ts'
import { partitionOf } from '../../domain/partition.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { Board } from '../../queries/leaderboard.ts'
import { BoardReader } from '../../queries/scores/board-reader.ts'
import { SKIP_MAX } from '../../queries/scores/by-time.ts'
import { listRows, UNFILTERED } from '../../queries/scores/list.ts'
import type { Order } from '../../queries/scores/query.ts'
import { rankingKey } from '../../ranking/key.ts'
import { sortKeyOf } from '../../ranking/sort-key.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import type { Document } from '../../stores/contract/views.ts'
import { skipsNothing } from '../memory/history.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'
import { rulesOf } from '../rules.ts'

const ENTRIES = 3 * SKIP_MAX + 150
const RULES = rulesOf(false)
const KEY = rankingKey('b', 1)
/** Many, four, or one of the entries have the same time. */
const timeOf = (n: number) =>
  new Date(Date.UTC(2026, 0, 1) + (n < 2_500 ? 0 : n < 5_000 ? n >> 2 : n) * 1_000).toISOString()

async function* each<One>(all: readonly One[]): AsyncGenerator<One> {
  yield* all
}

describe('a list by time with a large offset', () => {
  let skips: number[]
  let queued: number
  let read: (order: Order, offset: number) => Promise<{ readonly ids: string[]; readonly count: number }>
  const expected = new Map<Order, string[]>()

  before(async () => {
    const views = createMemoryViews()
    const indexes = {
      rank: ['ranking', 'member'],
      oldest: ['ranking', 'updated', 'member'],
      newest: ['ranking', '-updated', 'member'],
    }
    await views.prepare({ key: 'entries', collections: [{ name: 'entries', indexes }] })
    const bodies = Array.from({ length: ENTRIES }, (_, n) => {
      const [id, score, time] = [`e${n}`, parseDecimal(String((n * 7_919) % ENTRIES)) as Decimal, timeOf(n)]
      const sortKey = sortKeyOf({ score, secondary: null, time }, id, RULES)
      const fields = {
        id,
        board: 'b',
        generation: 1,
        player: `p${n}`,
        ranking: KEY,
        member: sortKey,
        score,
        secondary: null,
      }
      return { ...fields, extra: null, ownName: null, name: null, added: time, updated: time }
    })
    const writes = bodies.map((body, n) => ({ collection: 'entries', id: body.id, pos: String(n), body }))
    await views.commit([{ view: 'entries', writes, checkpoints: new Map() }])
    const rankings = createRankings()
    const fill = await rankings.of('entries', partitionOf('g')).beginFill('entries')
    const sortKeys = bodies.map(({ member }) => member).sort()
    await fill.finish(null, each([{ key: KEY, sortKeys: each([sortKeys]) }]))
    const inOrder = (sign: number) =>
      bodies
        .toSorted((a, b) => sign * (Date.parse(a.updated) - Date.parse(b.updated)) || (a.member < b.member ? -1 : 1))
        .map(({ id }) => id)
    expected.set('oldest', inOrder(1)).set('newest', inOrder(-1))
    const counting: typeof views = {
      ...views,
      find: async (params): Promise<Document[]> => {
        skips.push(params.skip ?? 0)
        return views.find(params)
      },
    }
    const history = { part: async () => [], nth: async () => null, skip: skipsNothing }
    const deps: QueryDeps = { history, views: counting, rankings, viewKey: (name) => name }
    const board = { id: 'b', game: 'g', generation: 1, state: { rules: RULES } } as Board
    read = async (order, offset) => {
      const query = { ...UNFILTERED, limit: 20, offset, order }
      const { rows, count } = await listRows(new BoardReader(deps, board), query, (work) => {
        queued++
        return work(new TimeSlices())
      })
      return { ids: rows.map(({ entry }) => entry.id), count }
    }
  })

  beforeEach(() => {
    skips = []
    queued = 0
  })

  for (const order of ['newest', 'oldest'] as const) {
    it(`reads the page of ${order} entries at any offset in steps of a bounded length`, async () => {
      const ids = expected.get(order) ?? []
      for (const offset of [SKIP_MAX + 1, 2_490, 3_000, 2 * SKIP_MAX, 5_003, 3 * SKIP_MAX + 1, ENTRIES - 7]) {
        expect(await read(order, offset)).to.deep.equal({ ids: ids.slice(offset, offset + 20), count: ENTRIES })
      }
      expect([Math.max(...skips) <= SKIP_MAX, queued]).to.deep.equal([true, 7])
    })
  }

  it('reads a page at a small offset at once, without the work queue', async () => {
    const ids = expected.get('newest') ?? []
    expect((await read('newest', SKIP_MAX)).ids).to.deep.equal(ids.slice(SKIP_MAX, SKIP_MAX + 20))
    expect([skips, queued]).to.deep.equal([[SKIP_MAX], 0])
  })

  it('returns no rows for an offset after the last entry, without walking through the entries', async () => {
    expect(await read('newest', 1_000_000_000)).to.deep.equal({ ids: [], count: ENTRIES })
    expect(skips).to.deep.equal([])
  })
})
