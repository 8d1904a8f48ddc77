// The steps of a verification: rebuilding up to a position, waiting for the live views, and comparing page by page.

import { expect } from 'chai'
import { type StoredEvent, unsafeCast } from '../../domain/event.ts'
import { ALL_PARTITIONS, partitionOf } from '../../domain/partition.ts'
import { compareDocuments, lastOfBoth, readAgain, upToId } from '../../projections/verify/documents.ts'
import { LiveViews } from '../../projections/verify/live-views.ts'
import { compareRankings } from '../../projections/verify/rankings.ts'
import { type RebuiltViews, rebuildViews } from '../../projections/verify/rebuilt-views.ts'
import { verify } from '../../projections/verify/verify.ts'
import type { VerifyContext, VerifyProgress } from '../../projections/verify/verify-context.ts'
import { type AllRankings, type Rankings, RankingsLost } from '../../stores/contract/rankings.ts'
import type { Document, Views } from '../../stores/contract/views.ts'
import { historyOf } from '../memory/history.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryViews } from '../memory/views.ts'
import { eventually } from '../until.ts'
import { prepareWorld } from './prepare-world.ts'
import { appendTexts, bodies, counts, runToEnd, runWorld, texts } from './run-world.ts'

const NEVER = new AbortController().signal
const idOf = (n: number): string => String(n).padStart(5, '0')
const document = (id: string, text = 'right', pos = '05'): Document => ({ id, pos, body: { text } })
const documents = (count: number) => Array.from({ length: count }, (_, n) => document(idOf(n)))

/** A store of these documents that records its reads. */
function storeOf(...all: readonly Document[]) {
  const byId = new Map(all.map((one) => [one.id, one]))
  const reads: string[] = []
  const scan: Views['scan'] = async (_, __, after, limit) => {
    reads.push(`scan after ${after}`)
    return [...byId.values()]
      .filter(({ id }) => after === null || id > after)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit)
  }
  const get: Views['get'] = async (_, __, ids) => {
    reads.push(`get ${ids.length}`)
    return ids.map((id) => byId.get(id) ?? null)
  }
  return { byId, reads, views: unsafeCast<Views>({ scan, get }) }
}

/** The context of a comparison of two stores; `onAlign` is called whenever the live views are waited for. */
function contextOf(live: Views, rebuilt: Views, onAlign: (count: number) => void = () => {}) {
  const calls = { aligned: 0, compared: [] as number[], advanced: [] as string[] }
  const rebuiltViews = {
    views: rebuilt,
    at: '05',
    events: 1,
    advance: async (isDue: (event: StoredEvent) => boolean) => {
      const positions = ['06', '07', '08', '09'].filter((position) => isDue(unsafeCast<StoredEvent>({ position })))
      calls.advanced.push(positions.at(-1) ?? '')
    },
    isReachedBy: () => true,
  }
  const align = async () => onAlign(++calls.aligned)
  const context = unsafeCast<VerifyContext>({
    deps: { live },
    rebuiltViews,
    live: { align },
    signal: NEVER,
    compared: (count: number) => calls.compared.push(count),
  })
  return { context, calls }
}

describe('the pages of a comparison', () => {
  it('are complete up to the least end of the full ones', () => {
    const [full, more, short] = [[document('a'), document('c')], [document('a'), document('b')], [document('a')]]
    expect(lastOfBoth(2, full, more)).to.equal('b')
    expect(lastOfBoth(2, more, full)).to.equal('b')
    expect(lastOfBoth(2, full, short)).to.equal('c')
    expect([lastOfBoth(2, short, short), lastOfBoth(2, [], [])]).to.deep.equal([null, null])
  })

  it('are cut off after that document', () => {
    const page = [document('a'), document('b'), document('c')]
    expect(upToId(page, 'b')).to.deep.equal([document('a'), document('b')])
    expect(upToId(page, null)).to.equal(page)
  })
})

describe('reading suspect documents again', () => {
  const ids = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  const read = (fails: (ids: readonly string[]) => Error | null, some = ids) => {
    const { views } = storeOf(document('a'), document('b'))
    const get: Views['get'] = async (view, collection, wanted) => {
      const error = fails(wanted)
      if (error !== null) throw error
      return views.get(view, collection, wanted)
    }
    return readAgain({ views: { get }, view: 'v@1', collection: 'c' }, some, ({ id }) => document(id, 'scanned'))
  }

  it('returns them in the same order, null for a missing one', async () => {
    expect(await read(() => null)).to.deep.equal([document('a'), document('b'), null])
  })

  it('returns only those that cannot be parsed as the scan found them', async () => {
    const fails = (wanted: readonly string[]) => (wanted.includes('b') ? new SyntaxError('not JSON') : null)
    expect(await read(fails)).to.deep.equal([document('a'), document('b', 'scanned'), null])
  })

  it('rejects with any other error', async () => {
    const message = await read(() => new Error('no connection')).catch((error: Error) => error.message)
    expect(message).to.equal('no connection')
  })
})

describe('comparing the documents of a collection', () => {
  const compare = (context: VerifyContext) => compareDocuments(context, texts, 'texts')

  it('reads both sides page by page and reports the number of documents', async () => {
    const [live, rebuilt] = [storeOf(...documents(2_001)), storeOf(...documents(2_001))]
    const { context, calls } = contextOf(live.views, rebuilt.views)
    expect(await compare(context)).to.deep.equal({ documents: 2_001, differences: [] })
    expect(calls).to.deep.equal({ aligned: 0, compared: [1_000, 2_000, 2_001], advanced: [] })
    const reads = ['scan after null', 'scan after 00999', 'scan after 01999']
    expect([live.reads, rebuilt.reads]).to.deep.equal([reads, reads])
  })

  it('finds documents that one side lacks on any page, and counts those of the live side', async () => {
    const live = storeOf(...documents(1_500).filter(({ id }) => id !== idOf(3) && id !== idOf(1_400)))
    const rebuilt = storeOf(...documents(1_500).filter(({ id }) => id !== idOf(7) && id !== idOf(1_300)))
    const result = await compare(contextOf(live.views, rebuilt.views).context)
    expect(result.documents).to.equal(1_498)
    const found = result.differences.map(({ id, field, live, rebuilt }) => [id, field, live, rebuilt])
    const text = '{"text":"right"}'
    expect(found.sort()).to.deep.equal([
      [idOf(3), null, null, text],
      [idOf(7), null, text, null],
      [idOf(1_300), null, text, null],
      [idOf(1_400), null, null, text],
    ])
  })

  it('checks a difference three times, each after the live views were waited for', async () => {
    const [live, rebuilt] = [storeOf(document('a', 'wrong')), storeOf(document('a'))]
    const { context, calls } = contextOf(live.views, rebuilt.views)
    expect((await compare(context)).differences).to.deep.equal([
      { view: 'texts@1', collection: 'texts', id: 'a', field: 'body.text', live: '"wrong"', rebuilt: '"right"' },
    ])
    expect(calls.aligned).to.equal(4)
    expect(live.reads.filter((read) => read === 'get 1')).to.have.length(3)
  })

  it('ignores a difference that is gone at the last check', async () => {
    for (const gone of [1, 2, 3]) {
      const [live, rebuilt] = [storeOf(document('a', 'wrong')), storeOf(document('a'))]
      const { context, calls } = contextOf(live.views, rebuilt.views, (count) => {
        if (count === gone) for (const { byId } of [live, rebuilt]) byId.set('a', document('a', 'right', '04'))
      })
      expect((await compare(context)).differences).to.deep.equal([])
      expect(calls.aligned).to.equal(gone + 1)
    }
  })

  it('takes the scanned document if a lookup returns another one with the same last event', async () => {
    const [live, rebuilt] = [storeOf(document('a', 'wrong')), storeOf(document('a'))]
    const cached: Views = { ...live.views, get: async () => [document('a')] }
    expect((await compare(contextOf(cached, rebuilt.views).context)).differences).to.have.length(1)
    const later: Views = { ...live.views, get: async () => [document('a', 'right', '04')] }
    rebuilt.byId.set('a', document('a', 'right', '04'))
    expect((await compare(contextOf(later, rebuilt.views).context)).differences).to.deep.equal([])
  })

  it('brings the rebuilt views to the last event of each live document, the earliest first', async () => {
    const live = storeOf(document('a', 'new', '08'), document('b', 'new', '06'), document('c', 'new', '05'))
    const { context, calls } = contextOf(live.views, storeOf().views)
    await compare(context)
    expect(calls.advanced.slice(0, 2)).to.deep.equal(['06', '08'])
    expect(calls.advanced).to.have.length(6)
  })

  it('checks at most 500 suspects at once, before it reads the next page', async () => {
    const live = storeOf(...documents(1_700).map((one) => ({ ...one, body: { text: 'wrong' } })))
    const rebuilt = storeOf(...documents(1_700))
    const { context, calls } = contextOf(live.views, rebuilt.views)
    expect((await compare(context)).differences).to.have.length(1_700)
    const checks = ['get 500', 'get 500', 'get 500']
    expect(live.reads).to.deep.equal([
      'scan after null',
      ...checks,
      ...checks,
      'scan after 00999',
      ...checks,
      'get 200',
      'get 200',
      'get 200',
    ])
    expect(calls.aligned).to.equal(4 * 4)
  })

  it('collects suspects of several pages', async () => {
    const wrong = (one: Document, n: number) => (n % 1_000 < 499 ? { ...one, body: { text: 'wrong' } } : one)
    const live = storeOf(...documents(2_000).map(wrong))
    const { context } = contextOf(live.views, storeOf(...documents(2_000)).views)
    expect((await compare(context)).differences).to.have.length(998)
    expect(live.reads.slice(0, 3)).to.deep.equal(['scan after null', 'scan after 00999', 'get 500'])
  })
})

describe('comparing rankings', () => {
  const KEY = `of-partition-${partitionOf('g1')}`

  /** Rankings of the partition of g1, with one key and these sort keys, in this order. */
  const rankingsOf = (sortKeys: readonly string[], more: Partial<Rankings> = {}): AllRankings => {
    const own = {
      before: async (_: string, sortKey: string) => sortKeys.filter((one) => one < sortKey).length,
      range: async (_: string, offset: number, limit: number) => sortKeys.slice(offset, offset + limit),
      ranks: async (_: string, some: readonly string[]) =>
        some.map((one) => (sortKeys.includes(one) ? sortKeys.indexOf(one) : null)),
      ...more,
    }
    const of = () => unsafeCast<Rankings>(own)
    return { putMax: 1, of, drop: async () => {} }
  }

  /** Rebuilt documents with these sort keys, in rank order. */
  function rebuiltOf(sortKeys: readonly string[], onAlign: (count: number) => void = () => {}) {
    const find: Views['find'] = async ({ collection, equal, after, from, limit }) => {
      if (collection === 'rankings') {
        const named = equal[0] === partitionOf('g1') && after === undefined
        return named ? [{ id: 'r', pos: '1', body: { ranking: KEY } }] : []
      }
      return sortKeys
        .filter((sortKey) => (after === undefined || sortKey > after) && (from === undefined || sortKey >= from))
        .slice(0, limit)
        .map((sortKey) => ({ id: sortKey, pos: '1', body: { member: sortKey } }))
    }
    return contextOf(storeOf().views, unsafeCast<Views>({ find }), onAlign)
  }
  const sortKeys = (count: number) => Array.from({ length: count }, (_, n) => idOf(n))
  const difference = { view: 'counts@1', collection: 'rankings', id: KEY }

  it('has nothing to compare for a view without rankings', async () => {
    const { context } = rebuiltOf(['a'])
    expect(await compareRankings(context, rankingsOf(['b']), texts)).to.deep.equal({ sortKeys: 0, differences: [] })
  })

  it('compares every sort key, page by page', async () => {
    const { context, calls } = rebuiltOf(sortKeys(10_001))
    const result = await compareRankings(context, rankingsOf(sortKeys(10_001)), counts)
    expect([result, calls.aligned]).to.deep.equal([{ sortKeys: 10_001, differences: [] }, 0])
  })

  it('finds sort keys that one side lacks, after three checks', async () => {
    const without = (sortKey: string) => sortKeys(5_100).filter((one) => one !== sortKey)
    const { context, calls } = rebuiltOf(without(idOf(5_050)))
    const result = await compareRankings(context, rankingsOf(without(idOf(4))), counts)
    expect(result).to.deep.equal({
      sortKeys: 5_099,
      differences: [
        { ...difference, field: 'member', live: null, rebuilt: idOf(4) },
        { ...difference, field: 'member', live: idOf(5_050), rebuilt: null },
      ],
    })
    expect(calls.aligned).to.equal(6)
  })

  it('checks again only sort keys up to which both pages are complete', async () => {
    for (const lacking of ['live', 'rebuilt']) {
      const [all, most] = [sortKeys(5_100), sortKeys(5_100).slice(10)]
      const asked: string[] = []
      const [live, rebuilt] = lacking === 'live' ? [most, all] : [all, most]
      const ranks = async (_: string, some: readonly string[]) => {
        asked.push(...some)
        return some.map((one) => (live.includes(one) ? live.indexOf(one) : null))
      }
      const { differences } = await compareRankings(rebuiltOf(rebuilt).context, rankingsOf(live, { ranks }), counts)
      expect(differences).to.have.length(10)
      expect(new Set(asked)).to.deep.equal(new Set(sortKeys(10)))
    }
  })

  it('ignores a sort key that both sides have, or neither, at the last check', async () => {
    for (const gone of [1, 3]) {
      const [live, rebuilt] = [
        ['a', 'b'],
        ['a', 'c'],
      ]
      const { context, calls } = rebuiltOf(rebuilt, (count) => {
        if (count !== gone) return
        live.push('c')
        live.splice(1, 1)
      })
      const { differences } = await compareRankings(context, rankingsOf(live), counts)
      expect([differences, calls.aligned]).to.deep.equal([[], gone])
    }
  })

  it('finds a ranking that is not in ascending order, and a sort key that it has twice', async () => {
    for (const live of [
      ['b', 'a'],
      ['a', 'a', 'b'],
    ]) {
      const { context } = rebuiltOf(['a', 'b'])
      const { differences } = await compareRankings(context, rankingsOf(live), counts)
      expect(differences).to.deep.equal([
        { ...difference, field: 'order', live: 'not ascending', rebuilt: 'ascending' },
      ])
    }
  })

  it('reports each partition with lost rankings, and rejects with any other error', async () => {
    const failing = (error: Error) => rankingsOf(['a'], { range: () => Promise.reject(error) })
    const { context } = rebuiltOf(['a'])
    expect((await compareRankings(context, failing(new RankingsLost()), counts)).differences).to.deep.equal([
      {
        view: 'counts@1',
        collection: 'rankings',
        id: `partition ${partitionOf('g1')}`,
        field: null,
        live: null,
        rebuilt: 'not filled: read again later',
      },
    ])
    const rejected = compareRankings(context, failing(new Error('no connection')), counts)
    expect(await rejected.catch((error: Error) => error.message)).to.equal('no connection')
  })

  it('rejects when the signal aborts', async () => {
    const { context } = rebuiltOf(['a'])
    const signal = AbortSignal.abort(new Error('enough'))
    const rejected = compareRankings({ ...context, signal }, rankingsOf(['a']), counts)
    expect(await rejected.catch((error: Error) => error.message)).to.equal('enough')
  })
})

describe('rebuilding views', () => {
  async function rebuilding(count: number) {
    const [log, views] = [createMemoryLog(), createMemoryViews()]
    const positions: string[] = []
    for (let n = 0; n < count; n++) positions.push(await appendTexts(log, `s-${n}`, n % 2 === 0 ? 'g1' : 'g2', 'one'))
    const prepared: string[] = []
    const prepare: Views['prepare'] = async (spec) => {
      prepared.push(spec.key)
      await views.prepare(spec)
    }
    const rebuilt = await rebuildViews(log, historyOf(log), { ...views, prepare }, [texts, counts])
    const upTo = (position: string) => rebuilt.advance((event) => event.position <= position, NEVER)
    return { log, rebuilt, positions, prepared, upTo, said: () => bodies(views, 'texts@1', 'texts') }
  }

  it('prepares each view twice, and has applied nothing yet', async () => {
    const { rebuilt, prepared } = await rebuilding(1)
    expect(prepared).to.deep.equal(['texts@1', 'counts@1', 'texts@1', 'counts@1'])
    expect([rebuilt.at, rebuilt.events, rebuilt.isReachedBy(new Map())]).to.deep.equal(['', 0, true])
  })

  it('applies events up to the last one that is due, and continues after it', async () => {
    const { rebuilt, positions, upTo, said } = await rebuilding(5)
    await upTo('')
    expect([rebuilt.at, rebuilt.events]).to.deep.equal(['', 0])
    await upTo(positions[1] ?? '')
    expect([rebuilt.at, rebuilt.events, Object.keys(await said())]).to.deep.equal([positions[1], 2, ['s-0', 's-1']])
    await upTo(positions[1] ?? '')
    expect(rebuilt.events).to.equal(2)
    await upTo('~')
    expect([rebuilt.at, rebuilt.events, Object.keys(await said()).length]).to.deep.equal([positions[4], 5, 5])
    await upTo('~')
    expect(rebuilt.events).to.equal(5)
  })

  it('applies events that are appended after it reached the end of the log', async () => {
    const { log, rebuilt, upTo } = await rebuilding(1)
    await upTo('~')
    const last = await appendTexts(log, 's-0', 'g1', 'two')
    await upTo('~')
    expect([rebuilt.at, rebuilt.events]).to.deep.equal([last, 2])
  })

  it('applies more events than it reads at once', async () => {
    const { rebuilt, positions, upTo, said } = await rebuilding(520)
    await upTo('~')
    expect([rebuilt.at, rebuilt.events, Object.keys(await said()).length]).to.deep.equal([positions.at(-1), 520, 520])
  })

  it('is reached by checkpoints at the last event of each partition', async () => {
    const { rebuilt, positions, upTo } = await rebuilding(2)
    const [first = '', second = ''] = positions
    await upTo('~')
    const [one, two] = [partitionOf('g1'), partitionOf('g2')]
    expect(one).to.not.equal(two)
    const reached = (...all: [number, string][]) => rebuilt.isReachedBy(new Map(all))
    expect(reached([one, first], [two, second])).to.equal(true)
    expect([reached([one, ''], [two, second]), reached([one, second]), reached()]).to.deep.equal([false, false, false])
  })

  it('rejects when the signal aborts, also between two reads', async () => {
    const { rebuilt } = await rebuilding(300)
    const stopping = new AbortController()
    const isDue = () => {
      stopping.abort(new Error('enough'))
      return true
    }
    expect(await rebuilt.advance(isDue, stopping.signal).catch((error: Error) => error.message)).to.equal('enough')
    expect(rebuilt.events).to.equal(250)
  })
})

describe('the live views of a verification', () => {
  /** A log with an event; the live views are at a position in every partition. */
  async function world(stoppedAfterMs = 60_000) {
    const [log, live] = [createMemoryLog(), createMemoryViews()]
    const rebuilt: RebuiltViews = await rebuildViews(log, historyOf(log), createMemoryViews(), [texts])
    await live.prepare({ key: 'texts@1', collections: [] })
    const moveTo = (position: string, partitions = ALL_PARTITIONS) =>
      live.commit([
        {
          view: 'texts@1',
          writes: [],
          checkpoints: new Map(partitions.map((one) => [one, { position, eventId: 'e' }])),
        },
      ])
    const reads = { count: 0 }
    const checkpoints: Views['checkpoints'] = (view) => {
      reads.count++
      return live.checkpoints(view)
    }
    const deps = { log, live: { ...live, checkpoints }, projections: [texts], stoppedAfterMs }
    return { log, rebuilt, moveTo, views: new LiveViews(deps, rebuilt, NEVER), reads }
  }

  it('are reached at once on an empty log', async () => {
    const { rebuilt, views } = await world()
    await views.align()
    expect([rebuilt.events, views.isBehind]).to.deep.equal([0, false])
  })

  it('are followed by the rebuilt ones up to the head of the log', async () => {
    const { log, rebuilt, moveTo, views } = await world()
    const first = await appendTexts(log, 's-1', 'g1', 'one')
    const head = await appendTexts(log, 's-1', 'g1', 'two')
    await moveTo(first)
    let isAligned = false
    const aligning = views.align().then(() => {
      isAligned = true
    })
    await eventually(() => rebuilt.at !== '')
    expect([rebuilt.at, isAligned]).to.deep.equal([first, false])
    await moveTo(head)
    await aligning
    expect([rebuilt.at, views.isBehind]).to.deep.equal([head, false])
  })

  it('are waited for until they have reached the rebuilt ones in each partition', async () => {
    for (const isReached of [true, false]) {
      const { log, rebuilt, moveTo, views } = await world(1)
      const head = await appendTexts(log, 's-1', 'g1', 'one')
      await rebuilt.advance(() => true, NEVER)
      expect(rebuilt.at).to.equal(head)
      await moveTo(head, [partitionOf(isReached ? 'g1' : 'g2')])
      await views.align()
      expect(views.isBehind).to.equal(!isReached)
    }
  })

  it('count as stopped if they do not advance, and are then not waited for again', async () => {
    const { log, moveTo, views, reads } = await world(60)
    await appendTexts(log, 's-1', 'g1', 'one')
    const before = performance.now()
    await views.align()
    expect(performance.now() - before).to.be.at.least(60)
    expect(views.isBehind).to.equal(true)
    const polls = reads.count
    await views.align()
    expect(reads.count).to.equal(polls + 1)
    await moveTo((await log.head()) ?? '')
    await views.align()
    expect(views.isBehind, 'a difference may have been found meanwhile').to.equal(true)
  })
})

describe('the progress of a verification', () => {
  async function progressOf(more: { readonly rankings?: null } = {}) {
    const world = runWorld([texts, counts])
    await prepareWorld(world)
    for (let n = 0; n < 3; n++) await appendTexts(world.deps.log, `s-${n}`, 'g1', 'one')
    await runToEnd(world)
    const { log, history, rankings, views } = world.deps
    const progress: VerifyProgress[] = []
    const deps = { log, history, rankings, live: views, scratch: createMemoryViews(), projections: [texts, counts] }
    const report = await verify({ ...deps, ...more }, (one) => progress.push(one), NEVER)
    return { progress, report }
  }

  it('has the events that were checked and read and the share of the log, then the documents of each collection', async () => {
    const { progress } = await progressOf()
    const steps = progress.map(({ phase, done, share, at }) => [phase, done, share, at])
    expect(steps.slice(0, 2)).to.deep.equal([
      ['checking', 3, 1, null],
      ['rebuilding', 3, 1, null],
    ])
    expect(steps.filter(([phase]) => phase === 'comparing')).to.deep.equal([
      ['comparing', 3, 0, 'texts@1/texts'],
      ['comparing', 3, 0.2, 'texts@1/parked'],
      ['comparing', 4, 0.4, 'counts@1/counts'],
      ['comparing', 5, 0.6, 'counts@1/rankings'],
      ['comparing', 5, 0.8, 'counts@1/parked'],
    ])
  })

  it('has an estimate of the remaining time only when a share is done', async () => {
    const { progress } = await progressOf()
    expect(progress.every(({ share, eta_seconds }) => (share === 0) === (eta_seconds === null))).to.equal(true)
    expect(progress.every(({ eta_seconds }) => (eta_seconds ?? 0) >= 0 && (eta_seconds ?? 0) < 60)).to.equal(true)
    expect(progress.every(({ per_second, done }) => per_second > 0 === done > 0)).to.equal(true)
  })

  it('leads to a report without ranked sort keys if the rankings are in another process', async () => {
    const { report } = await progressOf({ rankings: null })
    expect([report.ranked, report.equal, report.documents]).to.deep.equal([null, true, 5])
  })
})
