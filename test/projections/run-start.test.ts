// The start and the end of a projection run: what it waits for, and what is not written because another process may
// have taken over.

import { expect } from 'chai'
import { ALL_PARTITIONS } from '../../domain/partition.ts'
import type { Projection } from '../../projections/projection.ts'
import { run } from '../../projections/run.ts'
import { LogAnchorMismatch } from '../../projections/start.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Batch } from '../../stores/contract/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryViews } from '../memory/views.ts'
import { prepareWorld } from './prepare-world.ts'
import { appendTexts, bodies, caughtUp, counts, type RunWorld, ranked, runToEnd, runWorld, texts } from './run-world.ts'
import { startViews } from './start-views.ts'

const quiet = () => {}

async function everything({ deps }: RunWorld) {
  return {
    texts: await deps.views.scan('texts@1', 'texts', null, 1_000),
    parked: await deps.views.scan('texts@1', 'parked', null, 1_000),
    counts: await deps.views.scan('counts@1', 'counts', null, 1_000),
    ranking: await ranked(deps.rankings),
  }
}

/** The contents of views that are rebuilt from the log. */
async function rebuilt(log: Log) {
  const world = runWorld([texts, counts], { log })
  await startViews(world)
  return everything(world)
}

describe('an event that cannot be applied', () => {
  it('parks its own stream visibly, and all others continue', async () => {
    const world = runWorld([texts, counts])
    const { log, views } = world.deps
    await prepareWorld(world)
    await appendTexts(log, 's-1', 'g1', 'a')
    const parkedAt = await appendTexts(log, 's-2', 'g1', 'boom')
    await appendTexts(log, 's-2', 'g1', 'never applied')
    await appendTexts(log, 's-1', 'g1', 'b')
    await runToEnd(world)
    expect(await bodies(views, 'texts@1', 'texts')).to.deep.equal({ 's-1': { said: ['a', 'b'] } })
    const reason = { position: parkedAt, revision: 0, type: 'Said', reason: 'it does not apply' }
    expect(await bodies(views, 'texts@1', 'parked')).to.deep.equal({ 's-2': reason })
    expect(world.reports.parked).to.deep.equal(['texts@1 s-2 0'])
    expect(await bodies(views, 'counts@1', 'parked')).to.deep.equal({})
    expect(await ranked(world.deps.rankings)).to.deep.equal(['000004-g1'])
    expect(await everything(world)).to.deep.equal(await rebuilt(log))
  })

  it('keeps its stream parked after a restart', async () => {
    const world = runWorld([texts, counts])
    const { log, views } = world.deps
    await prepareWorld(world)
    await appendTexts(log, 's-1', 'g1', 'a', 'boom')
    await runToEnd(world)
    await appendTexts(log, 's-1', 'g1', 'b')
    const again = runWorld([texts, counts], { log, views })
    await startViews(again)
    await runToEnd(again)
    expect(await bodies(views, 'texts@1', 'texts')).to.deep.equal({ 's-1': { said: ['a'] } })
    expect(again.reports.parked).to.deep.equal([])
    expect(await everything(again)).to.deep.equal(await rebuilt(log))
  })

  it('does not prevent earlier events from being applied after a crash between two documents', async () => {
    const log = createMemoryLog()
    const views = createMemoryViews()
    await appendTexts(log, 's-1', 'g1', 'a', 'boom', 'b')
    const onlyParked = ({ view, writes }: Batch) => ({
      view,
      writes: writes.filter(({ collection }) => collection === 'parked'),
      checkpoints: new Map(),
    })
    const dying = {
      ...views,
      commit: async (batches: readonly Batch[]) => {
        await views.commit(batches.map(onlyParked))
        throw new Error('crash')
      },
    }
    const failure = await startViews(runWorld([texts, counts], { log, views: dying })).catch(
      (error: Error) => error.message,
    )
    expect(failure).to.equal('crash')
    expect(Object.keys(await bodies(views, 'texts@1', 'parked'))).to.deep.equal(['s-1'])
    const again = runWorld([texts, counts], { log, views })
    await startViews(again)
    expect(await bodies(views, 'texts@1', 'texts')).to.deep.equal({ 's-1': { said: ['a'] } })
    expect(await everything(again)).to.deep.equal(await rebuilt(log))
  })
})

describe('starting the views', () => {
  it('refuses a log that has another event at the position of a checkpoint', async () => {
    const first = runWorld([texts])
    await prepareWorld(first)
    await appendTexts(first.deps.log, 's-1', 'g1', 'a', 'b')
    await runToEnd(first)
    const { views } = first.deps
    const exchanged = createMemoryLog()
    await appendTexts(exchanged, 's-1', 'g1', 'x', 'y', 'z')
    const truncated = createMemoryLog()
    for (const log of [exchanged, truncated]) {
      const failure = await startViews(runWorld([texts], { log, views })).catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(LogAnchorMismatch)
      expect((failure as LogAnchorMismatch).code).to.equal('log_anchor_mismatch')
    }
    expect(await bodies(views, 'texts@1', 'texts')).to.deep.equal({ 's-1': { said: ['a', 'b'] } })
  })

  it('rebuilds a view whose version is new, and changes neither the others nor the old version', async () => {
    const log = createMemoryLog()
    const views = createMemoryViews()
    const first = runWorld([texts, counts], { log, views })
    await startViews(first)
    await appendTexts(log, 's-1', 'g1', 'a', 'b')
    await runToEnd(first)
    const applied: string[] = []
    const louder: Projection = {
      ...texts,
      version: 2,
      handle: (event, docs) => docs.put('texts', event.stream, { loud: String(event.data.text).toUpperCase() }),
    }
    const watched: Projection = { ...counts, handle: (event) => void applied.push(event.id) }
    const second = runWorld([louder, watched], { log, views })
    expect(await startViews(second)).to.deep.equal(['texts@2'])
    expect(await views.list()).to.have.members(['texts@1', 'texts@2', 'counts@1'])
    expect(await bodies(views, 'texts@2', 'texts')).to.deep.equal({ 's-1': { loud: 'B' } })
    expect(second.reports.read).to.deep.equal([2])
    expect(applied).to.deep.equal([])
    expect(await ranked(second.deps.rankings)).to.deep.equal(['000002-g1'])
  })

  it('keeps the old version if the new one could not be built', async () => {
    const log = createMemoryLog()
    const views = createMemoryViews()
    const first = runWorld([texts], { log, views })
    await startViews(first)
    await appendTexts(log, 's-1', 'g1', 'a')
    await runToEnd(first)
    const broken = { ...log, readAll: () => Promise.reject(new Error('the log is unavailable')) }
    await startViews(runWorld([{ ...texts, version: 2 }], { log: broken, views })).catch(quiet)
    expect(await views.list()).to.have.members(['texts@1', 'texts@2'])
    expect(await bodies(views, 'texts@1', 'texts')).to.deep.equal({ 's-1': { said: ['a'] } })
  })

  it('catches up from the last checkpoint', async () => {
    const log = createMemoryLog()
    const views = createMemoryViews()
    await appendTexts(log, 's-1', 'g1', 'a', 'b')
    await startViews(runWorld([texts, counts], { log, views }))
    await appendTexts(log, 's-1', 'g1', 'c')
    const read: (string | null)[] = []
    const watched: Log = {
      ...log,
      readAll: (after, limit) => {
        read.push(after)
        return log.readAll(after, limit)
      },
    }
    const again = runWorld([texts, counts], { log: watched, views })
    await startViews(again)
    expect(read).to.deep.equal(['0000000000000002'])
    expect(again.reports.applied).to.deep.equal([1])
    expect(await everything(again)).to.deep.equal(await rebuilt(log))
  })

  it('fills the rankings of this process from the documents', async () => {
    const log = createMemoryLog()
    const views = createMemoryViews()
    for (let n = 0; n < 20; n++) await appendTexts(log, `s-${n}`, `g${n % 3}`, 'x')
    await startViews(runWorld([counts], { log, views }))
    const again = runWorld([counts], { log, views })
    await startViews(again)
    expect(await ranked(again.deps.rankings)).to.deep.equal(['000006-g2', '000007-g0', '000007-g1'])
  })
})

describe('a projection run that ends while documents are loaded', () => {
  it('writes none of its changes', async () => {
    const [log, views] = [createMemoryLog(), createMemoryViews()]
    const [changed, ending] = [new AbortController(), new AbortController()]
    const committed: string[] = []
    let isEnding = false
    const world = runWorld([texts], {
      log,
      views: {
        ...views,
        get: async (...args) => {
          if (isEnding) changed.abort()
          return views.get(...args)
        },
        commit: async (batches) => {
          committed.push(...batches.flatMap(({ writes }) => writes.map(({ id }) => id)))
          await views.commit(batches)
        },
      },
    })
    await prepareWorld(world)
    await appendTexts(log, 'first', 'g1', 'heard')
    const partitions = new Set(ALL_PARTITIONS)
    const owned = { partitions, changed: changed.signal }
    const ownership = {
      now: () => {
        if (!changed.signal.aborted) return owned
        ending.abort()
        return { partitions: new Set<number>(), changed: ending.signal }
      },
    }
    const running = run(world.deps, world.appliers, ownership, ending.signal)
    await caughtUp(world)
    isEnding = true
    await appendTexts(log, 'second', 'g1', 'not written')
    await running
    expect(committed).to.deep.equal(['first'])
    expect(world.reports.reopened).to.deep.equal([])
  })
})
