// The ranking of a closed season as it was at its closing: a page that is read while a player is banned and unbanned
// again, and the ranks at closing between very many entries that are hidden or deleted.

import { expect } from 'chai'
import { unsafeCast } from '../../domain/event.ts'
import { scoreStream } from '../../domain/score.ts'
import { entries } from '../../projections/entries.ts'
import { leaderboards } from '../../projections/leaderboards.ts'
import { viewKey } from '../../projections/projection.ts'
import { finalRanks, READ_AT_ONCE } from '../../queries/closed-season.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import { findBoard } from '../../queries/leaderboard.ts'
import type { Ranked } from '../../queries/scores/entry.ts'
import { createListScores, UNFILTERED } from '../../queries/scores/list.ts'
import type { ScoresPage, ScoresQuery } from '../../queries/scores/query.ts'
import { findSeason } from '../../queries/seasons.ts'
import { unqueued } from '../../queries/work-queue.ts'
import { absentFrom, addedTo } from '../../ranking/key.ts'
import type { AllRankings, Rankings } from '../../stores/contract/rankings.ts'
import type { Find, Views } from '../../stores/contract/views.ts'
import { appended, someEvent } from '../contracts/events.ts'
import { historyOf } from '../memory/history.ts'
import { prepareWorld } from '../projections/prepare-world.ts'
import { runToEnd, runWorld } from '../projections/run-world.ts'
import { Random } from '../random.ts'
import { rulesOf } from '../rules.ts'
import { SEED } from '../seeds.ts'

const [BOARD, GAME] = ['b1', 'g1']
const VIEWS = [entries, leaderboards]
const DAY = '2026-01-01T00:00:00.000Z'

/** A leaderboard with one closed season, in which the first player is best, and so on. */
async function closedSeason(players: readonly string[]) {
  const run = runWorld(VIEWS)
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
  await ofBoard('LeaderboardCreated', { name: 'B', description: '', rules: rulesOf(true) })
  await ofBoard('SeasonScheduleSet', { schedule: { cron: 'daily', timeZone: 'UTC' } })
  await ofBoard('SeasonOpened', { season: 1, starts: DAY, ends: '2026-01-02T00:00:00.000Z' })
  for (const [nth, player] of players.entries()) {
    await ofPlayer(player, 'PlayerCreated', { name: player, externalId: null, guest: true })
    const data = { id: `s${nth}`, score: String(1_000 - nth), secondary: null, extra: null, playerName: null }
    await record(scoreStream(BOARD, player), 'ScoreSubmitted', data, { board: BOARD, player })
  }
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

type World = Awaited<ReturnType<typeof closedSeason>>

/** The rows of season 1. `meanwhile`: called once, before the first read of them and after it. */
async function pageOf(
  { run }: World,
  meanwhile: Partial<Record<'before' | 'after', () => Promise<void>>> = {},
  asked: Partial<ScoresQuery> = {},
) {
  const { views, rankings, log } = run.deps
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
  const key = (name: string) => viewKey(VIEWS.find((view) => view.name === name) ?? entries)
  const deps: QueryDeps = {
    history: historyOf(log),
    views: { ...views, find },
    rankings: { ...rankings, of },
    viewKey: key,
  }
  const board = await findBoard(deps, BOARD)
  if (board === null) throw new Error('there is no leaderboard')
  const season = await findSeason(deps, board, 1, Date.parse(DAY))
  const query = { ...UNFILTERED, order: 'best', limit: 20, offset: 0, ...asked } as const
  const { rows, finalRanks } = (await createListScores(deps)(season, query, unqueued)) as ScoresPage
  return rows.map(({ entry: { player }, rank }, nth) => [player, rank, finalRanks?.[nth]])
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
  const keyAt = (n: number): string => String(n).padStart(6, '0')

  /** Differences with these sort keys, and how many reads they take. */
  function differencesOf(absent: readonly string[], added: readonly string[]) {
    let reads = 0
    const matching = ({ equal, from, until, among }: Omit<Find, 'limit'>) => {
      reads++
      const all = equal[1] === absentFrom(KEY) ? absent : equal[1] === addedTo(KEY) ? added : []
      return all.filter(
        (one) => one >= (from ?? '') && one < (until ?? '~') && (among === undefined || among.includes(one)),
      )
    }
    const views = {
      count: async (asked: Find) => matching(asked).length,
      find: async (asked: Find) =>
        matching(asked)
          .slice(0, asked.limit)
          .map((differsKey) => ({ body: { differsKey } })),
    }
    const deps = unsafeCast<QueryDeps>({ views, viewKey: () => 'entries' })
    return { of: { deps, board: BOARD, season: 1, key: KEY }, reads: () => reads }
  }

  for (const [what, size] of [
    ['few', 60],
    ['very many', 4 * READ_AT_ONCE],
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
        const found = await finalRanks(of, rows, { changedAt: '1', absent: absent.length, added: added.length })
        expect(found).to.deep.equal(rows.map(({ entry }) => due.get(entry.member)))
      }
    })
  }

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
