// When a season is closed: once the clock of the node and the one that all nodes share have passed its end, each season
// once, in order, and only on the node that owns the partition. No leaderboard waits for others that are left out, that
// fail, or that have many seasons to close.

import { expect } from 'chai'
import { createHandler } from '../../commands/handle.ts'
import { workingKeys } from '../../credentials/master.ts'
import { boardStream, createLeaderboard, leaderboard } from '../../domain/leaderboard.ts'
import { ALL_PARTITIONS, partitionOf } from '../../domain/partition.ts'
import { Folds } from '../../projections/folds.ts'
import { leaderboards } from '../../projections/leaderboards.ts'
import { CLOSED_PER_RUN, closeSeasons } from '../../reactions/close-seasons.ts'
import { ownContext } from '../../reactions/reaction.ts'
import { queryDeps } from '../../server/compose.ts'
import { reactionsOf } from '../../server/node/reactions.ts'
import { createMemoryFiles } from '../memory/files.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { prepareWorld } from '../projections/prepare-world.ts'
import { runToEnd, runWorld } from '../projections/run-world.ts'
import { rulesOf } from '../rules.ts'

const BOARD = 'b1'
const GAME = 'agame'
/** A game in another partition. */
const OTHER_GAME = 'bgame'
const DELETED_GAME = 'cgame'
const HOUR_MS = 3_600_000
const STARTS_MS = Date.UTC(2026, 0, 1, 0, 30)
const FIRST_END_MS = STARTS_MS + HOUR_MS / 2
const SIGNAL = new AbortController().signal
const EVERY = new Set(ALL_PARTITIONS)

async function world(
  overrides: Partial<Parameters<typeof closeSeasons>[0]> & { readonly fails?: (board: string) => boolean } = {},
) {
  const log = createMemoryLog()
  const run = runWorld([leaderboards], { log })
  await prepareWorld(run)
  const handler = createHandler(log)
  const keys = workingKeys(new Uint8Array(32).fill(7))
  const { fails, ...given } = overrides
  const handle: typeof handler.handle = async (aggregate, about, ...rest) => {
    if (fails?.(about.board ?? '') === true) throw new Error('the log is broken')
    return handler.handle(aggregate, about, ...rest)
  }
  const files = createMemoryFiles(() => STARTS_MS)
  const vault = createMemoryVault()
  const commands = { handler: { ...handler, handle }, log, vault, keys, publish: async () => {}, files }
  const { views, rankings, progress } = run.deps
  const queries = queryDeps({ stores: { views, rankings, history: log } })
  const current = () => runToEnd(run)
  const create = async (board: string, game = GAME) => {
    const seasons = { schedule: { cron: '0 * * * *', timeZone: 'UTC' }, fromMs: STARTS_MS }
    const about = { stream: boardStream(board), game, board }
    const created = createLeaderboard({ name: 'B', description: '', rules: rulesOf(true), seasons })
    await handler.handle(leaderboard, about, ownContext(STARTS_MS), created)
  }
  /** The seasons that are closed, in the order of the log. */
  const allClosed = async () => {
    const events = await log.readAll(null, 100_000)
    return events.filter(({ type }) => type === 'SeasonClosed').map(({ meta, data }) => [meta.board, data.season])
  }
  const closed = async (board = BOARD) => (await allClosed()).filter(([of]) => of === board).map(([, season]) => season)
  const timed = closeSeasons({ commands, queries, ...given })
  await create(BOARD)
  await current()
  return {
    timed,
    create,
    closed,
    allClosed,
    current,
    log,
    commands,
    queries,
    progress,
    views,
    folds: new Folds(run.deps),
  }
}

const namesOf = (count: number) => Array.from({ length: count }, (_, n) => `a${String(n).padStart(4, '0')}`)

describe('the reaction that closes seasons', () => {
  it('closes a season at its end, not a millisecond before, and once', async () => {
    const { timed, closed, current } = await world()
    await timed.run(EVERY, FIRST_END_MS - 1, SIGNAL)
    expect(await closed()).to.deep.equal([])
    await timed.run(EVERY, FIRST_END_MS, SIGNAL)
    expect(await closed()).to.deep.equal([1])
    // The views do not show the closing yet, and then they do.
    await timed.run(EVERY, FIRST_END_MS, SIGNAL)
    await current()
    await timed.run(EVERY, FIRST_END_MS, SIGNAL)
    expect(await closed()).to.deep.equal([1])
  })

  it('closes several seasons that ended in their order', async () => {
    const { timed, closed } = await world()
    await timed.run(EVERY, FIRST_END_MS + 2 * HOUR_MS, SIGNAL)
    expect(await closed()).to.deep.equal([1, 2, 3])
  })

  it('leaves a season open until the clock that all nodes share has passed its end too', async () => {
    let sharedMs = FIRST_END_MS - 1
    const { timed, closed } = await world({ sharedNow: async () => sharedMs })
    await timed.run(EVERY, FIRST_END_MS + HOUR_MS, SIGNAL)
    expect(await closed()).to.deep.equal([])
    sharedMs = FIRST_END_MS
    await timed.run(EVERY, FIRST_END_MS + HOUR_MS, SIGNAL)
    expect(await closed()).to.deep.equal([1])
  })

  it('closes no season of a partition that the node does not own', async () => {
    const { timed, closed } = await world()
    await timed.run(new Set(), FIRST_END_MS, SIGNAL)
    expect(await closed()).to.deep.equal([])
  })

  it('asks the clock of the shared store in the reaction that a node runs', async () => {
    const { closed, ...parts } = await world()
    const { timed } = reactionsOf({
      ...parts,
      ...{ logErasure: null, documentErasure: null, deletion: null, signal: SIGNAL, filesMissing: () => {} },
      now: () => FIRST_END_MS,
      sharedNow: async () => FIRST_END_MS - 1,
    })
    const reaction = timed.find(({ name }) => name === 'close_seasons')
    await reaction?.run(EVERY, FIRST_END_MS, SIGNAL)
    expect([reaction?.name, await closed()]).to.deep.equal(['close_seasons', []])
  })

  it('closes a season behind a thousand due leaderboards of a deleted game and of other nodes', async () => {
    const { timed, create, closed, allClosed, current } = await world({ isDeleted: (game) => game === DELETED_GAME })
    for (const [n, board] of namesOf(1_000).entries()) await create(board, n % 2 === 0 ? DELETED_GAME : OTHER_GAME)
    await current()
    await timed.run(new Set([partitionOf(GAME), partitionOf(DELETED_GAME)]), FIRST_END_MS, SIGNAL)
    expect([await closed(), (await allClosed()).length]).to.deep.equal([[1], 1])
  })

  it('closes a season although leaderboards before it fail, and reports a failure of the run', async () => {
    const { timed, create, closed, current } = await world({ fails: (board) => board !== BOARD })
    for (const board of namesOf(200)) await create(board)
    await current()
    const failure = await timed.run(EVERY, FIRST_END_MS + HOUR_MS, SIGNAL).catch((error: unknown) => error)
    expect(String(failure)).to.equal('Error: the log is broken')
    expect(await closed()).to.deep.equal([1, 2])
  })

  it('closes one season of each leaderboard before the second season of any', async () => {
    const { timed, create, allClosed, current } = await world()
    for (const board of namesOf(250)) await create(board)
    await current()
    await timed.run(EVERY, FIRST_END_MS + HOUR_MS, SIGNAL)
    const order = (await allClosed()).map(([, season]) => season)
    expect(order).to.deep.equal([...new Array(251).fill(1), ...new Array(251).fill(2)])
  })

  it('closes one season of each leaderboard before the second of any while the views apply each closing at once', async () => {
    const { timed, create, allClosed, current, views } = await world()
    for (const board of namesOf(150)) await create(board)
    await current()
    const { find } = views
    Object.assign(views, {
      find: async (...args: Parameters<typeof find>) => {
        await current()
        return find(...args)
      },
    })
    await timed.run(EVERY, FIRST_END_MS + 2 * HOUR_MS, SIGNAL)
    const order = (await allClosed()).map(([, season]) => season)
    expect(order).to.deep.equal([1, 2, 3].flatMap((season) => new Array(151).fill(season)))
  })

  it('closes at most CLOSED_PER_RUN seasons in a run, and the others in the next one', async () => {
    const { timed, closed } = await world()
    const seasons = Array.from({ length: CLOSED_PER_RUN + 100 }, (_, n) => n + 1)
    const nowMs = FIRST_END_MS + (seasons.length - 1) * HOUR_MS
    await timed.run(EVERY, nowMs, SIGNAL)
    expect(await closed()).to.deep.equal(seasons.slice(0, CLOSED_PER_RUN))
    await timed.run(EVERY, nowMs, SIGNAL)
    expect(await closed()).to.deep.equal(seasons)
  })

  it('closes no season on a node that stops', async () => {
    const { timed, closed } = await world()
    await timed.run(EVERY, FIRST_END_MS, AbortSignal.abort())
    expect(await closed()).to.deep.equal([])
  })
})
