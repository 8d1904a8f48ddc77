// Verification reports every difference, and none if views merely change while it reads.

import { expect } from 'chai'
import { partitionOf } from '../../domain/partition.ts'
import { verify } from '../../projections/verify/verify.ts'
import type { VerifyDeps } from '../../projections/verify/verify-context.ts'
import type { AllRankings, Rankings } from '../../stores/contract/rankings.ts'
import type { Document, Views } from '../../stores/contract/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryViews } from '../memory/views.ts'
import { prepareWorld } from './prepare-world.ts'
import {
  appendTexts,
  counts,
  type RunWorld,
  running,
  runToEnd,
  runWorld,
  saidEvent,
  texts,
  twoPartitions,
} from './run-world.ts'

const VIEWS = [texts, counts]
const GAMES = Array.from({ length: 40 }, (_, n) => `game${n}`)

async function builtWorld(): Promise<RunWorld> {
  const world = runWorld(VIEWS)
  await prepareWorld(world)
  for (const [n, game] of GAMES.entries()) await appendTexts(world.deps.log, `s-${n}`, game, 'one', 'two', `n${n}`)
  await runToEnd(world)
  return world
}

const depsOf = ({ deps }: RunWorld, more: Partial<VerifyDeps> = {}): VerifyDeps => ({
  history: deps.history,
  log: deps.log,
  live: deps.views,
  rankings: deps.rankings,
  scratch: createMemoryViews(),
  projections: VIEWS,
  ...more,
})

const verified = (deps: VerifyDeps) => verify(deps, () => {}, new AbortController().signal)

/** Views that change the documents of one collection when they are read. */
function altered(views: Views, collection: string, change: (document: Document) => Document | null): Views {
  const changed = (documents: readonly (Document | null)[]) =>
    documents.map((one) => (one === null ? null : change(one)))
  return {
    ...views,
    get: async (view, name, ids) => {
      const found = await views.get(view, name, ids)
      return name === collection ? changed(found) : found
    },
    scan: async (view, name, after, limit) => {
      const found = await views.scan(view, name, after, limit)
      return name === collection ? changed(found).filter((one) => one !== null) : found
    },
  }
}

function alteredRankings(all: AllRankings, change: (rankings: Rankings) => Partial<Rankings>): AllRankings {
  return {
    ...all,
    of: (view, partition) => {
      const own = all.of(view, partition)
      return partition === partitionOf('game3') ? { ...own, ...change(own) } : own
    },
  }
}

describe('verification', () => {
  it('reports equal for views and rankings that match the log', async () => {
    const world = await builtWorld()
    const report = await verified(depsOf(world))
    expect(report).to.deep.equal({
      equal: true,
      position: await world.deps.log.head(),
      events: 120,
      documents: 40 + 40 + new Set(GAMES.map(partitionOf)).size,
      ranked: 40,
      parked: 0,
      behind: false,
      differences: [],
      found: 0,
      revisions: { faults: [], found: 0 },
    })
  })

  it('reports a log whose revisions have a gap or a duplicate, and compares no views of it', async () => {
    const world = await builtWorld()
    const { log } = world.deps
    const faulty: VerifyDeps['log'] = {
      ...log,
      readAll: async (after, limit) =>
        (await log.readAll(after, limit)).map((event) =>
          event.stream === 's-7' && event.revision === 2 ? { ...event, revision: 1 } : event,
        ),
    }
    const report = await verified(depsOf(world, { log: faulty }))
    const [fault] = report.revisions.faults
    expect([report.equal, report.found, report.documents, report.revisions.found]).to.deep.equal([false, 0, 0, 1])
    expect(fault).to.include({ stream: 's-7', expected: 2, revision: 1 })
    expect((await log.eventAt(fault?.position ?? ''))?.stream).to.equal('s-7')
  })

  it('does not check the end of the stream of a deleted game, which is all that a server keeps of it', async () => {
    const world = await builtWorld()
    const { log } = world.deps
    const last = (await log.readAll(null, 1_000)).at(-1)
    const withRest: VerifyDeps['log'] = {
      ...log,
      readAll: async (after, limit) =>
        (await log.readAll(after, limit)).map((event) =>
          event.id === last?.id ? { ...event, stream: 'game-x', type: 'GameDeleted', revision: 12 } : event,
        ),
    }
    expect((await verified(depsOf(world, { log: withRest }))).revisions).to.deep.equal({ faults: [], found: 0 })
  })

  it('reads the revisions as stored where the log has them, and reports progress of that', async () => {
    const world = await builtWorld()
    const phases = new Set<string>()
    const places = async (after: string | null) =>
      after === null ? [{ position: (await world.deps.log.head()) ?? '', stream: 'one', revision: 4 }] : []
    const revisions = { places, repaired: async () => [] }
    const onProgress = ({ phase }: { readonly phase: string }) => void phases.add(phase)
    const report = await verify(depsOf(world, { revisions }), onProgress, new AbortController().signal)
    expect(report.revisions.faults.map(({ stream, expected, revision }) => [stream, expected, revision])).to.deep.equal(
      [['one', 0, 4]],
    )
    expect([...phases][0]).to.equal('checking')
  })

  it('counts parked streams on both sides, and compares them', async () => {
    const world = await builtWorld()
    await appendTexts(world.deps.log, 'odd', 'g1', 'boom')
    await runToEnd(world)
    expect(await verified(depsOf(world))).to.include({ equal: true, parked: 1 })
  })

  it('reports one differing byte by view, collection, id and field', async () => {
    const world = await builtWorld()
    const live = altered(world.deps.views, 'texts', (document) =>
      document.id === 's-7' ? { ...document, body: { said: ['one', 'two', 'n8'] } } : document,
    )
    const { equal, found, differences } = await verified(depsOf(world, { live }))
    expect({ equal, found, differences }).to.deep.equal({
      equal: false,
      found: 1,
      differences: [
        { view: 'texts@1', collection: 'texts', id: 's-7', field: 'body.said.2', live: '"n8"', rebuilt: '"n7"' },
      ],
    })
  })

  it('reports a document that cannot be parsed, as the scan found it', async () => {
    const world = await builtWorld()
    const unparsed = altered(world.deps.views, 'texts', (document) =>
      document.id === 's-7' ? { ...document, body: { unreadable: '[' } } : document,
    )
    const live: Views = {
      ...unparsed,
      get: async (view, collection, ids) => {
        if (collection === 'texts' && ids.includes('s-7')) throw new SyntaxError('not JSON')
        return unparsed.get(view, collection, ids)
      },
    }
    const { found, differences } = await verified(depsOf(world, { live }))
    expect([found, differences.map(({ id, field }) => [id, field])]).to.deep.equal([
      2,
      [
        ['s-7', 'body.unreadable'],
        ['s-7', 'body.said'],
      ],
    ])
  })

  it('reports a missing document, an extra one, another position, and another order of fields', async () => {
    const world = await builtWorld()
    const { views } = world.deps
    const [first] = await views.scan('counts@1', 'counts', null, 1)
    const wrong: [string, (document: Document) => Document | null, object][] = [
      ['game5', () => null, { field: null, live: null }],
      ['game6', (one) => ({ ...one, pos: first?.pos ?? '' }), { field: 'pos' }],
      [
        'game7',
        ({ body: { count = 0, ...rest }, ...one }) => ({ ...one, body: { ...rest, count } }),
        { field: 'order of fields' },
      ],
    ]
    for (const [id, change, named] of wrong) {
      const live = altered(views, 'counts', (one) => (one.id === id ? change(one) : one))
      const { differences } = await verified(depsOf(world, { live, rankings: null }))
      expect(differences.length).to.equal(1)
      expect(differences[0]).to.include({ view: 'counts@1', collection: 'counts', id, ...named })
    }
    const stray = { ...(first as Document), id: 'stray' }
    const live: Views = {
      ...altered(views, 'counts', (one) => (one.id === 'game39' ? stray : one)),
      get: async (view, name, ids) =>
        (await views.get(view, name, ids)).map((one, n) =>
          ids[n] === 'stray' ? stray : ids[n] === 'game39' ? null : one,
        ),
    }
    const { differences } = await verified(depsOf(world, { live, rankings: null }))
    expect(differences.map(({ id, field }) => [id, field]).sort()).to.deep.equal([
      ['game39', null],
      ['stray', null],
    ])
  })

  it('reports a missing sort key of a ranking, and an extra one', async () => {
    const world = await builtWorld()
    const without = alteredRankings(world.deps.rankings, (own) => ({
      range: async (key, offset, limit) =>
        (await own.range(key, offset, limit)).filter((one) => !one.endsWith('game3')),
      ranks: async (key, sortKeys) =>
        (await own.ranks(key, sortKeys)).map((rank, n) => (sortKeys[n]?.endsWith('game3') ? null : rank)),
    }))
    const missing = await verified(depsOf(world, { rankings: without }))
    const difference = {
      view: 'counts@1',
      collection: 'rankings',
      id: `of-partition-${partitionOf('game3')}`,
      field: 'member',
    }
    expect(missing.differences).to.deep.equal([{ ...difference, live: null, rebuilt: '000003-game3' }])
    const over = alteredRankings(world.deps.rankings, (own) => ({
      range: async (key, offset, limit) => [...(await own.range(key, offset, limit)), '999-x'],
      ranks: async (key, sortKeys) =>
        (await own.ranks(key, sortKeys)).map((rank, n) => (sortKeys[n] === '999-x' ? 99 : rank)),
    }))
    expect((await verified(depsOf(world, { rankings: over }))).differences).to.deep.equal([
      { ...difference, live: '999-x', rebuilt: null },
    ])
  })

  it('reports lost rankings and a missing view', async () => {
    const world = await builtWorld()
    await world.deps.rankings.drop('counts@1')
    const lost = await verified(depsOf(world))
    expect([lost.equal, lost.found]).to.deep.equal([false, 16])
    const more = { ...texts, name: 'unheard-of' }
    const missing = await verified(depsOf(world, { projections: [texts, more], rankings: null }))
    expect(missing.differences).to.deep.equal([
      { view: 'unheard-of@1', collection: null, id: null, field: null, live: null, rebuilt: 'the view' },
    ])
  })

  it('finds no difference in views that change meanwhile, except real ones', async () => {
    const world = await builtWorld()
    const stop = running(world)
    let n = 0
    const { views, log } = world.deps
    // The views change before each page is read.
    const moving: Views = {
      ...views,
      scan: async (view, name, after, limit) => {
        for (const game of GAMES.slice(0, 10)) await appendTexts(log, `m-${game}`, game, `more ${n++}`)
        await appendTexts(log, `fresh-${n}`, 'g1', 'new')
        const [{ revision = 0 } = {}] = (await log.readStream('f', 0, 1_000)).slice(-1)
        await log.append('f', revision === 0 && n <= 10 ? 'none' : revision, [
          saidEvent('gone', `game${n % 40}`, 'Forgotten'),
        ])
        return views.scan(view, name, after, limit)
      },
    }
    const report = await verified(depsOf(world, { live: moving }))
    expect(report.differences).to.deep.equal([])
    expect([report.equal, report.events > 150]).to.deep.equal([true, true])
    const wrong = altered(moving, 'texts', (one) => (one.id === 'm-game4' ? { ...one, body: { said: [] } } : one))
    const { differences } = await verified(depsOf(world, { live: wrong }))
    expect(differences.every(({ id, field }) => id === 'm-game4' && field?.startsWith('body.said'))).to.equal(true)
    expect(differences).to.not.have.length(0)
    expect(await stop()).to.deep.equal([])
  })

  it('compares views without a running projector at their position, and says that they are behind', async () => {
    const world = await builtWorld()
    for (const game of twoPartitions()) await appendTexts(world.deps.log, `late-${game}`, game, 'late')
    const report = await verified(depsOf(world, { stoppedAfterMs: 100 }))
    expect(report).to.include({ equal: false, behind: true, found: 0, events: 120 })
  })

  it('rejects views of another log, and rejects when the signal aborts', async () => {
    const world = await builtWorld()
    const log = createMemoryLog()
    for (const [n, game] of GAMES.entries()) await appendTexts(log, `s-${n}`, game, 'one', 'two', `n${n}`)
    const refused = await verified(depsOf(world, { log })).catch((error: Error) => error.message)
    expect(refused).to.contain('log_anchor_mismatch')
    const ended = await verify(depsOf(world), () => {}, AbortSignal.abort(new Error('enough'))).catch(
      (error: Error) => error.message,
    )
    expect(ended).to.equal('enough')
  })
})
