// The order in which a view writes rankings and documents, and what happens to what cannot be written: a document that
// no store accepts, and a full disk of the views only.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { expect } from 'chai'
import { unsafeCast } from '../../domain/event.ts'
import { partitionOf } from '../../domain/partition.ts'
import type { Projection } from '../../projections/projection.ts'
import { write } from '../../projections/write.ts'
import type { Batch } from '../../stores/contract/views.ts'
import { openLog } from '../../stores/embedded/log.ts'
import { openViews } from '../../stores/embedded/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { newPath } from '../stores/folder.ts'
import { until } from '../until.ts'
import { prepareWorld } from './prepare-world.ts'
import { appendTexts, bodies, running, runToEnd, runWorld, saidEvent, texts } from './run-world.ts'

const PARTITION = partitionOf('g')

describe('writing the changes of a view', () => {
  it('writes rankings before documents', async () => {
    const rankings = createRankings()
    const own = rankings.of('entries', PARTITION)
    await (await own.beginFill('entries')).finish(null, (async function* () {})())
    const sizes: number[] = []
    const views = { commit: async () => void sizes.push(await own.size('b.1')) }
    const change = { key: 'b.1', before: [], after: 'member', pos: '1' }
    const batch = { view: 'entries', writes: [], checkpoints: new Map() }
    await write({ views, rankings }, { batch, rankings: new Map([[PARTITION, [change]]]) })
    expect(sizes).to.deep.equal([1])
  })

  it('calls no store for a view without changes', async () => {
    const committed: string[] = []
    const views = {
      commit: async (batches: readonly Batch[]) => void committed.push(...batches.map(({ view }) => view)),
    }
    const changesOf = (view: string, checkpoints: Batch['checkpoints']) => {
      return { batch: { view, writes: [], checkpoints }, rankings: new Map() }
    }
    const rankings = createRankings()
    await write({ views, rankings }, changesOf('entries', new Map()))
    expect(committed).to.deep.equal([])
    const reached = new Map([[PARTITION, { position: '1', events: 1 }]])
    await write({ views, rankings }, changesOf('entries', new Map()), changesOf('files', unsafeCast(reached)))
    expect(committed).to.deep.equal(['files'])
  })
})

const odd: Projection = {
  name: 'odd',
  version: 1,
  collections: [{ name: 'odd', indexes: { by: ['by', '-at'] } }],
  takes: ['Said'],
  query: ({ data }) => [{ collection: 'odd', index: 'by', equal: [data.by as string], limit: 0 }],
  needs: ({ data }) => [['odd', data.id as string]],
  handle({ data: { id, by, at = 0 } }, docs) {
    docs.put('odd', id as string, { by: by ?? null, at: at === 'no date' ? Date.parse(at) : at })
  },
}

describe('an event that leads to a document that no store accepts', () => {
  it('is parked, while all other events are applied', async () => {
    const log = createMemoryLog()
    const world = runWorld([odd], { log })
    await prepareWorld(world)
    const wrong = [{ id: 'a b' }, { id: '\u0001' }, { id: '' }, { id: { a: 1 } }, { id: 7 }, {}]
    const unindexed = [{ by: { a: 1 } }, { by: [1] }, { by: true }, { at: {} }, { at: 'no date' }].map((one) => ({
      id: 'x',
      ...one,
    }))
    const all = [{ id: 'first', by: 'me' }, ...wrong, ...unindexed, { id: 'last', by: 3 }]
    for (const [n, data] of all.entries()) await log.append(`s-${n}`, 'none', [{ ...saidEvent(''), data }])
    await runToEnd(world)
    expect(world.reports.parked).to.deep.equal([...wrong, ...unindexed].map((_, n) => `odd@1 s-${n + 1} 0`))
    expect(world.reports.reopened).to.deep.equal([])
    expect(await bodies(world.deps.views, 'odd@1', 'odd')).to.deep.equal({
      first: { by: 'me', at: 0 },
      last: { by: 3, at: 0 },
    })
  })
})

const LARGE = 'x'.repeat(200_000)

describe('the projector on a full disk of the views', () => {
  it('retries while the log accepts writes, and applies everything once there is space', async () => {
    const opened: DatabaseSyncInstance[] = []
    const failures: Error[] = []
    const log = await openLog(newPath('log.sqlite'))
    const views = await openViews(newPath('views.sqlite'), {
      onOpened: (db) => opened.push(db),
      onFailure: (error) => failures.push(error),
    })
    const limit = (pages: number) => {
      for (const db of opened) db.exec(`PRAGMA max_page_count=${pages}`)
    }
    const world = runWorld([texts], { log, views })
    await prepareWorld(world)
    const stop = running(world)
    const { progress } = world.deps
    const first = await appendTexts(log, 's-1', 'g1', 'before')
    expect(await progress.waitFor('g1', first, 10_000)).to.equal(true)
    // SQLite keeps the limit at the pages that the file has by then.
    limit(1)
    await appendTexts(log, 's-1', 'g1', LARGE)
    await until(() => world.reports.reopened.length >= 2)
    const last = await appendTexts(log, 's-1', 'g1', 'after')
    const [stored] = await views.get('texts@1', 'texts', ['s-1'])
    expect(stored?.body).to.deep.equal({ said: ['before'] })
    limit(1_000_000)
    expect(await progress.waitFor('g1', last, 10_000)).to.equal(true)
    const [document] = await views.get('texts@1', 'texts', ['s-1'])
    expect(document?.body).to.deep.equal({ said: ['before', LARGE, 'after'] })
    const reasons = new Set((await stop()).map((error) => (error instanceof Error ? error.message : error)))
    expect([...reasons]).to.deep.equal(['database or disk is full'])
    expect(failures).to.deep.equal([])
    await views.close()
    await log.close()
  })
})
