// The window indexes of a node: they follow documents and history, even if one of them is behind, keep to their memory
// limit, and are dropped when they could be wrong.

import { expect } from 'chai'
import type { Decimal } from '../../domain/decimal.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { partitionOf } from '../../domain/partition.ts'
import type { CountedReason } from '../../queries/windows/indexed.ts'
import { type WindowIndexEvent, Windows } from '../../queries/windows/windows.ts'
import { entryDocument, rankingKey } from '../../ranking/key.ts'
import { encodeSortKey } from '../../ranking/sort-key.ts'
import type { WindowIndex } from '../../ranking/window-index.ts'
import type { Rankings } from '../../stores/contract/rankings.ts'
import { nothingBy, skipsNothing } from '../memory/history.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'
import { rulesOf } from '../rules.ts'

const [GAME, VIEW] = ['g', 'entries']
const TIME = Date.UTC(2026, 10, 21)
const EVER = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const
const position = (n: number) => String(n).padStart(16, '0')

describe('the window indexes of a node', () => {
  const views = createMemoryViews()
  let events: StoredEvent[]
  let rankings: Rankings
  let windows: Windows
  let indexEvents: string[]
  let counted: CountedReason[]
  /** The position up to which the history is complete; null: the last event. */
  let historyUpTo: string | null
  /** Called before each page of a ranking is read. */
  let beforePage: () => Promise<void>

  const RULES = rulesOf(true)

  const boardOf = (board: string, unique = true, generation = 1) => ({
    ...{ board, game: GAME, unique, generation, key: rankingKey(board, generation) },
    documentFor: (player: string, submission: string) =>
      entryDocument({ board, generation, unique, player, submission }),
  })
  type Board = ReturnType<typeof boardOf>

  /** `at`: the number of the event, for a sort key that is made from it; no two entries of a test have one score. */
  const sortKeyOf = (id: string, score: number, time = TIME, at = 0) =>
    encodeSortKey(
      { score: String(score) as Decimal, secondary: null, position: position(at), timeMs: time, id },
      { ordering: 'desc', secondaryOrdering: 'desc' },
    )

  function record(type: string, { board }: Board, player: string, data: object): StoredEvent {
    const event = { type, data, meta: { game: GAME, board, player }, stream: `lb_${board}-${player}` }
    events.push({ ...event, id: '', revision: 0, position: position(events.length + 1) } as never)
    return events.at(-1) as StoredEvent
  }

  /** Like the projector: writes the ranking, then the documents, then the checkpoint. */
  async function apply(board: Board, player: string, id: string, was: string | null, sortKey: string | null) {
    const pos = events.at(-1)?.position ?? ''
    await rankings.put([{ key: board.key, before: was === null ? [] : [was], after: sortKey, pos }])
    const body = sortKey === null ? null : { id, member: sortKey, ranking: board.key }
    const write = { collection: 'entries', id: board.documentFor(player, id), pos, body }
    await views.commit([{ view: VIEW, writes: [write], checkpoints: new Map() }])
  }

  const applied = (at = events.at(-1)?.position ?? '') =>
    views.commit([
      { view: VIEW, writes: [], checkpoints: new Map([[partitionOf(GAME), { position: at, eventId: '' }]]) },
    ])

  async function submit(board: Board, player: string, score: number, was: string | null = null) {
    const id = `e-${player}`
    record('ScoreSubmitted', board, player, { id })
    const sortKey = sortKeyOf(id, score)
    await apply(board, player, id, was, sortKey)
    return sortKey
  }

  async function open(maxBytes = 2 ** 30): Promise<void> {
    const every = createRankings()
    rankings = every.of(VIEW, partitionOf(GAME))
    await (await rankings.beginFill('x')).finish(null, (async function* () {})())
    const read: Rankings = {
      ...rankings,
      range: async (...indexOf) => {
        await beforePage()
        return rankings.range(...indexOf)
      },
    }
    windows = new Windows(
      {
        views,
        rankings: { ...every, of: () => read },
        viewKey: () => VIEW,
        history: {
          part: async (_, after, limit) => events.filter((event) => event.position > (after ?? '')).slice(0, limit),
          nth: async () => null,
          skip: skipsNothing,
          lastBy: nothingBy,
        },
        log: { readStream: async (stream, from) => events.filter((event) => event.stream === stream).slice(from) },
        reached: async () => historyUpTo ?? events.at(-1)?.position ?? null,
      },
      {
        from: -1,
        maxBytes,
        onEvent: (event: WindowIndexEvent, key) => void indexEvents.push(`${event} ${key}`),
        counted: (reason) => void counted.push(reason),
      },
    )
  }

  beforeEach(async () => {
    await views.drop(VIEW)
    await views.prepare({ key: VIEW, collections: [{ name: 'entries', indexes: { rank: ['ranking', 'member'] } }] })
    events = []
    indexEvents = []
    counted = []
    historyUpTo = null
    beforePage = async () => {}
    await open()
  })
  afterEach(() => windows.stop())

  const all = (index: WindowIndex | null) => index?.range(0, 10_000, ...EVER) ?? null

  it('contain applied events, and events applied later', async () => {
    const board = boardOf('b')
    const first = await submit(board, 'ada', 5)
    await applied()
    expect(all(await windows.of(board))).to.deep.equal([first])
    const second = await submit(board, 'bob', 7)
    await applied()
    expect(all(await windows.of(board))).to.deep.equal([second, first])
    const better = await submit(board, 'ada', 9, first)
    await applied()
    expect(all(await windows.of(board))).to.deep.equal([better, second])
    expect(indexEvents).to.deep.equal(['made b.1'])
  })

  it('are checked again for events that are recorded but not applied yet', async () => {
    const board = boardOf('b')
    const first = await submit(board, 'ada', 5)
    await applied()
    await windows.of(board)
    record('ScoreSubmitted', board, 'bob', { id: 'e-bob' })
    expect(all(await windows.of(board))).to.deep.equal([first])
    const second = sortKeyOf('e-bob', 7)
    await apply(board, 'bob', 'e-bob', null, second)
    await applied()
    expect(all(await windows.of(board))).to.deep.equal([second, first])
  })

  it('are not used while the history is behind the documents', async () => {
    const board = boardOf('b')
    await submit(board, 'ada', 5)
    await applied()
    await windows.of(board)
    historyUpTo = events.at(-1)?.position ?? null
    await submit(board, 'bob', 7)
    await applied()
    expect(await windows.of(board)).to.equal(null)
    historyUpTo = null
    expect(all(await windows.of(board))?.length).to.equal(2)
  })

  it('apply events up to where the history is complete, and none beyond', async () => {
    const board = boardOf('b')
    await submit(board, 'ada', 5)
    await applied()
    await windows.of(board)
    historyUpTo = events.at(-1)?.position ?? null
    // Beyond the complete position, a later event can be visible before an earlier one.
    const early = await submit(board, 'bob', 7)
    const late = await submit(board, 'eve', 8)
    const [bob] = events.splice(1, 1)
    expect(all(await windows.of(board))?.length).to.equal(1)
    events.splice(1, 0, bob as StoredEvent)
    historyUpTo = null
    await applied()
    expect(all(await windows.of(board))?.slice(0, 2)).to.deep.equal([late, early])
  })

  for (const unique of [true, false]) {
    it(`remove banned and deleted players, and restore unbanned ones (${unique ? 'unique' : 'not unique'})`, async () => {
      const board = boardOf('b', unique)
      const ada = await submit(board, 'ada', 5)
      const bob = await submit(board, 'bob', 7)
      await applied()
      await windows.of(board)
      record('PlayerBanned', { ...board, board: '' }, 'bob', {})
      const hidden = { id: 'e-bob', member: null, ranking: null, aside: { ranking: board.key, member: bob } }
      const write = { collection: 'entries', id: board.documentFor('bob', 'e-bob'), pos: position(3), body: hidden }
      await views.commit([{ view: VIEW, writes: [write], checkpoints: new Map() }])
      await applied()
      expect(all(await windows.of(board))).to.deep.equal([ada])
      record('PlayerUnbanned', { ...board, board: '' }, 'bob', {})
      await apply(board, 'bob', 'e-bob', null, bob)
      await applied()
      expect(all(await windows.of(board))).to.deep.equal([bob, ada])
      record('PlayerDeleted', { ...board, board: '' }, 'bob', {})
      await apply(board, 'bob', 'e-bob', bob, null)
      await applied()
      expect(all(await windows.of(board))).to.deep.equal([ada])
    })
  }

  it('contain the best submissions inside a window from the second request on, and follow the streams', async () => {
    const board = boardOf('b')
    const [inside, after] = ['2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z']
    const window = { since: inside, until: after, rules: RULES }
    const indexOf = () => windows.of({ ...board, window })
    const day = (n: number) => TIME + n * 86_400_000
    /** The first submission of a player gives the entry its id. */
    const sent = async (
      player: string,
      n: number,
      score: number,
      time: number,
      shownScore: number,
      shownAtMs: number,
    ) => {
      const data = { id: n === 0 ? `e-${player}` : `s-${player}-${n}`, score: String(score), secondary: null }
      const event = record('ScoreSubmitted', board, player, data)
      Object.assign(event, { revision: n, meta: { ...event.meta, time: new Date(time).toISOString() } })
      const sortKey = sortKeyOf(`e-${player}`, shownScore, shownAtMs)
      const body = {
        ...{ id: `e-${player}`, member: sortKey, ranking: board.key, player },
        updated: new Date(shownAtMs).toISOString(),
      }
      const write = { collection: 'entries', id: board.documentFor(player, ''), pos: event.position, body }
      await rankings.put([{ key: board.key, before: [], after: sortKey, pos: event.position }])
      await views.commit([{ view: VIEW, writes: [write], checkpoints: new Map() }])
    }
    // The best of ada is before the window, that of bob inside, that of eve after it.
    await sent('ada', 0, 90, day(-1), 90, day(-1))
    await sent('ada', 1, 5, day(0), 90, day(-1))
    await sent('bob', 0, 7, day(0), 7, day(0))
    await sent('eve', 0, 8, day(1), 8, day(1))
    await applied()
    expect(await indexOf()).to.equal(null)
    const [ada, bob] = [sortKeyOf('e-ada', 5, day(0), 2), sortKeyOf('e-bob', 7, day(0))]
    expect(all(await indexOf())).to.deep.equal([bob, ada])
    await sent('ada', 2, 30, day(0), 90, day(-1))
    await sent('eve', 1, 1, day(0), 8, day(1))
    await sent('bob', 1, 100, day(2), 100, day(2))
    await applied()
    const late = [sortKeyOf('e-ada', 30, day(0), 5), sortKeyOf('e-bob', 7, day(0), 3), sortKeyOf('e-eve', 1, day(0), 6)]
    expect(all(await indexOf())).to.deep.equal(late)
    const taken = record('ScoreDeleted', board, 'bob', { id: 'e-bob', upTo: 1 })
    Object.assign(taken, { revision: 2 })
    const gone = { collection: 'entries', id: board.documentFor('bob', ''), pos: taken.position, body: null }
    await views.commit([{ view: VIEW, writes: [gone], checkpoints: new Map() }])
    const ban = record('PlayerBanned', { ...board, board: '' }, 'eve', {})
    const hidden = { id: 'e-eve', member: null, ranking: null }
    const write = { collection: 'entries', id: board.documentFor('eve', ''), pos: ban.position, body: hidden }
    await views.commit([{ view: VIEW, writes: [write], checkpoints: new Map() }])
    await applied()
    expect(all(await indexOf())).to.deep.equal([late[0]])
    expect(counted).to.deep.equal(['once'])
    expect(indexEvents).to.deep.equal([`made b.1 ${inside}/${after}`])
  })

  it('contain each entry once if entries moved while the ranking was read', async () => {
    const board = boardOf('b')
    const sortKeys: string[] = []
    for (let n = 0; n < 2_500; n++) sortKeys.push(await submit(board, `p${String(n).padStart(4, '0')}`, n))
    await applied()
    let pages = 0
    beforePage = async () => {
      if (++pages !== 2) return
      // Moves one entry forward and one back across the read position, and removes others.
      sortKeys[3] = await submit(board, 'p0003', 90_000, sortKeys[3])
      sortKeys[2_400] = await submit(board, 'p2400', -1, sortKeys[2_400])
      for (let n = 2_450; n < 2_499; n++) {
        record('ScoreDeleted', board, `p${n}`, { id: `e-p${n}`, upTo: 0 })
        await apply(board, `p${n}`, `e-p${n}`, sortKeys[n] as string, null)
      }
      await applied()
    }
    const index = await windows.of(board)
    const expected = sortKeys.filter((_, n) => n < 2_450 || n === 2_499).sort()
    expect(all(index)).to.deep.equal(expected)
    expect(pages).to.be.greaterThan(3)
  })

  it('are built again when their generation is rebuilt', async () => {
    const board = boardOf('b')
    const ada = await submit(board, 'ada', 5)
    await applied()
    await windows.of(board)
    record('LeaderboardRulesChanged', board, '', { generation: 2 })
    expect(all(await windows.of(board))).to.deep.equal([ada])
    record('LeaderboardRulesChanged', board, '', { generation: 1 })
    const bob = sortKeyOf('e-bob', 7)
    await apply(board, 'bob', 'e-bob', null, bob)
    await applied()
    expect(await windows.of(board)).to.equal(null)
    expect(all(await windows.of(board))).to.deep.equal([bob, ada])
    expect(indexEvents).to.deep.equal(['made b.1', 'made b.1'])
  })

  it('keep to the memory limit by evicting the least recently used', async () => {
    const boards = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => boardOf(name))
    const [a, b, c, d, e, f] = boards as [Board, Board, Board, Board, Board, Board]
    const fill = async () => {
      for (const board of boards) for (let n = 0; n < 100; n++) await submit(board, `p${n}`, n)
      await applied()
    }
    await fill()
    await windows.of(a)
    const one = windows.bytes
    await windows.stop()
    expect(windows.bytes).to.equal(0)
    // Room for five indexes; the estimate for 100 entries counts before the last one is built.
    await open(one * 4.5 + 100 * 128)
    await fill()
    indexEvents = []
    for (const board of [a, b, c, d, e, a, f, a, c]) expect(all(await windows.of(board))?.length).to.equal(100)
    // An index is evicted before the next one is built.
    const made = ['a', 'b', 'c', 'd', 'e'].map((name) => `made ${name}.1`)
    expect(indexEvents).to.deep.equal([...made, 'evicted b.1', 'made f.1'])
    expect(windows.bytes).to.be.within(one, one * 5.5)
  })

  it('are not built for a board that would not fit', async () => {
    const board = boardOf('b')
    await open(1_000)
    for (let n = 0; n < 10; n++) await submit(board, `p${n}`, n)
    await applied()
    expect(await windows.of(board)).to.equal(null)
    expect(indexEvents).to.deep.equal([])
  })

  it('are not built while there are no rankings', async () => {
    const board = boardOf('b')
    await submit(board, 'ada', 5)
    await applied()
    await rankings.beginFill('x')
    expect(await windows.of(board)).to.equal(null)
    expect(indexEvents).to.deep.equal(['failed b.1'])
  })
})
