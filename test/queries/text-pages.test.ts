// Pages as texts from an index by rank: they equal the rows that `listRows` finds, whatever changes between two reads,
// and a page that is read often is not read from the documents again until one of its entries changes.

import { expect } from 'chai'
import { type Decimal, parseDecimal } from '../../domain/decimal.ts'
import { entries } from '../../projections/entries.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { Board } from '../../queries/leaderboard.ts'
import { BoardReader } from '../../queries/scores/board-reader.ts'
import { rankedAnswer } from '../../queries/scores/entry.ts'
import { createListScores, listRows, UNFILTERED } from '../../queries/scores/list.ts'
import type { ScoresQuery } from '../../queries/scores/query.ts'
import { createTextPages, type TextPage } from '../../queries/scores/text-pages.ts'
import { unqueued } from '../../queries/work-queue.ts'
import { entryDocument, rankingKey } from '../../ranking/key.ts'
import { sortKeyOf } from '../../ranking/sort-key.ts'
import type { Rankings } from '../../stores/contract/rankings.ts'
import type { Write } from '../../stores/contract/views.ts'
import { positionOf } from '../../stores/embedded/log-schema.ts'
import { rankingsOfViews } from '../../stores/embedded/rankings-of-views.ts'
import { type EmbeddedViews, openViews } from '../../stores/embedded/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import { Random } from '../random.ts'
import { rulesOf } from '../rules.ts'
import { newPath } from '../stores/folder.ts'

const VIEW = 'entries@1'
const BOARD = 'b'
const KEY = rankingKey(BOARD, 1)
const RULES = rulesOf(true)
const PLAYERS = Array.from({ length: 24 }, (_, n) => `p${n}`)
const FIRST: ScoresQuery = { ...UNFILTERED, order: 'best', limit: 5, offset: 0 }
const board = { id: BOARD, game: 'g', generation: 1, state: { rules: RULES } } as Board

const idOf = (player: string) => entryDocument({ board: BOARD, generation: 1, unique: true, player, submission: '' })

/** A player's entry; hidden, as of a banned player, without a score. */
function entryOf(player: string, score: number | null, name: string | null, key = KEY) {
  const id = `e-${player}`
  const time = '2026-01-01T00:00:00.000Z'
  const given = {
    score: parseDecimal(String(score ?? 0)) as Decimal,
    secondary: null,
    position: positionOf(PLAYERS.indexOf(player) + 1),
    time,
  }
  const sortKey = score === null ? null : sortKeyOf(given, id, RULES)
  const secondary = (score ?? 0) % 3 === 0 ? null : (parseDecimal(`-${score}.25`) as Decimal)
  const extra = (score ?? 0) % 2 === 0 ? null : JSON.stringify({ of: score, text: '„ä“ "' })
  const shown = { score: given.score, secondary, extra, name, added: time, updated: time }
  return {
    id,
    lookup: id,
    board: BOARD,
    generation: 1,
    player,
    ranking: score === null ? null : key,
    member: sortKey,
    ...shown,
  }
}

describe('pages of scores as texts', () => {
  let views: EmbeddedViews
  let deps: QueryDeps
  let position = 0
  /** How many documents of pages were read. */
  let reads = 0

  async function put(player: string, body: Write['body']): Promise<void> {
    const pos = String(++position).padStart(16, '0')
    const writes = [{ collection: 'entries', id: idOf(player), pos, body }]
    await views.commit([{ view: VIEW, writes, checkpoints: new Map() }])
  }

  /** Counts the reads. */
  function counted({ pages, ...rankings }: Rankings): Rankings {
    if (pages === undefined) throw new Error('these rankings are no index')
    const page: typeof pages.at = (...params) => {
      const found = pages.at(...params)
      const values: typeof found.values = (fields, rows) => {
        reads += rows.length
        return found.values(fields, rows)
      }
      return { ...found, values }
    }
    const around: typeof pages.around = (...params) => {
      const found = pages.around(...params)
      const [key, , limit] = params
      return found && { ...found, page: page(key, found.page.offset, limit) }
    }
    return { ...rankings, pages: { ...pages, at: page, around } }
  }

  /** What `listRows` finds from sort keys and documents. */
  async function listed(query: ScoresQuery): Promise<object> {
    const { pages: _, ...rankings } = deps.rankings.of(VIEW, 0)
    const ofSortKeys = { ...deps, rankings: { ...deps.rankings, of: () => rankings } }
    const { rows, count, offset, own } = await listRows(new BoardReader(ofSortKeys, board), query)
    const ownRow = own && { rank: own.rank, id: own.entry.id }
    return { scores: rows.map(rankedAnswer), count, offset, ...(own === undefined ? {} : { own: ownRow }) }
  }

  /** With a cache of its own. */
  function textPages(maxCharacters = 1_000_000): (query: ScoresQuery) => Promise<TextPage | null> {
    const textPage = createTextPages(maxCharacters)
    return (query) => textPage(new BoardReader(deps, board), query)
  }

  const parsed = (page: TextPage | null): object | null => page && { ...page, scores: JSON.parse(page.scores) }

  beforeEach(async () => {
    views = await openViews(newPath('views.sqlite'))
    await views.prepare({ key: VIEW, collections: entries.collections })
    await views.makeMemoryIndexes(VIEW)
    const rankings = rankingsOfViews(views)
    const known = counted(rankings.of(VIEW, 0))
    deps = { history: createMemoryLog(), views, rankings: { ...rankings, of: () => known }, viewKey: () => VIEW }
    position = 0
    reads = 0
  })

  it('equal the pages of documents after any changes, with caches of any size', async () => {
    const random = new Random(23)
    for (const maxCharacters of [1, 1_500, 1_000_000]) {
      const pages = textPages(maxCharacters)
      for (let step = 0; step < 400; step++) {
        const player = random.pick(PLAYERS)
        const score = random.below(5) === 0 ? null : random.below(12)
        const body =
          random.below(9) === 0
            ? null
            : entryOf(player, score, random.below(9) === 0 ? null : `Name ${random.below(3)} „ä“ "\\\n\ud800`)
        if (random.below(2) === 0) await put(player, body)
        const around = random.below(2) === 0 ? random.pick(PLAYERS) : null
        const query = { ...FIRST, limit: 1 + random.below(3) * 4, offset: random.below(3) * 3, around }
        expect(parsed(await pages(query)), `step ${step}`).to.deep.equal(await listed(query))
      }
    }
  })

  it('are read twice, and then only the entries that have changed or come', async () => {
    for (const [n, player] of PLAYERS.entries()) await put(player, entryOf(player, n, player))
    const pages = textPages()
    const readsOf = async (query: ScoresQuery) => {
      const before = reads
      expect(parsed(await pages(query))).to.deep.equal(await listed(query))
      return reads - before
    }
    for (const query of [FIRST, { ...FIRST, around: 'p9' }]) {
      const counts = []
      for (let time = 0; time < 4; time++) counts.push(await readsOf(query))
      expect(counts).to.deep.equal([5, 5, 0, 0])
    }
    await put('p0', entryOf('p0', 7.5, 'far from the first page'))
    await put('p1', entryOf('p1', 1, 'another name, far from both pages'))
    expect(await readsOf(FIRST)).to.equal(0)
    await put('p23', entryOf('p23', 23, 'another name'))
    expect(await readsOf(FIRST)).to.equal(1)
    await put('p2', entryOf('p2', 22.5, 'a new entry on the page'))
    expect(await readsOf(FIRST)).to.equal(1)
    await put('p3', entryOf('p3', 99, 'a new first entry'))
    expect(await readsOf(FIRST)).to.equal(1)
    await put('p23', entryOf('p23', null, 'hidden'))
    expect(await readsOf(FIRST)).to.equal(1)
    await put('p9', entryOf('p9', 9, 'another name'))
    // That one, and p0, which has come beside it.
    expect(await readsOf({ ...FIRST, around: 'p9' })).to.equal(2)
  })

  it('are cached also if they change at each read', async () => {
    for (const [n, player] of PLAYERS.entries()) await put(player, entryOf(player, n, player))
    const pages = textPages()
    for (const [n, expected] of [5, 5, 1, 1].entries()) {
      await put(`p${n}`, entryOf(`p${n}`, 100 + n, 'a new first entry'))
      const before = reads
      expect(parsed(await pages(FIRST))).to.deep.equal(await listed(FIRST))
      expect(reads - before).to.equal(expected)
    }
  })

  it('have other ranks if entries before them come and go, without a read', async () => {
    for (const [n, player] of PLAYERS.entries()) await put(player, entryOf(player, n, player))
    const pages = textPages()
    const query = { ...FIRST, around: 'p5' }
    for (let time = 0; time < 2; time++) await pages(query)
    await put('new', entryOf('new', 99, 'best of all'))
    const before = reads
    expect(parsed(await pages(query))).to.deep.equal(await listed(query))
    expect(reads).to.equal(before)
  })

  it('are not those of a dropped view that had the same rows', async () => {
    const pages = textPages()
    for (const name of ['first', 'second']) {
      for (const player of PLAYERS) await put(player, entryOf(player, 1, name))
      for (let time = 0; time < 3; time++) {
        expect(parsed(await pages(FIRST)), name).to.deep.equal(await listed(FIRST))
      }
      await views.drop(VIEW)
      await views.prepare({ key: VIEW, collections: entries.collections })
      await views.makeMemoryIndexes(VIEW)
    }
  })

  it('are left to other reads with a window, a filter, bounds or another order', async () => {
    const pages = textPages()
    const time = '2026-01-01T00:00:00.000Z'
    const one = parseDecimal('1') as Decimal
    const others: Partial<ScoresQuery>[] = [
      { since: time },
      { until: time },
      { playerName: 'a' },
      { minScore: one },
      { maxScore: one, around: 'p1' },
      { player: 'p1' },
      { order: 'worst' },
      { order: 'newest' },
    ]
    for (const other of others) expect(await pages({ ...FIRST, ...other })).to.equal(null)
    expect(await pages({ ...FIRST, order: 'worst', around: 'p1' })).to.not.equal(null)
  })

  it('are what a list of scores answers with, and rows where there is no such page', async () => {
    for (const [n, player] of PLAYERS.entries()) await put(player, entryOf(player, n, player))
    const own = deps.rankings.of(VIEW, 0)
    const { pages, ...ofSortKeys } = own
    if (pages === undefined) throw new Error('these rankings are no index')
    // A page around a player whose entry has changed since it was read is not found.
    const changed = { ...ofSortKeys, pages: { ...pages, around: () => null } }
    const cases: [Rankings, Partial<ScoresQuery>, 'scores' | 'rows'][] = [
      [own, {}, 'scores'],
      [own, { around: 'p5' }, 'scores'],
      [own, { order: 'worst' }, 'rows'],
      [changed, { around: 'p5' }, 'rows'],
      [ofSortKeys, {}, 'rows'],
    ]
    for (const [rankings, other, expected] of cases) {
      const listScores = createListScores({ ...deps, rankings: { ...deps.rankings, of: () => rankings } })
      const page = await listScores(board, { ...FIRST, ...other }, unqueued)
      expect(page).to.have.property(expected)
      expect(page.count).to.equal(PLAYERS.length)
    }
  })

  it('are refused with 503 while the rankings are filled', async () => {
    await views.drop(VIEW)
    const pages = textPages()
    const refused = await pages(FIRST).catch((error: unknown) => error)
    expect(refused).to.include({ kind: 'unavailable', code: 'rankings_filling' })
  })
})
