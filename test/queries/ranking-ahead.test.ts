// Pages of a leaderboard whose ranking stays ahead of its documents while they are read. They are answered from the
// documents, as one state of the board, and never refused.

import { expect } from 'chai'
import { type Decimal, parseDecimal } from '../../domain/decimal.ts'
import { partitionOf } from '../../domain/partition.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { Board } from '../../queries/leaderboard.ts'
import { BoardReader } from '../../queries/scores/board-reader.ts'
import { listRows, UNFILTERED } from '../../queries/scores/list.ts'
import type { ScoresQuery } from '../../queries/scores/query.ts'
import { entryDocument, rankingKey } from '../../ranking/key.ts'
import { sortKeyOf } from '../../ranking/sort-key.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'
import { rulesOf } from '../rules.ts'

const RULES = rulesOf(true)
const KEY = rankingKey('b', 1)
const PLAYERS = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6']
/** Scores of p1 to p6 in the documents, and in the ranking: there p5 has improved, and p7 is new. */
const STORED = [60, 50, 40, 30, 20, 10]
const RANKED = [60, 50, 40, 30, 55, 10, 45]

const decimal = (text: string) => parseDecimal(text) as Decimal
const timeOf = (score: number) => new Date(Date.UTC(2026, 0, 1) + score * 1_000).toISOString()
const sortKeyAt = (n: number, score: number) =>
  sortKeyOf({ score: decimal(String(score)), secondary: null, time: timeOf(score) }, `e${n + 1}`, RULES)

async function world(): Promise<QueryDeps> {
  const views = createMemoryViews()
  const indexes = {
    rank: ['ranking', 'member'],
    oldest: ['ranking', 'updated', 'member'],
    newest: ['ranking', '-updated', 'member'],
    player: ['player', 'ranking', 'member'],
  }
  await views.prepare({
    key: 'entries',
    collections: [
      { name: 'entries', indexes },
      { name: 'names', indexes: {} },
    ],
  })
  const writes = STORED.map((score, n) => {
    const [player, id] = [PLAYERS[n] ?? '', `e${n + 1}`]
    const entryKey = { board: 'b', generation: 1, unique: true, player, submission: '' }
    const fields = { id, lookup: id, board: 'b', generation: 1, player, ranking: KEY, member: sortKeyAt(n, score) }
    const shown = { score: String(score), secondary: null, extra: `{"of":${score}}`, ownName: null, name: player }
    const body = { ...fields, ...shown, added: timeOf(0), updated: timeOf(score) }
    return { collection: 'entries', id: entryDocument(entryKey), pos: String(n), body }
  })
  await views.commit([{ view: 'entries', writes, checkpoints: new Map() }])
  const rankings = createRankings()
  const fill = await rankings.of('entries', partitionOf('g')).beginFill('entries')
  const sortKeys = RANKED.map((score, n) => sortKeyAt(n, score)).sort()
  await fill.finish(
    null,
    (async function* () {
      yield {
        key: KEY,
        sortKeys: (async function* () {
          yield sortKeys
        })(),
      }
    })(),
  )
  return { history: createMemoryLog(), views, rankings, viewKey: (name) => name }
}

const board = { id: 'b', game: 'g', generation: 1, state: { rules: RULES } } as Board

describe('a page whose ranking is ahead of its documents', () => {
  const read = async (params: Partial<ScoresQuery>) => {
    const query = { ...UNFILTERED, limit: 10, offset: 0, order: 'best', ...params } as const
    const { rows, own, ...page } = await listRows(new BoardReader(await world(), board), query)
    const shown = rows.map(({ entry, rank }) => [rank, entry.player, entry.score, entry.extra])
    return { rows: shown, own: own === undefined ? undefined : (own?.rank ?? null), ...page }
  }
  const row = (n: number) => [n + 1, PLAYERS[n], String(STORED[n]), `{"of":${STORED[n]}}`]
  const all = STORED.map((_, n) => row(n))

  it('has every entry once, in the order of the documents, with ranks and contents', async () => {
    expect(await read({})).to.deep.equal({ rows: all, own: undefined, count: 6, offset: 0 })
    expect((await read({ offset: 2, limit: 3 })).rows).to.deep.equal(all.slice(2, 5))
    expect(await read({ order: 'worst', limit: 4, offset: 1 })).to.deep.equal({
      ...{ rows: all.toReversed().slice(1, 5), own: undefined, count: 6, offset: 1 },
    })
  })

  it('is centred on a player by the documents’ ranks', async () => {
    expect(await read({ around: 'p4', limit: 3 })).to.deep.equal({ rows: all.slice(2, 5), own: 4, count: 6, offset: 2 })
    expect(await read({ around: 'p7' })).to.deep.equal({ rows: [], own: null, count: 7, offset: 0 })
  })

  it('respects score bounds, with the ranks of the whole board', async () => {
    const bounds = { minScore: decimal('15'), maxScore: decimal('50') }
    expect(await read(bounds)).to.deep.equal({ rows: all.slice(1, 5), own: undefined, count: 4, offset: 0 })
    expect(await read({ ...bounds, order: 'worst', limit: 3 })).to.deep.equal({
      ...{ rows: all.slice(2, 5).reverse(), own: undefined, count: 4, offset: 0 },
    })
    expect(await read({ ...bounds, around: 'p5', limit: 2 })).to.deep.equal({
      ...{ rows: all.slice(3, 5), own: 5, count: 4, offset: 2 },
    })
  })

  it('gives a row whose sort key is not ranked the rank of its document, by time and for one player', async () => {
    const ranks = (rows: readonly (readonly unknown[])[]) => rows.map(([rank, player]) => [rank, player])
    // The other rows have the ranks of the ranking.
    expect(ranks((await read({ order: 'oldest', limit: 2 })).rows)).to.deep.equal([
      [7, 'p6'],
      [5, 'p5'],
    ])
    expect((await read({ player: 'p5' })).rows).to.deep.equal([row(4)])
  })
})
