// The ranking of a closed season as it was at its closing: a page that is read while a player is banned and unbanned
// again, and the ranks at closing between very many entries that are hidden or deleted.

import { expect } from 'chai'
import { unsafeCast } from '../../domain/event.ts'
import { scoreStream } from '../../domain/score.ts'
import type { SeasonsHead } from '../../domain/season-records.ts'
import { entries } from '../../projections/entries.ts'
import { leaderboards } from '../../projections/leaderboards.ts'
import { viewKey } from '../../projections/projection.ts'
import { cachedDifferences, createDifferencesCache } from '../../queries/closed-season/differences.ts'
import { cachedFinalRanks, createFinalRanksCache, finalRanks } from '../../queries/closed-season/final-ranks.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import { findBoard } from '../../queries/leaderboard.ts'
import type { Ranked } from '../../queries/scores/entry.ts'
import { createListScores, UNFILTERED } from '../../queries/scores/list.ts'
import type { ScoresQuery } from '../../queries/scores/query.ts'
import { findSeason } from '../../queries/seasons.ts'
import { type Heavy, unqueued } from '../../queries/work-queue.ts'
import { absentFrom, addedTo } from '../../ranking/key.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import type { AllRankings, Rankings } from '../../stores/contract/rankings.ts'
import type { Find, Views } from '../../stores/contract/views.ts'
import { rankingsOfViews } from '../../stores/embedded/rankings-of-views.ts'
import { openViews } from '../../stores/embedded/views.ts'
import { appended, someEvent } from '../contracts/events.ts'
import { historyOf } from '../memory/history.ts'
import { prepareWorld } from '../projections/prepare-world.ts'
import { runToEnd, runWorld } from '../projections/run-world.ts'
import { Random } from '../random.ts'
import { rulesOf } from '../rules.ts'
import { SEED } from '../seeds.ts'
import { newPath } from '../stores/folder.ts'

const [BOARD, GAME] = ['b1', 'g1']
const VIEWS = [entries, leaderboards]
const DAY = '2026-01-01T00:00:00.000Z'

/**
 * A leaderboard with one closed season, in which the first player is best, and so on. Of a player who is named again,
 * each submission is an entry. `banned`: before the season is closed.
 */
async function closedSeason(players: readonly string[], stores: Parameters<typeof runWorld>[1] = {}, banned?: string) {
  const run = runWorld(VIEWS, stores)
  await prepareWorld(run)
  const { log } = run.deps
  const lengths = new Map<string, number>()
  const record = async (stream: string, type: string, data: object, meta: object) => {
    const length = lengths.get(stream) ?? 0
    const event = someEvent({ type, data: unsafeCast(data), meta: { game: GAME, time: DAY, ...meta } })
    await appended(log, stream, length === 0 ? 'none' : length - 1, [event])
    lengths.set(stream, length + 1)
  }
  const ofBoard = (type: string, data: object) => record(`board-${BOARD}`, type, data, { board: BOARD })
  const ofPlayer = (player: string, type: string, data: object = {}) =>
    record(`player-${player}`, type, data, { player })
  await ofBoard('LeaderboardCreated', {
    name: 'B',
    description: '',
    rules: rulesOf(new Set(players).size === players.length),
  })
  await ofBoard('SeasonScheduleSet', { schedule: { cron: 'daily', timeZone: 'UTC' } })
  await ofBoard('SeasonOpened', { season: 1, starts: DAY, ends: '2026-01-02T00:00:00.000Z' })
  for (const player of new Set(players)) {
    await ofPlayer(player, 'PlayerCreated', { name: player, externalId: null, guest: true })
  }
  for (const [nth, player] of players.entries()) {
    const data = { id: `s${nth}`, score: String(players.length - nth), secondary: null, extra: null, playerName: null }
    await record(scoreStream(BOARD, player), 'ScoreSubmitted', data, { board: BOARD, player })
  }
  if (banned !== undefined) await ofPlayer(banned, 'PlayerBanned', { until: null, reason: null })
  await runToEnd(run)
  await ofBoard('SeasonClosed', { season: 1 })
  await ofBoard('SeasonOpened', { season: 2, starts: '2026-01-02T00:00:00.000Z', ends: '2026-01-03T00:00:00.000Z' })
  await runToEnd(run)
  const set = async (type: 'PlayerBanned' | 'PlayerUnbanned', ...some: readonly string[]) => {
    for (const player of some)
      await ofPlayer(player, type, type === 'PlayerBanned' ? { until: null, reason: null } : {})
    await runToEnd(run)
  }
  return {
    run,
    /** Bans players or ends their bans; the views have applied it when it resolves. */
    set,
    /** The views apply both events in one batch. */
    unbanAndDeleteScore: async (unbanned: string, player: string) => {
      await ofPlayer(unbanned, 'PlayerUnbanned')
      const data = { id: `s${players.indexOf(player)}`, upTo: 0 }
      await record(scoreStream(BOARD, player), 'ScoreDeleted', data, { board: BOARD, player })
      await runToEnd(run)
    },
  }
}

interface Row {
  readonly player: string
  readonly score: string
  readonly rank: number
  readonly final_rank: number | null
}

type World = Awaited<ReturnType<typeof closedSeason>>

/** The rows of season 1. `meanwhile`: called once, before the first read of them and after it. */
async function pageOf(
  { run }: World,
  meanwhile: Partial<Record<'before' | 'after', () => Promise<void>>> = {},
  asked: Partial<ScoresQuery> = {},
) {
  const { views, rankings } = run.deps
  const calls = { ...meanwhile }
  const call = async (at: 'before' | 'after') => {
    const work = calls[at]
    delete calls[at]
    await work?.()
  }
  const find: Views['find'] = async (asked) => {
    const found = await views.find(asked)
    if (asked.index === 'rank') await call('after')
    return found
  }
  const of: AllRankings['of'] = (...asked) => {
    const own = rankings.of(...asked)
    const range: Rankings['range'] = async (...some) => {
      await call('before')
      return own.range(...some)
    }
    return { ...own, range }
  }
  const deps = { ...run.deps, views: { ...views, find }, rankings: { ...rankings, of } }
  return (await pagesOf(deps))(asked)
}

type Shown = (row: Row) => readonly unknown[]

/** Reads rows of season 1, by one entry point with its caches. */
async function pagesOf(
  { log, views, rankings }: Pick<World['run']['deps'], 'log' | 'views' | 'rankings'>,
  shown: Shown = ({ player, rank, final_rank }) => [player, rank, final_rank],
) {
  const key = (name: string) => viewKey(VIEWS.find((view) => view.name === name) ?? entries)
  const deps: QueryDeps = { history: historyOf(log), views, rankings, viewKey: key }
  const board = await findBoard(deps, BOARD)
  if (board === null) throw new Error('there is no leaderboard')
  const season = await findSeason(deps, board, 1, Date.parse(DAY))
  const listScores = createListScores(deps)
  return async (asked: Partial<ScoresQuery>) => {
    const query = { ...UNFILTERED, order: 'best', limit: 20, offset: 0, ...asked } as const
    const page = await listScores(season, query, unqueued)
    if ('scores' in page) return (JSON.parse(page.scores) as Row[]).map(shown)
    const { rows, finalRanks } = page
    return rows.map(({ entry: { player, score }, rank }, nth) =>
      shown({ player, score, rank, final_rank: finalRanks?.[nth] ?? null }),
    )
  }
}

describe('a page of a closed season', () => {
  const ALL = [
    ['ada', 1, 1],
    ['bob', 2, 2],
    ['cyd', 3, 3],
  ]

  it('has the rank of each entry at closing, without those that are hidden now', async () => {
    const world = await closedSeason(['ada', 'bob', 'cyd'])
    expect(await pageOf(world)).to.deep.equal(ALL)
    await world.set('PlayerBanned', 'ada')
    expect(await pageOf(world)).to.deep.equal([
      ['bob', 1, 2],
      ['cyd', 2, 3],
    ])
    await world.set('PlayerUnbanned', 'ada')
    expect(await pageOf(world)).to.deep.equal(ALL)
  })

  it('is read again if a player is banned and unbanned while it is read', async () => {
    const world = await closedSeason(['ada', 'bob', 'cyd'])
    const page = await pageOf(world, {
      before: () => world.set('PlayerBanned', 'ada'),
      after: () => world.set('PlayerUnbanned', 'ada'),
    })
    expect(page).to.deep.equal(ALL)
  })

  it('is read again if a banned player is unbanned and banned while it is read', async () => {
    const world = await closedSeason(['ada', 'bob', 'cyd'])
    await world.set('PlayerBanned', 'ada')
    const page = await pageOf(world, {
      before: () => world.set('PlayerUnbanned', 'ada'),
      after: () => world.set('PlayerBanned', 'ada'),
    })
    expect(page).to.deep.equal([
      ['bob', 1, 2],
      ['cyd', 2, 3],
    ])
  })
})

describe('a page of a season whose closing is written in part', () => {
  it('has no ranks at closing until the entries are written too', async () => {
    const { deps } = runWorld(VIEWS)
    const shown: unknown[] = []
    const commit: Views['commit'] = async (batches) => {
      const ofSeasons = batches.map((batch) => {
        const writes = batch.writes.filter(({ collection }) => collection === 'seasons')
        return { ...batch, writes, checkpoints: new Map() }
      })
      const isClosing = ofSeasons.some(({ writes }) => writes.some(({ body }) => isClosed(body)))
      if (isClosing && shown.length === 0) {
        await deps.views.commit(ofSeasons)
        shown.push(await (await pagesOf(deps))({}))
      }
      return deps.views.commit(batches)
    }
    const isClosed = (body: unknown) => unsafeCast<SeasonsHead>(body).newest.some(({ closed }) => closed !== null)
    await closedSeason(['ada', 'bob', 'cyd'], { ...deps, views: { ...deps.views, commit } }, 'ada')
    expect(shown).to.deep.equal([
      [
        ['bob', 1, null],
        ['cyd', 2, null],
      ],
    ])
    expect(await (await pagesOf(deps))({})).to.deep.equal([
      ['bob', 1, 1],
      ['cyd', 2, 2],
    ])
  })
})

describe('a page of a closed season with very many entries that are hidden since', () => {
  // The two alternate.
  const EACH = 1_500
  const players = Array.from({ length: EACH * 2 }, (_, nth) => (nth % 2 === 0 ? 'ada' : 'bob'))
  const page = (first: number, isHidden: boolean) =>
    Array.from({ length: 20 }, (_, nth) => {
      const rank = first + nth
      return isHidden ? ['bob', rank, rank * 2] : [rank % 2 === 1 ? 'ada' : 'bob', rank, rank]
    })

  it('walks through a few hundred of them, and shows the next change at once', async () => {
    const world = await closedSeason(players)
    const { views } = world.run.deps
    /** Documents, and entries of indexes that are skipped or counted. */
    let walked = 0
    const counting: Views = {
      ...views,
      async find(asked) {
        const found = await views.find(asked)
        walked += found.length + (asked.skip ?? 0)
        return found
      },
      async count(asked) {
        const count = await views.count(asked)
        walked += count
        return count
      },
    }
    const read = await pagesOf({ ...world.run.deps, views: counting })
    expect(await read({ offset: 100 })).to.deep.equal(page(101, false))
    await world.set('PlayerBanned', 'ada')
    expect(await read({ offset: 100 })).to.deep.equal(page(101, true))
    for (const offset of [0, 100, EACH / 2, EACH - 20]) {
      walked = 0
      expect(await read({ offset })).to.deep.equal(page(offset + 1, true))
      expect(walked).to.be.lessThan(600)
    }
    await world.set('PlayerUnbanned', 'ada')
    expect(await read({ offset: EACH })).to.deep.equal(page(EACH + 1, false))
    await world.set('PlayerBanned', 'bob')
    expect(await read({ limit: 1 })).to.deep.equal([['ada', 1, 1]])
    expect(await read({ offset: 1_000, limit: 1 })).to.deep.equal([['ada', 1_001, 2_001]])
  })
})

describe('a page of a closed season with rankings that are an index of the documents', () => {
  it('is read from the documents once until it changes, also if entries are hidden or deleted', async () => {
    const views = await openViews(newPath('views.sqlite'))
    try {
      const players = Array.from({ length: 40 }, (_, nth) => `p${String(nth).padStart(2, '0')}`)
      const world = await closedSeason(players, { views, rankings: rankingsOfViews(views) })
      let finds = 0
      const find: Views['find'] = (asked) => {
        finds++
        return views.find(asked)
      }
      const read = await pagesOf({ ...world.run.deps, views: { ...views, find } })
      const gone = new Set<string>()
      const hide = async (player: string) => {
        await world.set('PlayerBanned', player)
        gone.add(player)
      }
      const show = async (player: string) => {
        await world.set('PlayerUnbanned', player)
        gone.delete(player)
      }
      const check = async (asked: Partial<ScoresQuery>, offset: number) => {
        const rows = players.flatMap((player, nth) => (gone.has(player) ? [] : [[player, nth + 1] as const]))
        const due = rows.map(([player, final], nth) => [player, nth + 1, final]).slice(offset, offset + 20)
        expect(await read(asked)).to.deep.equal(due)
        finds = 0
        expect(await read(asked)).to.deep.equal(due)
        expect(finds).to.equal(0)
      }
      const pages = async () => {
        await check({}, 0)
        await check({ offset: 10 }, 10)
      }
      await pages()
      for (const player of ['p00', 'p15', 'p31']) {
        await hide(player)
        await pages()
      }
      await check({ around: 'p20' }, 8)
      await show('p15')
      await pages()
    } finally {
      await views.close()
    }
  })
})

describe('a page of a closed season with an embedded store that writes a ban in parts', () => {
  it('has the ranks at closing of its rows between any two parts', async () => {
    const views = await openViews(newPath('views.sqlite'))
    try {
      // More than the store writes at once.
      const EACH = 550
      const players = Array.from({ length: EACH * 2 }, (_, nth) => (nth % 2 === 0 ? 'ada' : 'bob'))
      const world = await closedSeason(players, { views, rankings: rankingsOfViews(views) })
      const read = await pagesOf(world.run.deps, ({ score, rank, final_rank }) => [score, rank, final_rank])
      const lastRanks = new Set<unknown>()
      const check = async (asked: Partial<ScoresQuery>) => {
        const page = await read(asked)
        for (const [score, rank, final] of page) {
          expect(final, `${score} ${rank}`).to.equal(players.length - Number(score) + 1)
        }
        return page.at(-1)?.[1]
      }
      for (const change of ['PlayerBanned', 'PlayerUnbanned'] as const) {
        let isWritten = false
        const written = world.set(change, 'ada').then(() => {
          isWritten = true
        })
        while (!isWritten) {
          lastRanks.add(await check({ offset: EACH - 20 }))
          lastRanks.add(await check({ around: 'bob' }))
          lastRanks.add(await check({ order: 'worst', limit: 1 }))
          await yieldToEventLoop()
        }
        await written
        await check({ offset: EACH - 20 })
      }
      expect(lastRanks.size).to.be.greaterThan(10)
    } finally {
      await views.close()
    }
  })
})

describe('a page of a closed season whose ranking is ahead of its documents', () => {
  const BEFORE = [
    ['ada', 1, 1],
    ['bob', 2, 2],
    ['cyd', 3, 3],
    ['dan', 4, 4],
  ]

  /** The pages of these queries each time that the ranking has changes of entries and the documents lack them. */
  async function whileWritten(world: World, queries: readonly Partial<ScoresQuery>[], change: () => Promise<void>) {
    const { views } = world.run.deps
    const { commit } = views
    const pages: unknown[][] = []
    views.commit = async (batches) => {
      if (batches.some(({ writes }) => writes.some(({ collection }) => collection === 'entries'))) {
        const found: unknown[] = []
        for (const query of queries) found.push(await pageOf(world, {}, query))
        pages.push(found)
      }
      return commit(batches)
    }
    await change()
    views.commit = commit
    return pages
  }

  it('has both ranks of before while a ban of the best player is written', async () => {
    const world = await closedSeason(['ada', 'bob', 'cyd', 'dan'])
    const queries = [
      {},
      { offset: 2 },
      { order: 'worst' },
      { order: 'oldest' },
      { around: 'cyd' },
      { player: 'cyd' },
    ] as const
    const pages = await whileWritten(world, queries, () => world.set('PlayerBanned', 'ada'))
    expect(pages).to.deep.equal([[BEFORE, BEFORE.slice(2), BEFORE.toReversed(), BEFORE, BEFORE, BEFORE.slice(2, 3)]])
    expect(await pageOf(world)).to.deep.equal([
      ['bob', 1, 2],
      ['cyd', 2, 3],
      ['dan', 3, 4],
    ])
  })

  it('has both ranks of before while the end of a ban and a deletion are written together', async () => {
    const world = await closedSeason(['ada', 'bob', 'cyd', 'dan'])
    await world.set('PlayerBanned', 'dan')
    // The ranking has as many entries as before.
    const change = () => world.unbanAndDeleteScore('dan', 'ada')
    const pages = await whileWritten(world, [{ offset: 1, limit: 1 }], change)
    expect(pages).to.deep.equal([[[['bob', 2, 2]]]])
    expect(await pageOf(world)).to.deep.equal([
      ['bob', 1, 2],
      ['cyd', 2, 3],
      ['dan', 3, 4],
    ])
  })
})

describe('the ranks at closing', () => {
  const KEY = 'b1.1.s1'
  const CHANGED_AT = '5'
  const keyAt = (n: number): string => String(n).padStart(6, '0')
  const known = { reached: async () => CHANGED_AT, heavy: unqueued }

  /** Differences with these sort keys, and how many reads they take. */
  function differencesOf(absent: readonly string[], added: readonly string[]) {
    let reads = 0
    const matching = ({ index, equal, from, after, until, among }: Omit<Find, 'limit'>) => {
      reads++
      if (index === 'changed' && (CHANGED_AT < (from ?? '') || CHANGED_AT <= (after ?? ''))) return []
      if (index === 'changed') return [...absent, ...added].slice(0, 1)
      const all = equal[1] === absentFrom(KEY) ? absent : equal[1] === addedTo(KEY) ? added : []
      return all.filter(
        (one) =>
          one >= (from ?? '') &&
          one > (after ?? '') &&
          one < (until ?? '~') &&
          (among === undefined || among.includes(one)),
      )
    }
    const views = {
      count: async (asked: Find) => matching(asked).slice(0, asked.limit).length,
      find: async (asked: Find) =>
        matching(asked)
          .slice(asked.skip ?? 0)
          .slice(0, asked.limit)
          .map((differsKey) => ({ body: { differsKey, changedAt: CHANGED_AT } })),
    }
    const deps = unsafeCast<QueryDeps>({ views, viewKey: () => 'entries' })
    return { of: { deps, board: BOARD, season: 1, key: KEY }, reads: () => reads }
  }

  for (const [what, size] of [
    ['few', 60],
    ['very many', 3_000],
  ] as const) {
    it(`count the ${what} entries that are hidden, deleted or shown since`, async () => {
      const random = new Random(SEED)
      for (let round = 0; round < 50; round++) {
        const kinds = Array.from({ length: size }, () => random.pick(['absent', 'added', 'shown'] as const))
        const keysOf = (kind: string) => kinds.flatMap((one, n) => (one === kind ? [keyAt(n)] : []))
        const [absent, added] = [keysOf('absent'), keysOf('added')]
        const shown = kinds.flatMap((kind, n) => (kind === 'absent' ? [] : [keyAt(n)]))
        const due = new Map<string, number | null>()
        for (let n = 0, rank = 0; n < size; n++) due.set(keyAt(n), kinds[n] === 'added' ? null : ++rank)
        // Of a page by time, in any order.
        const page = shown.map((member, at): Ranked => unsafeCast({ entry: { member }, rank: at + 1 }))
        const rows = Array.from({ length: 20 }, () => random.pick(page))
        const { of } = differencesOf(absent, added)
        const expected = rows.map(({ entry }) => due.get(entry.member))
        const counted = { changedAt: CHANGED_AT, absent: absent.length, added: added.length }
        expect(await finalRanks(of, rows, counted)).to.deep.equal(expected)
        const inSteps = await cachedDifferences(createDifferencesCache(), of, known)
        expect(inSteps).to.include(counted)
        expect(await finalRanks(of, rows, inSteps)).to.deep.equal(expected)
      }
    })
  }

  it('follow from differences that are counted once, and in the queue of long reads if they are very many', async () => {
    for (const [size, queued] of [
      [4_000, 0],
      [8_000, 1],
    ] as const) {
      const { of, reads } = differencesOf(
        Array.from({ length: size }, (_, n) => keyAt(n)),
        [],
      )
      const cache = createDifferencesCache()
      let calls = 0
      const heavy: Heavy = (work) => {
        calls++
        return unqueued(work)
      }
      const first = await cachedDifferences(cache, of, { ...known, heavy })
      expect(first.absent).to.equal(size)
      const before = reads()
      expect(await cachedDifferences(cache, of, { ...known, heavy })).to.equal(first)
      expect([calls, reads() - before]).to.deep.equal([queued, 2])
    }
  })

  it('are counted again at each read while an event is written in part', async () => {
    const absent = [keyAt(1)]
    const { of } = differencesOf(absent, [])
    const cache = createDifferencesCache()
    const inPart = { reached: async () => '4', heavy: unqueued }
    expect((await cachedDifferences(cache, of, inPart)).absent).to.equal(1)
    absent.push(keyAt(2))
    expect((await cachedDifferences(cache, of, inPart)).absent).to.equal(2)
    absent.push(keyAt(3))
    expect((await cachedDifferences(cache, of, known)).absent).to.equal(3)
  })

  it('of a page are cached if no entry is changed while they are read, until one is', async () => {
    const { of: found, reads } = differencesOf([keyAt(1)], [])
    let version = 1
    const of = { ...found, version: () => version }
    const cache = createDifferencesCache()
    const ranks = createFinalRanksCache()
    const differences = await cachedDifferences(cache, of, known)
    const page = { sortKeys: [keyAt(2), keyAt(3)], offset: 1, differences }
    const changedMeanwhile = cachedFinalRanks(ranks, of, page)
    version = 2
    expect(await changedMeanwhile).to.equal(null)
    expect(cachedFinalRanks(ranks, of, page)).to.equal(null)
    const changed = await cachedDifferences(cache, of, known)
    const now = { ...page, differences: changed }
    expect(await cachedFinalRanks(ranks, of, now)).to.deep.equal([3, 4])
    const before = reads()
    expect(cachedFinalRanks(ranks, of, { ...now, offset: 0 })).to.deep.equal([3, 4])
    expect(reads()).to.equal(before)
    // Other rows, and another state of the ranking.
    expect(await cachedFinalRanks(ranks, of, { ...now, sortKeys: [keyAt(2), keyAt(4)] })).to.deep.equal([3, 4])
    expect(reads()).to.be.greaterThan(before)
    version = 3
    const newest = { ...page, differences: await cachedDifferences(cache, of, known) }
    expect(cachedFinalRanks(ranks, of, newest)).to.be.instanceOf(Promise)
  })

  it('follow from differences that are read once for each state of a ranking that is an index of the documents', async () => {
    const absent: string[] = []
    const { of: found, reads } = differencesOf(absent, [])
    let version: number | null = 1
    const of = { ...found, version: () => version }
    const cache = createDifferencesCache()
    const read = () => cachedDifferences(cache, of, known)
    const unchanged = await read()
    expect(unchanged).to.include({ changedAt: null, absent: 0, added: 0 })
    const before = reads()
    expect(read()).to.equal(unchanged)
    expect(reads()).to.equal(before)
    // A part of an event is another state, also if nothing but the number of differences says so.
    for (const size of [1, 2]) {
      absent.push(keyAt(size))
      version = size + 1
      const changed = read()
      expect(changed).to.be.instanceOf(Promise)
      expect((await changed).absent).to.equal(size)
      expect(read()).to.equal(await changed)
    }
    // Changed while it is read: counted again.
    version = 4
    const changing = read()
    version = 5
    expect((await changing).version).to.equal(undefined)
    const again = read()
    expect(again).to.be.instanceOf(Promise)
    expect((await again).version).to.equal(5)
    // A ranking without entries names no state: the newest change tells whether the differences are the same.
    version = null
    const ofNone = await read()
    expect(ofNone.absent).to.equal(2)
    const beforeSame = reads()
    expect(await read()).to.equal(ofNone)
    expect(reads() - beforeSame).to.equal(2)
  })

  it('of adjacent rows take two reads, however many entries are hidden or deleted', async () => {
    const absent = Array.from({ length: 8_000 }, (_, n) => keyAt(2 * n))
    const { of, reads } = differencesOf(absent, [])
    const rows = Array.from({ length: 100 }, (_, at): Ranked => {
      return unsafeCast({ entry: { member: keyAt(2 * (3_000 + at) + 1) }, rank: 3_001 + at })
    })
    const found = await finalRanks(of, rows, { changedAt: '1', absent: absent.length, added: 0 })
    expect(found).to.deep.equal(rows.map((_, at) => 3_001 + at + 3_001 + at))
    expect(reads()).to.equal(2)
  })
})
