// When a season is closed: once the clock of the node and the one that all nodes share have passed its end, each season
// once, in order, and only on the node that owns the partition.

import { expect } from 'chai'
import { createHandler } from '../../commands/handle.ts'
import { workingKeys } from '../../credentials/master.ts'
import { boardStream, createLeaderboard, leaderboard } from '../../domain/leaderboard.ts'
import { ALL_PARTITIONS } from '../../domain/partition.ts'
import { leaderboards } from '../../projections/leaderboards.ts'
import { closeSeasons } from '../../reactions/close-seasons.ts'
import { ownContext } from '../../reactions/reaction.ts'
import { queryDeps } from '../../server/compose.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { prepareWorld } from '../projections/prepare-world.ts'
import { runToEnd, runWorld } from '../projections/run-world.ts'
import { rulesOf } from '../rules.ts'

const BOARD = 'b1'
const GAME = 'agame'
const HOUR_MS = 3_600_000
const STARTS_MS = Date.UTC(2026, 0, 1, 0, 30)
const FIRST_END_MS = STARTS_MS + HOUR_MS / 2
const SIGNAL = new AbortController().signal
const EVERY = new Set(ALL_PARTITIONS)

async function world(sharedNow?: () => Promise<number>) {
  const log = createMemoryLog()
  const run = runWorld([leaderboards], { log })
  await prepareWorld(run)
  const handler = createHandler(log)
  const keys = workingKeys(new Uint8Array(32).fill(7))
  const commands = { handler, log, vault: createMemoryVault(), keys, publish: async () => {} }
  const { views, rankings } = run.deps
  const queries = queryDeps({ stores: { views, rankings, history: log } })
  const seasons = { schedule: { cron: '0 * * * *', timeZone: 'UTC' }, fromMs: STARTS_MS }
  const about = { stream: boardStream(BOARD), game: GAME, board: BOARD }
  const created = createLeaderboard({ name: 'B', description: '', rules: rulesOf(true), seasons })
  await handler.handle(leaderboard, about, ownContext(STARTS_MS), created)
  await runToEnd(run)
  const timed = closeSeasons({ commands, queries, ...(sharedNow && { sharedNow }) })
  const closed = async () => {
    const events = await log.readStream(boardStream(BOARD), 0, 100)
    return events.filter(({ type }) => type === 'SeasonClosed').map(({ data }) => data.season)
  }
  return { timed, closed, current: () => runToEnd(run) }
}

describe('a season', () => {
  it('is closed at its end, not a millisecond before, and once', async () => {
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

  it('is closed after those before it, if several ended meanwhile', async () => {
    const { timed, closed } = await world()
    await timed.run(EVERY, FIRST_END_MS + 2 * HOUR_MS, SIGNAL)
    expect(await closed()).to.deep.equal([1, 2, 3])
  })

  it('stays open until the clock that all nodes share has passed its end too', async () => {
    let sharedMs = FIRST_END_MS - 1
    const { timed, closed } = await world(async () => sharedMs)
    await timed.run(EVERY, FIRST_END_MS + HOUR_MS, SIGNAL)
    expect(await closed()).to.deep.equal([])
    sharedMs = FIRST_END_MS
    await timed.run(EVERY, FIRST_END_MS + HOUR_MS, SIGNAL)
    expect(await closed()).to.deep.equal([1])
  })

  it('is closed by the node that owns the partition', async () => {
    const { timed, closed } = await world()
    await timed.run(new Set(), FIRST_END_MS, SIGNAL)
    expect(await closed()).to.deep.equal([])
  })
})
