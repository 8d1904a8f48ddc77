// Indexes that the embedded read models keep in memory find what the same indexes in the file find: after commits of
// any kind, after commits that failed, and when the file is opened again.

import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { expect } from 'chai'
import type { JsonObject } from '../../domain/event.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { type RankedPage, RankingsLost } from '../../stores/contract/rankings.ts'
import type { CollectionSpec, Find, ViewSpec, Views, Write } from '../../stores/contract/views.ts'
import { rankingsOfViews } from '../../stores/embedded/rankings-of-views.ts'
import { type EmbeddedViews, openViews } from '../../stores/embedded/views.ts'
import { batch, write } from '../contracts/documents.ts'
import { modelAround } from '../contracts/rankings-model.ts'
import { Random } from '../random.ts'
import { sized } from '../seeds.ts'
import { reseal } from './derived-files.ts'
import { newPath } from './folder.ts'

const HISTORIES = sized(6, 20)
const RANKINGS = ['a', 'b', 'ab']
const IDS = Array.from({ length: 24 }, (_, n) => `d-${n}`)
const FIELDS = ['ranking', 'member']
const OWN = ['own']
const IN_MEMORY: CollectionSpec = {
  name: 'thing',
  // The same indexes in memory and in the file. No document has the last field of the twins by time.
  indexes: {
    rank: FIELDS,
    twin: FIELDS,
    oldest: ['ranking', 'time', 'member'],
    newest: ['ranking', '-time', 'member'],
    twinOldest: ['ranking', 'time', 'member', 'none'],
    twinNewest: ['ranking', '-time', 'member', 'none'],
  },
  ranking: 'rank',
  fields: { ranking: 'term', time: 'time', member: 'text' },
}
const { ranking: _, ...UNRANKED }: CollectionSpec = IN_MEMORY
const FIND = { view: 'things@1', collection: 'thing', limit: 99 }

const spec = (collection: CollectionSpec): ViewSpec => ({ key: FIND.view, collections: [collection] })

const sortKey = (random: Random, id: string) => `${random.below(4)}${'~'.repeat(random.below(2))}${id}`

const TIMES = [
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00.000Z',
  ...[8, 9, 10].map((n) => `20${10 + n}-11-21T07:05:01.123Z`),
]
/** Texts that are no times sort after all times. */
const time = (random: Random) => (random.below(12) === 0 ? random.pick(['late', 'later']) : random.pick(TIMES))

/** Ranked or not, or deleted. */
function someBody(random: Random, id: string): JsonObject | null {
  if (random.below(6) === 0) return null
  const own = random.below(12) === 0 ? null : time(random)
  if (random.below(5) === 0) return { ranking: null, member: null, time: own }
  return { ranking: random.pick(RANKINGS), member: sortKey(random, id), time: own, more: random.below(9) }
}

type SomeFind = Omit<Find, 'index'>

function someBounds(random: Random, value: () => string) {
  return {
    ...(random.below(2) === 0 && { from: value() }),
    ...(random.below(3) === 0 && { after: value() }),
    ...(random.below(2) === 0 && { until: value() }),
  }
}

function someFindByTime(random: Random): SomeFind {
  const key = random.pick([...RANKINGS, 'none'])
  const isOfOneTime = random.below(3) === 0
  return {
    ...FIND,
    equal: isOfOneTime ? [key, random.pick(TIMES)] : [key],
    ...someBounds(random, () => (isOfOneTime ? sortKey(random, random.pick(IDS)) : random.pick(TIMES))),
    reverse: random.below(2) === 0,
    skip: random.below(5),
    limit: 1 + random.below(9),
  }
}

function someFind(random: Random): SomeFind {
  const value = () => sortKey(random, random.pick(IDS))
  const bounds = someBounds(random, value)
  const among = { among: Array.from({ length: random.below(12) }, value) }
  return {
    ...FIND,
    equal: [random.pick([...RANKINGS, 'none'])],
    ...(random.below(4) === 0 ? among : bounds),
    reverse: random.below(2) === 0,
    skip: random.below(5),
    limit: 1 + random.below(20),
  }
}

/** The indexes in memory find what their twins find. */
async function expectTwins(views: Views, random: Random, note: string): Promise<void> {
  for (let n = 0; n < 8; n++) {
    const finds = { rank: ['twin', someFind(random)], oldest: ['twinOldest', someFindByTime(random)] } as const
    const all = { ...finds, newest: ['twinNewest', someFindByTime(random)] } as const
    for (const [index, [twin, find]] of Object.entries(all)) {
      const called = `${note}: ${index} ${JSON.stringify(find)}`
      expect(await views.find({ ...find, index }), called).to.deep.equal(await views.find({ ...find, index: twin }))
      expect(await views.count({ ...find, index }), called).to.equal(await views.count({ ...find, index: twin }))
    }
  }
}

/** The rankings have the sort keys of the documents. */
async function expectRankings(views: EmbeddedViews, random: Random, note: string): Promise<void> {
  const rankings = rankingsOfViews(views).of(FIND.view, random.below(64))
  for (const key of [...RANKINGS, 'none']) {
    const documents = await views.find({ ...FIND, index: 'twin', equal: [key], limit: 99_999 })
    const sortKeys = documents.map(({ body }) => String(body.member))
    const some = Array.from({ length: 4 }, () => random.any(sortKeys) ?? sortKey(random, 'd-1'))
    const rankOf = (one: string) => (sortKeys.includes(one) ? sortKeys.indexOf(one) : null)
    const [offset, limit] = [random.below(9), 1 + random.below(9)]
    expect(await rankings.size(key), note).to.equal(sortKeys.length)
    expect(await rankings.ranks(key, some), note).to.deep.equal(some.map(rankOf))
    expect(await rankings.range(key, offset, limit), note).to.deep.equal(sortKeys.slice(offset, offset + limit))
    for (const one of [...some, sortKey(random, random.pick(IDS))]) {
      expect(await rankings.before(key, one), note).to.equal(sortKeys.filter((other) => other < one).length)
      expect(await rankings.around(key, one, limit), note).to.deep.equal(modelAround(sortKeys, one, limit))
    }
  }
}

const indexesOf = (path: string): string[] => {
  const file = new DatabaseSync(path)
  const rows = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").all()
  file.close()
  return rows.map((row) => String((row as { name: string }).name).replace(/^c\d+:/, '')).sort()
}

describe('the indexes in memory', () => {
  it('find what the same indexes in the file find, after any commits, failures and restarts', async () => {
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const random = new Random(seed)
      const path = newPath('views.sqlite')
      let db: DatabaseSyncInstance | undefined
      const open = async () => {
        const views = await openViews(path, {
          onOpened: (opened) => {
            db = opened
          },
        })
        // The second call makes indexes.
        for (const _ of [1, 2]) await views.prepare(spec(IN_MEMORY))
        return views
      }
      let views = await open()
      let refused = 0
      for (let at = 1; at <= 40; at++) {
        const writes: Write[] = []
        for (let left = 1 + random.below(random.pick([6, 6, 6, 6, 6, 6, 120, 1_200])); left > 0; left--) {
          const id = random.pick(IDS)
          writes.push(write(id, at - random.below(2), someBody(random, id)))
        }
        const isFull = random.below(6) === 0
        if (isFull) db?.exec('PRAGMA max_page_count=1')
        // On a full disk a commit of new documents fails, and the earlier ones of the open transaction are run again.
        const long = { id: `long-${at}`, body: { ranking: 'a', member: `9long-${at}`, text: 'x'.repeat(30_000) } }
        const all = isFull ? [...writes, write(long.id, at, long.body)] : writes
        const isLasting = random.below(4) === 0
        const done = isLasting ? () => views.durable() : () => {}
        await views
          .commit([batch(all)])
          .then(done)
          .catch(() => refused++)
        db?.exec('PRAGMA max_page_count=1000000')
        if (random.below(10) === 0) await views.prepare(spec(IN_MEMORY))
        if (random.below(12) === 0) {
          await views.close()
          views = await open()
        }
        await expectTwins(views, random, `seed ${seed}, after ${at}`)
        await expectRankings(views, random, `seed ${seed}, after ${at}`)
      }
      expect(refused, `seed ${seed}`).to.be.greaterThan(0)
      await views.close()
    }
  })

  it('are removed from a file that has them, and made in the file again if another store has the rankings, or none has', async () => {
    const path = newPath('views.sqlite')
    const expectIndexes = async (collection: CollectionSpec, ranksInFile: boolean, expected: readonly string[]) => {
      const views = await openViews(path, { ranksInFile })
      await views.prepare(spec(collection))
      await views.commit([batch(IDS.map((id, n) => write(id, 1, { ranking: 'a', member: `${n % 7}${id}` })))])
      await views.prepare(spec(collection))
      await expectTwins(views, new Random(1), JSON.stringify(collection))
      expect(await views.count({ ...FIND, index: 'rank', equal: ['a'] })).to.equal(IDS.length)
      await views.close()
      expect(indexesOf(path)).to.deep.equal(expected)
    }
    const twins = ['twinOldest']
    await expectIndexes(IN_MEMORY, true, ['', 'oldest', 'rank', ...twins])
    await expectIndexes(IN_MEMORY, false, ['', 'twin', ...twins])
    await expectIndexes(IN_MEMORY, true, ['', 'oldest', 'rank', 'twin', ...twins])
    await expectIndexes(UNRANKED, false, ['', 'oldest', 'rank', ...twins])
  })

  it('have the ranking of their view: lost until it is filled, and after the view is dropped', async () => {
    const views = await openViews(newPath('views.sqlite'))
    const rankings = rankingsOfViews(views).of(FIND.view, 0)
    const lost = await rankings.size('a').catch((error: unknown) => error)
    expect(lost).to.be.an.instanceOf(RankingsLost)
    expect(await rankings.isFilled('here')).to.equal(false)
    await views.prepare(spec(IN_MEMORY))
    await views.commit([batch([write('d-1', 1, { ranking: 'a', member: 'm' })])])
    expect(await rankings.isFilled('here')).to.equal(false)
    await (await rankings.beginFill('here')).finish(null, (async function* () {})())
    expect([await rankings.isFilled('here'), await rankings.size('a')]).to.deep.equal([true, 1])
    await views.drop(FIND.view)
    expect(await rankings.isCurrent()).to.equal(false)
    await views.close()
  })

  it('read the documents of a page only as long as none of them has changed', async () => {
    const views = await openViews(newPath('views.sqlite'))
    await views.prepare(spec(IN_MEMORY))
    await views.makeMemoryIndexes(FIND.view)
    const put = (id: string, at: number, sortKey: string | null) =>
      views.commit([batch([write(id, at, sortKey === null ? null : { ranking: 'a', member: sortKey, own: id })])])
    for (const id of ['d-1', 'd-2', 'd-3']) await put(id, 1, id)
    const { pages } = rankingsOfViews(views).of(FIND.view, 0)
    if (pages === undefined) throw new Error('these rankings are no index')
    const firstTwo = () => pages.at('a', 0, 2)
    const idsOf = (page: RankedPage) => page.values(OWN, page.stamp.rows).map(([own]) => own)

    const unchanged = firstTwo()
    await put('d-3', 2, 'd-4')
    expect(idsOf(unchanged)).to.deep.equal(['d-1', 'd-2'])
    for (const [n, sortKey] of ['d-20', null].entries()) {
      const changed = firstTwo()
      await put('d-2', 3 + n, sortKey)
      expect(() => changed.values(OWN, changed.stamp.rows), String(sortKey)).to.throw('after it changed')
      expect(idsOf(firstTwo())).to.deep.equal(['d-1', sortKey === null ? 'd-3' : 'd-2'])
    }
    const dropped = firstTwo()
    await views.drop(FIND.view)
    expect(() => dropped.values(OWN, dropped.stamp.rows)).to.throw(RankingsLost)
    await views.prepare(spec(IN_MEMORY))
    await views.makeMemoryIndexes(FIND.view)
    expect(() => dropped.values(OWN, dropped.stamp.rows)).to.throw('after it changed')
    await views.close()
  })

  it('name each state of a ranking by another version, also after it was empty or its view was dropped', async () => {
    const views = await openViews(newPath('views.sqlite'))
    const { pages } = rankingsOfViews(views).of(FIND.view, 0)
    if (pages === undefined) throw new Error('these rankings are no index')
    const put = (id: string, at: number, ranking: string | null, member = id) =>
      views.commit([batch([write(id, at, ranking === null ? null : { ranking, member })])])
    const prepare = async () => {
      await views.prepare(spec(IN_MEMORY))
      await views.makeMemoryIndexes(FIND.view)
    }
    expect(pages.version('a')).to.equal(null)
    await prepare()
    expect(pages.version('a')).to.equal(null)
    const versions: (number | null)[] = []
    const expectAnother = () => {
      const version = pages.version('a')
      expect(version).to.be.a('number')
      expect(versions).not.to.include(version)
      expect(pages.version('a')).to.equal(version)
      versions.push(version)
    }
    await put('d-1', 1, 'a')
    expectAnother()
    await put('d-2', 1, 'b')
    await put('d-1', 2, 'a')
    expect(pages.version('a')).to.equal(versions.at(-1))
    await put('d-1', 3, 'a', 'd-0')
    expectAnother()
    await put('d-2', 2, 'a')
    expectAnother()
    await put('d-2', 3, null)
    expectAnother()
    await put('d-1', 4, null)
    expect(pages.version('a')).to.equal(null)
    await put('d-1', 5, 'a')
    expectAnother()
    await views.drop(FIND.view)
    expect(pages.version('a')).to.equal(null)
    await prepare()
    await put('d-1', 1, 'a')
    expectAnother()
    await views.close()
  })

  it('take in what is written while they are made', async () => {
    const path = newPath('views.sqlite')
    const first = await openViews(path)
    await first.prepare(spec(IN_MEMORY))
    const many = Array.from({ length: 25_000 }, (_, n) => `d-${n}`)
    const someOf = (random: Random, ids: readonly string[], at: number) =>
      batch(ids.map((id) => write(id, at, someBody(random, id))))
    await first.commit([someOf(new Random(1), many, 1)])
    await first.close()
    for (let seed = 1; seed <= 5; seed++) {
      const random = new Random(seed)
      const views = await openViews(path)
      let isMade = false
      const making = views.prepare(spec(IN_MEMORY)).then(() => {
        isMade = true
      })
      let during = 0
      for (let at = 2; !isMade; at++) {
        const ids = Array.from({ length: 40 }, () => random.pick(many))
        const change = someOf(random, [...ids, `new-${seed}-${at}`], seed * 1_000 + at)
        await Promise.all([views.commit([change]), yieldToEventLoop()])
        during++
      }
      await making
      expect(during).to.be.greaterThan(3)
      await expectRankings(views, random, `seed ${seed}`)
      await expectTwins(views, random, `seed ${seed}`)
      const all = { ...FIND, equal: ['a'], limit: 99_999 }
      expect(await views.find({ ...all, index: 'rank' })).to.deep.equal(await views.find({ ...all, index: 'twin' }))
      await views.close()
    }
  })

  it('are made from a damaged row whose time is infinite', async () => {
    const path = newPath('views.sqlite')
    const first = await openViews(path)
    await first.prepare(spec(IN_MEMORY))
    const row = (id: string, at: number) => write(id, at, { ranking: 'a', member: id, time: TIMES[at] ?? '' })
    await first.commit([batch([row('d-1', 1), row('d-2', 2)])])
    await first.close()
    const file = new DatabaseSync(path)
    const { number } = file.prepare("SELECT number FROM collections WHERE name = 'thing'").get() as { number: number }
    file.exec(`UPDATE "c${number}" SET f_time = 9e999 WHERE id = 'd-1'`)
    file.close()
    reseal(path)
    const views = await openViews(path)
    await views.prepare(spec(IN_MEMORY))
    const found = await views.find({ ...FIND, index: 'oldest', equal: ['a'], limit: 1 })
    expect(found.map(({ id }) => id)).to.deep.equal(['d-2'])
    await views.close()
  })

  it('stay in the file if another store has the rankings', async () => {
    const path = newPath('views.sqlite')
    const views = await openViews(path, { ranksInFile: true })
    for (const _ of [1, 2]) await views.prepare(spec(IN_MEMORY))
    expect(views.ranked(FIND.view)).to.equal(null)
    await views.close()
    expect(indexesOf(path)).to.deep.equal(['', 'oldest', 'rank', 'twinOldest'])
  })

  it('throw a TypeError for a document or a query that they cannot have, and a RangeError for a negative limit', async () => {
    const views = await openViews(newPath('views.sqlite'))
    await views.prepare(spec(IN_MEMORY))
    for (const body of [
      { ranking: 'a', member: null },
      { ranking: 'a', member: 7 },
      { ranking: 7, member: 'm' },
      { ranking: 'a', member: 'two words' },
      { ranking: 'a', member: 'ä' },
      { ranking: 'a', member: 'm'.repeat(401) },
    ]) {
      const refused = await views.commit([batch([write('d-1', 1, body)])]).catch((error: unknown) => error)
      expect(refused, JSON.stringify(body)).to.be.an.instanceOf(TypeError)
    }
    await views.commit([batch([write('d-1', 1, { ranking: 'a', member: 'm'.repeat(400) })])])
    for (const find of [
      { equal: [] },
      { equal: ['a', 'm'] },
      { equal: [7] },
      { equal: ['a'], behind: { fields: ['m'], id: 'd-1' } },
    ]) {
      const refused = await views.find({ ...FIND, index: 'rank', ...find }).catch((error: unknown) => error)
      expect(refused, JSON.stringify(find)).to.be.an.instanceOf(TypeError)
    }
    for (const find of [
      { equal: [] },
      { equal: ['a', 'late'] },
      { equal: ['a', TIMES[0] ?? '', 'm'] },
      { equal: [7] },
      { equal: ['a'], from: 5 },
      { equal: ['a'], until: '2026' },
      { equal: ['a'], among: [TIMES[0] ?? ''] },
      { equal: ['a'], behind: { fields: [TIMES[0] ?? '', 'm'], id: 'd-1' } },
    ]) {
      const refused = await views.find({ ...FIND, index: 'newest', ...find }).catch((error: unknown) => error)
      expect(refused, JSON.stringify(find)).to.be.an.instanceOf(TypeError)
    }
    const negative = await views.find({ ...FIND, index: 'rank', equal: ['a'], limit: -1 }).catch((error) => error)
    expect(negative).to.be.an.instanceOf(RangeError)
    const { indexes } = IN_MEMORY
    for (const rank of [['ranking'], ['ranking', '-member'], ['-ranking', 'member'], ['ranking', 'member', 'other']]) {
      const declared = { ...IN_MEMORY, indexes: { ...indexes, rank } }
      const refused = await views.prepare({ ...spec(declared), key: 'others@1' }).catch((error: unknown) => error)
      expect(refused, JSON.stringify(rank)).to.be.an.instanceOf(TypeError)
    }
    const unknown = views.prepare({ ...spec({ ...IN_MEMORY, ranking: 'none' }), key: 'others@1' })
    expect(await unknown.catch((error: unknown) => error)).to.be.an.instanceOf(TypeError)
    await views.close()
  })

  it('leave an index by time in the file if its fields are not those of the ranking with a time between', async () => {
    for (const oldest of [
      ['ranking', 'more', 'member'],
      ['ranking', 'member', 'time'],
      ['ranking', '-time', 'member'],
    ]) {
      const path = newPath('views.sqlite')
      const views = await openViews(path)
      const { rank = [], twin = [] } = IN_MEMORY.indexes
      const declared = { ...IN_MEMORY, indexes: { rank, twin, oldest } }
      for (const _ of [1, 2]) await views.prepare(spec(declared))
      await views.commit([batch(IDS.map((id, n) => write(id, 1, { ranking: 'a', member: `${n % 7}${id}` })))])
      expect(await views.count({ ...FIND, index: 'oldest', equal: ['a'] })).to.equal(IDS.length)
      await views.close()
      expect(indexesOf(path), JSON.stringify(oldest)).to.deep.equal(['', 'oldest', 'twin'])
    }
  })
})
