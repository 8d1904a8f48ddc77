// A read through the window index while it applies changes, or while the active build changes: the answer is one that
// was right at some moment.

import { expect } from 'chai'
import { type Decimal, parseDecimal } from '../../domain/decimal.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { partitionOf } from '../../domain/partition.ts'
import { withActiveBuilds } from '../../projections/builds/active-builds.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { Board } from '../../queries/leaderboard.ts'
import { BoardReader } from '../../queries/scores/board-reader.ts'
import { listRows, UNFILTERED } from '../../queries/scores/list.ts'
import { Windows } from '../../queries/windows/windows.ts'
import { entryDocument, rankingKey } from '../../ranking/key.ts'
import { encodeSortKey, sortKeyOf } from '../../ranking/sort-key.ts'
import type { WindowIndex } from '../../ranking/window-index.ts'
import { windowsOf } from '../../server/windows.ts'
import type { Write } from '../../stores/contract/views.ts'
import { skipsNothing } from '../memory/history.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'
import { rulesOf } from '../rules.ts'
import { turn } from '../until.ts'

const [GAME, VIEW, KEY] = ['g', 'entries', rankingKey('b', 1)]
const EVER = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const
const TIME = '2026-01-01T00:00:00.000Z'
const decimal = (n: number) => parseDecimal(String(n)) as Decimal
const positionOf = (n: number) => String(n).padStart(8, '0')

interface Submission {
  readonly player: string
  readonly id: string
  readonly score: number
}

/** An indexed leaderboard, with functions that change it. */
async function openBoard(isUnique: boolean) {
  const rules = rulesOf(isUnique)
  const views = createMemoryViews()
  const indexes = { rank: ['ranking', 'member'], player: ['player', 'ranking', 'member'] }
  await views.prepare({ key: VIEW, collections: [{ name: 'entries', indexes }] })
  const events: StoredEvent[] = []
  const rankings = createRankings()
  const own = rankings.of(VIEW, partitionOf(GAME))
  await (await own.beginFill('x')).finish(null, (async function* () {})())
  const documentFor = (player: string, submission: string) =>
    entryDocument({ board: 'b', generation: 1, unique: isUnique, player, submission })
  const record = (type: string, player: string, data: object = {}): string => {
    const position = positionOf(events.length + 1)
    const meta = { game: GAME, player, ...(type.startsWith('Score') && { board: 'b' }) }
    events.push({ type, data, meta, position, stream: `lb_b-${player}`, id: position, revision: 0 } as never)
    return position
  }
  const bodyOf = ({ player, id, score }: Submission, isHidden = false) => {
    const sortKey = sortKeyOf({ score: decimal(score), secondary: null, time: TIME }, id, rules)
    const fields = { id, lookup: id, board: 'b', generation: 1, player, score: decimal(score), secondary: null }
    const shown = { extra: null, ownName: null, name: player, added: TIME, updated: TIME }
    return { ...fields, ...shown, ...(isHidden ? { ranking: null, member: null } : { ranking: KEY, member: sortKey }) }
  }
  const commit = (writes: readonly Write[], checkpoint: string | null) => {
    const at = checkpoint === null ? [] : [[partitionOf(GAME), { position: checkpoint, eventId: '' }] as const]
    return views.commit([{ view: VIEW, writes, checkpoints: new Map(at) }])
  }
  const writeOf = (one: Submission, pos: string, isHidden = false): Write => {
    return { collection: 'entries', id: documentFor(one.player, one.id), pos, body: bodyOf(one, isHidden) }
  }
  const submit = async (one: Submission) => {
    const pos = record('ScoreSubmitted', one.player, { id: one.id })
    await own.put([{ key: KEY, before: [], after: bodyOf(one).member as string, pos }])
    await commit([writeOf(one, pos)], pos)
  }
  /** Hides some entries; the checkpoint follows once all of them are hidden. */
  const hide = (some: readonly Submission[], pos: string, isLast: boolean) =>
    commit(
      some.map((one) => writeOf(one, pos, true)),
      isLast ? pos : null,
    )
  const remove = async ({ player, id }: Submission) => {
    const pos = record('ScoreDeleted', player, { id, upTo: 1 })
    await commit([{ collection: 'entries', id: documentFor(player, id), pos, body: null }], pos)
  }
  const reads = { beforeFind: async () => {}, beforeGet: async () => {} }
  const deps = {
    views: {
      ...views,
      find: async (args: Parameters<typeof views.find>[0]) => {
        const found = await views.find(args)
        await reads.beforeFind()
        return found
      },
      get: async (...args: Parameters<typeof views.get>) => {
        await reads.beforeGet()
        return views.get(...args)
      },
    },
    rankings,
    viewKey: () => VIEW,
    history: {
      part: async (_: unknown, after: string | null, limit: number) =>
        events.filter(({ position }) => position > (after ?? '')).slice(0, limit),
      nth: async () => null,
      skip: skipsNothing,
    },
    log: {
      readStream: async (stream: string, from: number) => events.filter((event) => event.stream === stream).slice(from),
    },
    reached: async () => events.at(-1)?.position ?? null,
  }
  const windows = new Windows(deps, { from: -1, maxBytes: 2 ** 30 })
  const indexed = { board: 'b', game: GAME, unique: isUnique, generation: 1, key: KEY }
  const queries: QueryDeps = { ...deps, windows }
  const board = { id: 'b', game: GAME, generation: 1, state: { rules } } as Board
  return { record, submit, remove, hide, reads, bodyOf, windows, queries, board, of: () => windows.of(indexed) }
}

const ENTRIES = 300
const MANY = Array.from({ length: ENTRIES }, (_, n): Submission => ({ player: 'many', id: `m${n}`, score: 1_000 + n }))
const OWN: Submission = { player: 'own', id: 'own', score: 500 }

const scoresOf = (index: WindowIndex | null) =>
  index === null || index.isMoving
    ? 'moving'
    : index
        .range(0, 1_000, ...EVER)
        .map((sortKey) => [OWN, ...MANY, ...PAIR].find(({ id }) => sortKey.endsWith(id))?.id)

const PAIR: readonly Submission[] = [
  { player: 'x', id: 'xx', score: 10 },
  { player: 'y', id: 'yy', score: 20 },
]

describe('a window index while it applies changes', () => {
  const { now } = performance
  let windows: Windows | null = null

  /** Makes every time slice due whenever the clock is read. */
  function shortenSlices(): void {
    let ms = now.call(performance)
    performance.now = () => {
      ms += 2
      return ms
    }
  }

  afterEach(async () => {
    performance.now = now
    await windows?.stop()
  })

  it('ranks a player as before or after the ban of another one with many entries, between any two slices', async () => {
    const query = { ...UNFILTERED, limit: 1, offset: 0, order: 'best', since: TIME, around: 'own' } as const
    /** The rank and count of a reader that continues after this many event-loop turns of a concurrent catch-up. */
    const read = async (turns: number) => {
      const opened = await openBoard(false)
      windows = opened.windows
      const { reads, record, hide, submit, queries, board, of } = opened
      for (const one of [...MANY, OWN]) await submit(one)
      await of()
      shortenSlices()
      let takingOver: Promise<unknown> = Promise.resolve()
      let isOver = false
      reads.beforeFind = async () => {
        reads.beforeFind = async () => {}
        await hide(MANY, record('PlayerBanned', 'many'), true)
        takingOver = of().finally(() => {
          isOver = true
        })
        for (let n = 0; n < turns && !isOver; n++) await turn()
      }
      const { own, count } = await listRows(new BoardReader(queries, board), query)
      const wasOver = isOver
      await takingOver
      performance.now = now
      await windows.stop()
      return { answer: [own?.rank, count], wasOver }
    }
    const answers = new Set<string>()
    for (let turns = 0, isOver = false; !isOver; turns++) {
      const { answer, wasOver } = await read(turns)
      answers.add(JSON.stringify(answer))
      isOver = wasOver
    }
    const [before, after] = [JSON.stringify([ENTRIES + 1, ENTRIES + 1]), JSON.stringify([1, 1])]
    expect([...answers]).to.deep.equal([before, after])
  }).timeout(60_000)

  it('shows no later improvement without an earlier one of a player whose entry was read before', async () => {
    const { reads, submit, of, windows: opened } = await openBoard(true)
    windows = opened
    const [x, y] = PAIR as [Submission, Submission]
    for (const one of [x, y]) await submit(one)
    expect(scoresOf(await of())).to.deep.equal(['yy', 'xx'])
    // Both players are read again, y first.
    await submit({ ...y, score: 21 })
    await submit({ ...x, score: 11 })
    let gets = 0
    reads.beforeGet = async () => {
      if (++gets !== 2) return
      await submit({ ...y, score: 40 })
      await submit({ ...x, score: 30 })
    }
    expect(scoresOf(await of())).to.deep.equal(['yy', 'xx'])
    expect(gets).to.equal(4)
  })

  it('shows no deletion without an earlier improvement of a player whose entry was read before', async () => {
    const { reads, submit, remove, bodyOf, of, windows: opened } = await openBoard(true)
    windows = opened
    const [x, y] = PAIR as [Submission, Submission]
    for (const one of [x, y]) await submit(one)
    await of()
    // Both players are read again, x first.
    await submit({ ...x, score: 11 })
    await submit({ ...y, score: 21 })
    let gets = 0
    reads.beforeGet = async () => {
      if (++gets !== 2) return
      await submit({ ...x, score: 30 })
      await remove(y)
    }
    expect((await of())?.range(0, 10, ...EVER)).to.deep.equal([bodyOf({ ...x, score: 30 }).member])
  })

  it('contains all entries of a banned player until all of them are hidden', async () => {
    const { record, hide, submit, of, windows: opened } = await openBoard(false)
    windows = opened
    for (const one of [...MANY, OWN]) await submit(one)
    await of()
    const pos = record('PlayerBanned', 'many')
    await hide(MANY.slice(0, 100), pos, false)
    expect((await of())?.size(...EVER)).to.equal(ENTRIES + 1)
    await hide(MANY.slice(100), pos, true)
    expect((await of())?.size(...EVER)).to.equal(1)
  })
})

const PARTITION = partitionOf(GAME)

const keyOf = (id: string, score: number) =>
  encodeSortKey(
    { score: String(score) as Decimal, secondary: null, timeMs: Date.UTC(2026, 10, 21), id },
    { ordering: 'desc', secondaryOrdering: 'desc' },
  )

const [ada, bob, planted] = [keyOf('ada', 9), keyOf('bob', 8), keyOf('eve', 7)]

describe('the window indexes of a node whose active build changes', () => {
  it('are built again when another build of the views becomes active', async () => {
    const views = createMemoryViews()
    const rankings = createRankings()
    const board = { board: 'b', game: GAME, unique: true, generation: 1, key: rankingKey('b', 1) }
    const checkpoints = new Map([[PARTITION, { position: '00000001', eventId: '' }]])
    // The active build has an entry that is not in the log.
    for (const [view, sortKeys] of [
      ['entries@1', [ada, bob, planted]],
      ['entries@1+1', [ada, bob]],
    ] as const) {
      await views.prepare({ key: view, collections: [{ name: 'entries', indexes: { rank: ['ranking', 'member'] } }] })
      const own = rankings.of(view, PARTITION)
      await (await own.beginFill('x')).finish(null, (async function* () {})())
      await own.put(sortKeys.map((after, n) => ({ key: board.key, before: [], after, pos: `0000000${n + 1}` })))
      await views.commit([{ view, writes: [], checkpoints }])
    }
    let shown = 'entries@1'
    const stores = withActiveBuilds({ views, rankings }, () => shown)
    const history = { part: async () => [], nth: async () => null, skip: skipsNothing }
    const deps = { ...stores, history, viewKey: () => 'entries@1', log: { readStream: async () => [] } }
    const windows = windowsOf(
      { ...deps, reached: async () => '00000001' },
      { from: -1, maxBytes: 2 ** 30 },
      () => shown,
    )
    const all = async () => (await windows.of(board))?.range(0, 10, ...EVER) ?? null
    try {
      expect(await all()).to.deep.equal([ada, bob, planted])
      shown = 'entries@1+1'
      expect(await all()).to.deep.equal([ada, bob])
      shown = 'entries@1'
      expect(await all()).to.deep.equal([ada, bob, planted])
    } finally {
      await windows.stop()
    }
  })
})
