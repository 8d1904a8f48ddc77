// The projector: order, checkpoints, progress, parking, and continuing after failures.

import { expect } from 'chai'
import { PARTITIONS, partitionOf } from '../../domain/partition.ts'
import type { Projection } from '../../projections/projection.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Batch, Views } from '../../stores/contract/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryViews } from '../memory/views.ts'
import { prepareWorld } from './prepare-world.ts'
import {
  appendTexts,
  bodies,
  counts,
  heardLive,
  ranked,
  runToEnd,
  runWorld,
  saidEvent,
  texts,
  twoPartitions,
} from './run-world.ts'
import { startViews } from './start-views.ts'

/** Views whose commits go through `commit`. */
function through(views: Views, commit: (batches: readonly Batch[]) => Promise<void>): Views {
  return { ...views, commit }
}

describe('the projector', () => {
  it('applies events to every view in log order', async () => {
    const heard: string[] = []
    const listener = (name: string): Projection => ({
      ...texts,
      name,
      collections: [],
      needs: () => [],
      handle: ({ position }) => void heard.push(`${name} ${position}`),
    })
    const world = runWorld([listener('first'), listener('second')])
    await prepareWorld(world)
    for (let n = 0; n < 30; n++) await appendTexts(world.deps.log, `s-${n % 7}`, `g${n % 5}`, `${n}`)
    await runToEnd(world)
    const positions = (await world.deps.log.readAll(null, 100)).map(({ position }) => position)
    for (const name of ['first', 'second']) {
      expect(heard.filter((line) => line.startsWith(name))).to.deep.equal(positions.map((one) => `${name} ${one}`))
    }
  })

  it('writes a checkpoint in every partition with the first batch, then only in those of each event', async () => {
    const world = runWorld([texts], { log: heardLive(createMemoryLog()) })
    await prepareWorld(world)
    const [one, other] = twoPartitions()
    const reached = await appendTexts(world.deps.log, 's-0', one, 'first')
    await runToEnd(world)
    const unmoved = await world.deps.views.checkpoints('texts@1')
    expect([...unmoved.values()].map(({ position }) => position)).to.deep.equal(Array(PARTITIONS).fill(reached))
    const first = await appendTexts(world.deps.log, 's-1', one, 'a', 'b')
    const second = await appendTexts(world.deps.log, 's-2', other, 'c')
    await runToEnd(world)
    const checkpoints = await world.deps.views.checkpoints('texts@1')
    const moved = [...checkpoints].filter(([, { position }]) => position !== reached).map(([partition]) => partition)
    expect(moved.sort()).to.deep.equal([partitionOf(one), partitionOf(other)].sort())
    expect(checkpoints.get(partitionOf(one))?.position).to.equal(first)
    expect(checkpoints.get(partitionOf(other))?.position).to.equal(second)
    expect(checkpoints.get(partitionOf(other))?.eventId).to.equal((await world.deps.log.eventAt(second))?.id)
  })

  it('moves the checkpoints of idle partitions once in a while', async () => {
    const world = runWorld([{ ...texts, takes: [] }])
    await prepareWorld(world)
    for (let n = 0; n < 11; n++) {
      const many = Array.from({ length: 1_000 }, () => saidEvent('x'))
      await world.deps.log.append(`s-${n}`, 'none', many)
    }
    await runToEnd(world)
    const checkpoints = [...(await world.deps.views.checkpoints('texts@1')).values()]
    expect(checkpoints.length).to.equal(PARTITIONS)
    const least = checkpoints.map(({ position }) => position).sort()[0]
    expect(Number.parseInt(least ?? '', 16)).to.be.at.least(10_000)
  })

  it('writes rankings before documents, and wakes waiters only after both', async () => {
    const order: string[] = []
    const inner = createMemoryViews()
    const views = through(inner, async (batches) => {
      order.push('documents')
      await inner.commit(batches)
    })
    const world = runWorld([counts], { views })
    await prepareWorld(world)
    const rankings = world.deps.rankings.of('counts@1', partitionOf('g1'))
    const { put } = rankings
    Object.assign(rankings, {
      put: (changes: Parameters<typeof put>[0]) => {
        order.push('rankings')
        return put(changes)
      },
    })
    const position = await appendTexts(world.deps.log, 's-1', 'g1', 'a')
    const woken = world.deps.progress.waitFor('g1', position, 5_000).then(() => order.push('woken'))
    await runToEnd(world)
    await woken
    expect(order).to.deep.equal(['rankings', 'documents', 'woken'])
  })

  it('applies everything once after failed writes', async () => {
    const inner = createMemoryViews()
    let failures = 0
    const log = createMemoryLog()
    const views = through(inner, async (batches) => {
      if (failures++ >= 3) return inner.commit(batches)
      // The next attempt's batch also has this event.
      await appendTexts(log, 's-1', 'g1', `after failure ${failures}`)
      throw new Error('the disk is full')
    })
    const world = runWorld([texts, counts], { log, views })
    await prepareWorld(world)
    await appendTexts(log, 's-1', 'g1', 'first')
    await runToEnd(world)
    expect(world.reports.reopened.length).to.equal(3)
    const lines = ['first', 'after failure 1', 'after failure 2', 'after failure 3']
    expect(await bodies(inner, 'texts@1', 'texts')).to.deep.equal({ 's-1': { said: lines } })
    expect(await ranked(world.deps.rankings)).to.deep.equal(['000004-g1'])
  })

  it('subscribes again after the subscription broke, and applies nothing twice', async () => {
    const inner = heardLive(createMemoryLog())
    let cuts = 0
    const log: Log = {
      ...inner,
      async *subscribe(after, _limit, signal) {
        for await (const events of inner.subscribe(after, 2, signal)) {
          yield events
          if (cuts++ < 5) throw new Error('cut')
        }
      },
    }
    const world = runWorld([texts, counts], { log })
    const lines = Array.from({ length: 20 }, (_, n) => `line ${n}`)
    await appendTexts(log, 's-1', 'g1', ...lines.slice(0, 1))
    await startViews(world)
    await appendTexts(log, 's-1', 'g1', ...lines.slice(1))
    await runToEnd(world)
    expect(world.reports.reopened.length).to.equal(5)
    expect(await bodies(world.deps.views, 'texts@1', 'texts')).to.deep.equal({ 's-1': { said: lines } })
    expect(await ranked(world.deps.rankings)).to.deep.equal(['000020-g1'])
  })

  it('never moves a checkpoint back when it reads events again', async () => {
    const inner = createMemoryViews()
    const [one, other] = twoPartitions()
    const written: string[] = []
    const views = through(inner, async (batches) => {
      for (const { checkpoints } of batches) {
        const checkpoint = checkpoints.get(partitionOf(one))
        if (checkpoint !== undefined) written.push(checkpoint.position)
      }
      await inner.commit(batches)
    })
    const whole = createMemoryLog()
    const log: Log = { ...whole, subscribe: (after, _limit, signal) => whole.subscribe(after, 1, signal) }
    const world = runWorld([texts], { log, views })
    await prepareWorld(world)
    await appendTexts(log, 's-1', one, 'a', 'b')
    await runToEnd(world)
    await appendTexts(log, 's-2', other, 'c')
    await runToEnd(runWorld([texts], { log, views }))
    expect(written.length).to.be.greaterThan(0)
    expect(written).to.deep.equal(written.toSorted())
    expect(await bodies(inner, 'texts@1', 'texts')).to.deep.equal({
      's-1': { said: ['a', 'b'] },
      's-2': { said: ['c'] },
    })
  })

  it('gives each view only events after its own checkpoint', async () => {
    const log = createMemoryLog()
    const views = createMemoryViews()
    const early = runWorld([texts], { log, views })
    await prepareWorld(early)
    await appendTexts(log, 's-1', 'g1', 'a', 'b', 'c')
    await runToEnd(early)
    const heard: string[] = []
    const watched = (projection: Projection): Projection => ({
      ...projection,
      handle(event, docs, stream) {
        heard.push(`${projection.name} ${event.revision}`)
        projection.handle(event, docs, stream)
      },
    })
    const both = runWorld([watched(texts), watched(counts)], { log, views })
    await prepareWorld(both)
    await appendTexts(log, 's-1', 'g1', 'd')
    await runToEnd(both)
    expect(heard.filter((line) => line.startsWith('texts'))).to.deep.equal(['texts 3'])
    expect(heard.filter((line) => line.startsWith('counts'))).to.deep.equal([0, 1, 2, 3].map((n) => `counts ${n}`))
  })
})
