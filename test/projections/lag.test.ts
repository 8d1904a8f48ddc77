// The lag of the views behind the log: also reported while the projector is stuck, and while the log does not answer.

import { expect } from 'chai'
import { Registry } from 'prom-client'
import { partitionOf } from '../../domain/partition.ts'
import { createLag } from '../../projections/lag.ts'
import { Progress } from '../../projections/progress.ts'
import { run } from '../../projections/run.ts'
import { watchLag } from '../../server/metrics/node-metrics.ts'
import { createMemoryLog } from '../memory/log.ts'
import { prepareWorld } from './prepare-world.ts'
import { appendTexts, runWorld, texts, twoPartitions } from './run-world.ts'

const SAID_MS = Date.parse('2026-01-01T00:00:00.000Z')

describe('the lag of the views', () => {
  const [one, other] = twoPartitions()
  const LATER_MS = SAID_MS + 7_000

  /** A node that owns the partitions of these games, with an empty log. */
  function node(...games: readonly string[]) {
    const log = createMemoryLog()
    const progress = new Progress()
    const owned = new Set(games.map(partitionOf))
    const lag = createLag(log, { now: () => ({ partitions: owned, changed: new AbortController().signal }) }, progress)
    return { log, progress, owned, lag }
  }

  it('equals the age of the oldest event not applied, and 0 if all are applied', async () => {
    const { log, progress, lag } = node(one, other)
    expect(await lag.ms(LATER_MS)).to.equal(0)
    await appendTexts(log, 's-1', one, 'a')
    const last = await appendTexts(log, 's-2', other, 'b')
    expect(await lag.ms(LATER_MS)).to.equal(7_000)
    for (const game of [one, other]) progress.advance(partitionOf(game), last)
    lag.read(last)
    expect(await lag.ms(LATER_MS)).to.equal(0)
    await appendTexts(log, 's-1', one, 'c')
    expect(await lag.ms(LATER_MS)).to.equal(7_000)
    expect(await lag.ms(SAID_MS - 1)).to.equal(0)
  })

  it('counts only partitions that this node owns, whatever other nodes have applied', async () => {
    const { log, progress, owned, lag } = node(one)
    await appendTexts(log, 's-1', one, 'a')
    const theirs = await appendTexts(log, 's-2', other, 'b')
    progress.advance(partitionOf(other), theirs)
    expect(await lag.ms(LATER_MS)).to.equal(7_000)
    progress.advance(partitionOf(one), theirs)
    lag.read(theirs)
    await appendTexts(log, 's-2', other, 'c')
    expect(await lag.ms(LATER_MS)).to.equal(0)
    owned.clear()
    await appendTexts(log, 's-1', one, 'd')
    expect(await lag.ms(LATER_MS)).to.equal(0)
  })

  it('counts partitions that the node receives although it has read past their events', async () => {
    const { log, progress, owned, lag } = node(one)
    const first = await appendTexts(log, 's-1', one, 'a')
    const due = await appendTexts(log, 's-2', other, 'b')
    const last = await appendTexts(log, 's-1', one, 'c')
    progress.advance(partitionOf(one), last)
    lag.read(last)
    expect(await lag.ms(LATER_MS)).to.equal(0)
    owned.add(partitionOf(other))
    lag.startFrom(first)
    expect(await lag.ms(LATER_MS)).to.equal(7_000)
    progress.advance(partitionOf(other), due)
    expect(await lag.ms(LATER_MS)).to.equal(0)
  })

  it('starts from the position that the projector reports whenever its partitions change', async () => {
    const startPositions: (string | null)[] = []
    const world = runWorld([texts])
    await prepareWorld(world)
    const { log, progress } = world.deps
    const first = await appendTexts(log, 's-1', one, 'a')
    const deps = { ...world.deps, readsFrom: (from: string | null) => void startPositions.push(from) }
    const stopping = new AbortController()
    const changing = new AbortController()
    let owned = { partitions: new Set([partitionOf(one)]), changed: changing.signal }
    const running = run(deps, world.appliers, { now: () => owned }, stopping.signal)
    await progress.waitFor(one, first, 10_000)
    owned = { partitions: new Set([partitionOf(one), partitionOf(other)]), changed: new AbortController().signal }
    const next = await appendTexts(log, 's-2', other, 'b')
    changing.abort()
    await progress.waitFor(other, next, 10_000)
    stopping.abort()
    await running
    // Nothing was applied before in the partition that the node receives.
    expect(startPositions).to.deep.equal([null, first, null, next])
  })

  it('is computed when metrics are read, and grows while the log does not answer', async () => {
    const registry = new Registry()
    let lag: () => Promise<number> = async () => 12_500
    watchLag(registry, () => lag())
    const lagMetric = async () =>
      Number(/^scorebook_projection_lag_seconds (\S+)$/m.exec(await registry.metrics())?.[1])
    expect(await lagMetric()).to.equal(12.5)
    lag = () => Promise.reject(new Error('unavailable'))
    const whileUnavailable = await lagMetric()
    expect(whileUnavailable).to.be.greaterThan(12.5)
    lag = () => new Promise(() => {})
    expect(await lagMetric()).to.be.at.least(whileUnavailable + 0.9)
    lag = async () => 0
    expect(await lagMetric()).to.equal(0)
  })
})
