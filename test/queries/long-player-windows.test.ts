// Windows of a leaderboard with many entries per player: reads outside the work queue read at most 251 of a player’s
// entries, and reads inside it read pages of 100.

import { expect } from 'chai'
import { type Decimal, parseDecimal } from '../../domain/decimal.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { Board } from '../../queries/leaderboard.ts'
import { BoardReader } from '../../queries/scores/board-reader.ts'
import { listRows, UNFILTERED } from '../../queries/scores/list.ts'
import type { ScoresQuery } from '../../queries/scores/query.ts'
import type { IndexedWindows } from '../../queries/windows/indexed.ts'
import type { Heavy } from '../../queries/work-queue.ts'
import { entryDocument, rankingKey } from '../../ranking/key.ts'
import { SortKeyPacker } from '../../ranking/packed-sort-keys.ts'
import { sortKeyOf } from '../../ranking/sort-key.ts'
import { runAll } from '../../ranking/times.ts'
import { WindowIndex } from '../../ranking/window-index.ts'
import { freeze } from '../../ranking/window-state.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import type { Find } from '../../stores/contract/views.ts'
import { positionOf } from '../../stores/embedded/log-schema.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'
import { rulesOf } from '../rules.ts'

const RULES = rulesOf(false)
const KEY = rankingKey('b', 1)
/** The number of entries of the two players `long` and `short`. */
const ENTRIES = { long: 1_030, short: 250 }
const timeOf = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString()
const decimal = (n: number) => parseDecimal(String(n)) as Decimal

/** A player's n-th entry: later entries are worse. Both players' n-th entries have the same time. */
function entryOf(player: 'long' | 'short', n: number) {
  const id = `${player}-${String(n).padStart(4, '0')}`
  const [score, time] = [decimal(5_000 - n), timeOf(n)]
  // The log has the entries of `short` after those of `long`.
  const position = positionOf((player === 'long' ? 0 : ENTRIES.long) + n)
  const sortKey = sortKeyOf({ score, secondary: null, position, time }, id, RULES)
  const fields = {
    id,
    lookup: id,
    board: 'b',
    generation: 1,
    player,
    ranking: KEY,
    member: sortKey,
    score,
    secondary: null,
  }
  return { ...fields, extra: null, ownName: null, name: player, added: time, updated: time }
}

const ALL = (['long', 'short'] as const)
  .flatMap((player) => Array.from({ length: ENTRIES[player] }, (_, n) => entryOf(player, n)))
  .sort((a, b) => (a.member < b.member ? -1 : 1))

/** Time slices that are always due. */
class ShortSlices extends TimeSlices {
  override get due(): boolean {
    return true
  }
}

describe('a window of a leaderboard whose player has many entries', () => {
  /** The number of documents of each read, and the yields between reads, in order. */
  let steps: (number | 'queued' | 'turn')[]
  let afterRead: (find: Find) => void
  let index: WindowIndex
  let deps: QueryDeps

  const heavy: Heavy = (work) => {
    steps.push('queued')
    const slices = new ShortSlices()
    const yieldNow = slices.yield.bind(slices)
    slices.yield = async () => {
      steps.push('turn')
      await yieldNow()
    }
    return work(slices)
  }

  beforeEach(async () => {
    const views = createMemoryViews()
    const indexes = { rank: ['ranking', 'member'], player: ['player', 'ranking', 'member'] }
    await views.prepare({ key: 'entries', collections: [{ name: 'entries', indexes }] })
    const writes = ALL.map((body, n) => {
      const id = entryDocument({ board: 'b', generation: 1, unique: false, player: body.player, submission: body.id })
      return { collection: 'entries', id, pos: String(n), body }
    })
    await views.commit([{ view: 'entries', writes, checkpoints: new Map() }])
    const packer = new SortKeyPacker()
    for (const { member } of ALL) packer.addText(member)
    index = new WindowIndex(runAll(freeze(packer)))
    steps = []
    afterRead = () => {}
    const find = async (params: Find) => {
      const found = await views.find(params)
      if (params.index === 'player') steps.push(found.length)
      afterRead(params)
      return found
    }
    const windows: IndexedWindows = { of: async () => index, shownOf: async () => null, counted: () => {} }
    const others = { history: createMemoryLog(), rankings: createRankings(), viewKey: (name: string) => name }
    deps = { ...others, views: { ...views, find }, windows }
  })

  const board = { id: 'b', game: 'g', generation: 1, state: { rules: RULES } } as Board
  async function read(params: Partial<ScoresQuery>) {
    const query = { ...UNFILTERED, limit: 3, offset: 0, order: 'best', ...params } as const
    const { rows, own, ...page } = await listRows(new BoardReader(deps, board), query, heavy)
    const shown = rows.map(({ entry, rank }) => [rank, entry.id])
    return { rows: shown, ...(own !== undefined && { own: own && [own.rank, own.entry.id] }), ...page }
  }
  /** The entries inside the window, with ranks. */
  const inside = (since: number) =>
    ALL.filter(({ updated }) => updated >= timeOf(since)).map(({ id, player }, n) => ({ row: [n + 1, id], player }))
  const rowsOf = (player: string, since: number) => inside(since).filter((one) => one.player === player)

  const TURNS = Array.from({ length: 10 }, () => [100, 'turn'] as const).flat()

  it('is read in pages of 100 inside the work queue for one player, in each order', async () => {
    const rows = rowsOf('long', 5).map(({ row }) => row)
    expect(await read({ player: 'long', since: timeOf(5), offset: 7 })).to.deep.equal({
      ...{ rows: rows.slice(7, 10), count: 1_025, offset: 7 },
    })
    // After the reads, sorting yields too.
    expect(steps.slice(0, 23)).to.deep.equal([251, 'queued', ...TURNS, 30])
    for (const order of ['worst', 'newest'] as const) {
      const { rows: last } = await read({ player: 'long', since: timeOf(5), order })
      expect(last).to.deep.equal(rows.slice(-3).reverse())
    }
    const { rows: oldest } = await read({ player: 'long', since: timeOf(5), order: 'oldest' })
    expect(oldest).to.deep.equal(rows.slice(0, 3))
  })

  it('is read outside the work queue for a player with 250 entries', async () => {
    const rows = rowsOf('short', 5).map(({ row }) => row)
    expect(await read({ player: 'short', since: timeOf(5) })).to.deep.equal({
      ...{ rows: rows.slice(0, 3), count: 245, offset: 0 },
    })
    expect(steps).to.deep.equal([250])
  })

  it('is centred outside the work queue if the best entry inside is one of the first 251', async () => {
    const all = inside(250).map(({ row }) => row)
    expect(await read({ around: 'long', since: timeOf(250) })).to.deep.equal({
      ...{ rows: all.slice(0, 3), own: [1, 'long-0250'], count: 780, offset: 0 },
    })
    expect(steps).to.deep.equal([251])
  })

  it('is centred on a best entry after the first 251 by reading pages of 100 up to it', async () => {
    const all = inside(420).map(({ row }) => row)
    expect(await read({ around: 'long', since: timeOf(420) })).to.deep.equal({
      ...{ rows: all.slice(0, 3), own: [1, 'long-0420'], count: 610, offset: 0 },
    })
    expect(steps).to.deep.equal([251, 'queued', ...TURNS.slice(0, 8), 100])
  })

  it('is searched to the end with around if the player has no entry inside', async () => {
    const nobody = { rows: [], own: null, count: 0, offset: 0 }
    expect(await read({ around: 'long', since: timeOf(2_000) })).to.deep.equal(nobody)
    expect(steps).to.deep.equal([251, 'queued', ...TURNS, 30])
  })

  it('is read again without queueing again if the index lacks an entry that was read', async () => {
    const [first] = rowsOf('long', 420)
    const id = String(first?.row[1])
    const { member } = ALL.find((one) => one.id === id) ?? { member: null }
    let reads = 0
    afterRead = ({ index: by }) => {
      if (by !== 'player') return
      reads++
      if (reads === 2) index.set(id, null)
      if (reads === 7) index.set(id, member)
    }
    const { own } = await read({ around: 'long', since: timeOf(420) })
    expect(own).to.deep.equal([1, id])
    expect(steps.filter((step) => step === 'queued')).to.have.lengthOf(1)
    expect(steps.filter((step) => step === 100)).to.have.lengthOf(10)
  })
})
