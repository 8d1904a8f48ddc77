// Following partitions that other processes own, waiting until the views are built, and dropping unused views.

import { expect } from 'chai'
import { ALL_PARTITIONS, partitionOf } from '../../domain/partition.ts'
import { followOthers } from '../../projections/follow.ts'
import { createDropUnused } from '../../projections/old-views.ts'
import { Progress } from '../../projections/progress.ts'
import { run } from '../../projections/run.ts'
import { untilBuilt } from '../../projections/start.ts'
import type { PartitionOwnership } from '../../stores/contract/leases.ts'
import type { Views } from '../../stores/contract/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'
import { gate, turn, until } from '../until.ts'
import { prepareWorld } from './prepare-world.ts'
import { appendTexts, bodies, counts, runWorld, texts, twoPartitions } from './run-world.ts'

const owning = (...partitions: readonly number[]): PartitionOwnership => ({
  now: () => ({ partitions: new Set(partitions), changed: new AbortController().signal }),
})

const KEYS = ['texts@1', 'counts@1']

function reach(views: Views, view: string, partition: number, position: string): Promise<void> {
  return views.commit([{ view, writes: [], checkpoints: new Map([[partition, { position, eventId: 'e' }]]) }])
}

describe('following the partitions of another process', () => {
  const stopping = new AbortController()
  after(() => stopping.abort())

  it('advances to the position that all views have reached, and polls only while someone waits', async () => {
    const inner = createMemoryViews()
    let polls = 0
    const checkpoints = (view: string) => {
      polls++
      return inner.checkpoints(view)
    }
    const views = { ...inner, checkpoints }
    const world = runWorld([texts, counts], { views })
    await prepareWorld(world)
    const { progress } = world.deps
    const pollFailed = (error: unknown) => world.reports.reopened.push(error)
    const following = followOthers({ views, progress, pollFailed }, KEYS, owning(), stopping.signal)
    const partition = partitionOf('g1')
    await reach(inner, 'texts@1', partition, '0000000000000007')
    await turn()
    expect(polls).to.equal(0)
    const isReached = progress.waitFor('g1', '0000000000000007', 10_000)
    expect(await progress.waitFor('g1', '0000000000000007', 50)).to.equal(false)
    await reach(inner, 'counts@1', partition, '0000000000000009')
    expect(await isReached).to.equal(true)
    expect(progress.current('g1')).to.equal('0000000000000007')
    stopping.abort()
    await following
  })

  it('polls less often while nothing changes, and often again after a change', async () => {
    const views = createMemoryViews()
    for (const key of KEYS) await views.prepare({ key, collections: [] })
    let polls = 0
    const checkpoints = (view: string) => {
      polls++
      return views.checkpoints(view)
    }
    const progress = new Progress()
    const stopping = new AbortController()
    const deps = { views: { ...views, checkpoints }, progress, pollFailed: expect.fail }
    const following = followOthers(deps, KEYS, owning(), stopping.signal)
    expect(await progress.waitFor('g1', 'ffffffffffffffff', 1_500)).to.equal(false)
    expect(polls).to.be.within(KEYS.length + 2, 40)
    const far = progress.waitFor('g1', 'ffffffffffffffff', 60_000)
    const near = progress.waitFor('g1', '0000000000000007', 10_000)
    for (const key of KEYS) await reach(views, key, partitionOf('g1'), '0000000000000007')
    expect(await near).to.equal(true)
    for (const key of KEYS) await reach(views, key, partitionOf('g1'), 'ffffffffffffffff')
    expect(await far).to.equal(true)
    stopping.abort()
    await following
  })

  it('reads only the view that is furthest behind until that one has advanced', async () => {
    const inner = createMemoryViews()
    for (const key of KEYS) await inner.prepare({ key, collections: [] })
    const partition = partitionOf('g1')
    const reads: string[] = []
    const checkpoints: Views['checkpoints'] = (view, partitions) => {
      reads.push(view)
      return inner.checkpoints(view, partitions)
    }
    const progress = new Progress()
    const stopping = new AbortController()
    const deps = { views: { ...inner, checkpoints }, progress, pollFailed: expect.fail }
    await reach(inner, 'texts@1', partition, '0000000000000005')
    await reach(inner, 'counts@1', partition, '0000000000000003')
    const following = followOthers(deps, KEYS, owning(), stopping.signal)
    expect(await progress.waitFor('g1', '0000000000000003', 10_000)).to.equal(true)
    reads.length = 0
    const next = progress.waitFor('g1', '0000000000000006', 10_000)
    await reach(inner, 'texts@1', partition, '0000000000000007')
    await until(() => reads.length >= 3)
    expect(new Set(reads)).to.deep.equal(new Set(['counts@1']))
    await reach(inner, 'counts@1', partition, '0000000000000006')
    expect(await next).to.equal(true)
    expect([reads.at(-3), ...reads.slice(-2).sort()]).to.deep.equal(['counts@1', 'counts@1', 'texts@1'])
    stopping.abort()
    await following
  })
})

describe('a node that owns some partitions', () => {
  it('applies the events of its partitions and writes nothing in the others', async () => {
    const [one, other] = twoPartitions()
    const log = createMemoryLog()
    const views = createMemoryViews()
    const first = runWorld([texts], { log, views })
    const second = runWorld([texts], { log, views })
    await prepareWorld(first)
    await appendTexts(log, 's-1', one, 'a')
    await appendTexts(log, 's-2', other, 'b')
    const stopping = new AbortController()
    const begin = (world: typeof first, ownership: PartitionOwnership) =>
      run(world.deps, world.appliers, ownership, stopping.signal)
    const running = [begin(first, owning(partitionOf(one)))]
    await appendTexts(log, 's-1', one, 'c')
    const last = await appendTexts(log, 's-2', other, 'd')
    await first.deps.progress.waitFor(one, '0000000000000003', 10_000)
    expect(await bodies(views, 'texts@1', 'texts')).to.deep.equal({ 's-1': { said: ['a', 'c'] } })
    expect([...(await views.checkpoints('texts@1')).keys()]).to.deep.equal([partitionOf(one)])
    running.push(begin(second, owning(partitionOf(other))))
    await second.deps.progress.waitFor(other, last, 10_000)
    const due = { 's-1': { said: ['a', 'c'] }, 's-2': { said: ['b', 'd'] } }
    expect(await bodies(views, 'texts@1', 'texts')).to.deep.equal(due)
    stopping.abort()
    await Promise.all(running)
    expect([...first.reports.reopened, ...second.reports.reopened]).to.deep.equal([])
  })

  it('continues where another node stopped in partitions that it receives while it runs', async () => {
    const [one, other] = twoPartitions()
    const world = runWorld([texts])
    await prepareWorld(world)
    await appendTexts(world.deps.log, 's-1', one, 'a')
    const last = await appendTexts(world.deps.log, 's-2', other, 'b')
    const stopping = new AbortController()
    const changing = new AbortController()
    let ownership = { partitions: new Set([partitionOf(one)]), changed: changing.signal }
    const running = run(world.deps, world.appliers, { now: () => ownership }, stopping.signal)
    await world.deps.progress.waitFor(one, '0000000000000001', 10_000)
    ownership = { partitions: new Set([partitionOf(other)]), changed: new AbortController().signal }
    changing.abort()
    expect(await world.deps.progress.waitFor(other, last, 10_000)).to.equal(true)
    await appendTexts(world.deps.log, 's-1', one, 'not ours')
    await appendTexts(world.deps.log, 's-2', other, 'ours')
    await world.deps.progress.waitFor(other, '0000000000000004', 10_000)
    const due = { 's-1': { said: ['a'] }, 's-2': { said: ['b', 'ours'] } }
    expect(await bodies(world.deps.views, 'texts@1', 'texts')).to.deep.equal(due)
    stopping.abort()
    await running
  })
})

describe('waiting until the views are built', () => {
  it('returns at once on an empty log', async () => {
    await untilBuilt(createMemoryLog(), new Progress(), new AbortController().signal)
  })

  it('returns on a node that owns no partition, beside a node that began on an empty log', async () => {
    const stopping = new AbortController()
    const inner = createMemoryLog()
    const { opened: hasBegun, open: markStarted } = gate()
    const subscribe: typeof inner.subscribe = (...args) => {
      markStarted()
      return inner.subscribe(...args)
    }
    const world = runWorld([texts, counts], { log: { ...inner, subscribe } })
    await prepareWorld(world)
    const { views } = world.deps
    const running = run(world.deps, world.appliers, owning(...ALL_PARTITIONS), stopping.signal)
    await hasBegun
    await appendTexts(inner, 's-1', 'g1', 'a')
    const progress = new Progress()
    const pollFailed = (error: unknown) => world.reports.reopened.push(error)
    const following = followOthers({ views, progress, pollFailed }, KEYS, owning(), stopping.signal)
    const giveUp = AbortSignal.timeout(10_000)
    await untilBuilt(inner, progress, giveUp)
    expect(giveUp.aborted).to.equal(false)
    stopping.abort()
    await Promise.all([running, following])
    expect(world.reports.reopened).to.deep.equal([])
  })

  it('returns when every earlier event is applied, even if its partition has been idle since', async () => {
    const [one, other] = twoPartitions()
    const log = createMemoryLog()
    const progress = new Progress()
    const first = await appendTexts(log, 's-1', one, 'a')
    for (const partition of ALL_PARTITIONS) progress.advance(partition, first)
    const second = await appendTexts(log, 's-2', other, 'b')
    const order: string[] = []
    const built = untilBuilt(log, progress, new AbortController().signal).then(() => order.push('built'))
    await appendTexts(log, 's-1', one, 'later')
    await turn()
    order.push('applied')
    progress.advance(partitionOf(other), second)
    await built
    expect(order).to.deep.equal(['applied', 'built'])
  })

  it('returns when the signal aborts', async () => {
    const log = createMemoryLog()
    await appendTexts(log, 's-1', 'g1', 'a')
    const failing = new AbortController()
    const built = untilBuilt(log, new Progress(), failing.signal)
    failing.abort()
    await built
  })
})

describe('dropping old versions of views', () => {
  it('drops a version after no node has used it for the grace period', async () => {
    const views = createMemoryViews()
    for (const version of [1, 2, 3]) await prepareWorld(runWorld([{ ...texts, version }], { views }))
    await views.prepare({ key: 'process_x@1', collections: [] })
    let elapsedMs = 0
    const dropped: string[] = []
    const deps = {
      views,
      rankings: createRankings(),
      elapsedMs: () => elapsedMs,
      dropped: (view: string) => void dropped.push(view),
    }
    const dropUnused = createDropUnused(deps, [{ ...texts, version: 3 }], 100)
    await dropUnused(['texts@2', 'texts@3'])
    elapsedMs = 99
    await dropUnused(['texts@3'])
    expect(dropped).to.deep.equal([])
    elapsedMs = 100
    await dropUnused(['texts@3'])
    expect(dropped).to.deep.equal(['texts@1'])
    await dropUnused(['texts@2', 'texts@3'])
    elapsedMs = 250
    await dropUnused(['texts@3'])
    expect(await views.list()).to.have.members(['texts@2', 'texts@3', 'process_x@1'])
    elapsedMs = 350
    await dropUnused(['texts@3'])
    expect(await views.list()).to.have.members(['texts@3', 'process_x@1'])
  })

  it('drops old versions at once without a grace period', async () => {
    const views = createMemoryViews()
    for (const version of [1, 2]) await prepareWorld(runWorld([{ ...texts, version }], { views }))
    const deps = { views, rankings: createRankings(), elapsedMs: () => 0, dropped: () => {} }
    await createDropUnused(deps, [{ ...texts, version: 2 }], 0)(['texts@2'])
    expect(await views.list()).to.deep.equal(['texts@2'])
  })
})
