// How the embedded read models store indexed fields whose strings are declared: documents come back as they were,
// queries find what they find without the declaration, and rows are short.

import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import fc from 'fast-check'
import { entries } from '../../projections/entries.ts'
import { players } from '../../projections/players.ts'
import type { CollectionSpec, Document, Find } from '../../stores/contract/views.ts'
import { DerivedDamaged } from '../../stores/embedded/derived-database.ts'
import { openViews } from '../../stores/embedded/views.ts'
import { declaredOf } from '../../stores/embedded/views-schema.ts'
import { batch, document, write } from '../contracts/documents.ts'
import { findPlainly } from '../contracts/views-model.ts'
import { reseal } from './derived-files.ts'
import { newPath } from './folder.ts'

const INDEXES = { time: ['r', 't', 'x'], newest: ['r', '-t', 'x'], text: ['x', 'r'], alone: ['t'] } as const

/** `d` is in no index. */
const COLUMNS = { d: 'time', r: 'term', t: 'time', x: 'text' } as const

const spec = (fields: CollectionSpec['fields']) => ({
  key: 'things@1',
  collections: [{ name: 'thing', indexes: INDEXES, ...(fields && { fields }) }],
})

const TIMES = [
  '0000-01-01T00:00:00.000Z',
  '0001-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00.000Z',
  '1970-01-01T00:00:00.001Z',
  '2026-11-21T07:05:01.123Z',
  '9999-12-31T23:59:59.999Z',
] as const

const time = fc.oneof(
  fc.constantFrom(...TIMES),
  fc
    .date({ min: new Date(TIMES[0]), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
    .map((date) => date.toISOString()),
)

const TERMS = ['board-b.1', 'board-a.2', '0', 'not plain: ä', 'ill-formed \ud800']
const TEXTS = ['0', '', 'x', 'ä', '-1', '9e999']

const body = fc.record({
  r: fc.option(fc.constantFrom(...TERMS)),
  t: fc.option(time),
  x: fc.option(fc.constantFrom(...TEXTS)),
  d: fc.option(time),
  // JSON has no -0, which fast-check generates.
  other: fc.jsonValue({ maxDepth: 1 }).map((value): unknown => JSON.parse(JSON.stringify(value))),
})

async function filled(bodies: readonly Document['body'][], path: string) {
  const documents = bodies.map((own, n) => document(`d-${n}`, n + 1, own))
  const views = await openViews(path)
  await views.prepare(spec(COLUMNS))
  await views.commit([batch(documents.map(({ id, body: own }, n) => write(id, n + 1, own)))])
  return { views, documents }
}

describe('declared columns of the embedded read models', () => {
  it('give every document back, also from a file that is opened again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(body, { maxLength: 12 }), async (bodies) => {
        const path = newPath('views.sqlite')
        const { views, documents } = await filled(JSON.parse(JSON.stringify(bodies)), path)
        const ids = documents.map(({ id }) => id)
        expect(await views.scan('things@1', 'thing', null, 99)).to.have.deep.members(documents)
        await views.close()
        const again = await openViews(path)
        expect(await again.get('things@1', 'thing', ids)).to.deep.equal(documents)
        await again.close()
      }),
      { numRuns: 60 },
    )
  })

  it('find what a model finds, in its order, if the terms are given', async () => {
    const bound = fc.option(
      fc.oneof(
        time,
        body.map(({ t }) => t ?? TIMES[0] ?? ''),
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(body, { maxLength: 30 }),
        fc.constantFrom(...TERMS, 'unknown'),
        fc.record({ from: bound, until: bound, after: bound }),
        fc.boolean(),
        fc.nat(3),
        async (bodies, term, { from, until, after }, reverse, skip) => {
          const { views, documents } = await filled(bodies as Document['body'][], newPath('views.sqlite'))
          const bounds = { ...(from && { from }), ...(until && { until }), ...(after && { after }) }
          const finds: Partial<Find>[] = [
            { index: 'time', equal: [term], ...bounds },
            { index: 'newest', equal: [term], skip },
            { index: 'newest', equal: [term], ...bounds },
            { index: 'time', equal: [1] },
            { index: 'text', equal: ['0', 1] },
            { index: 'time', equal: [term], among: [0, 1] },
            {
              index: 'time',
              equal: [term],
              among: documents.flatMap(({ body: own }) => (own.t === null ? [] : [String(own.t)])),
            },
            { index: 'text', equal: ['0', term] },
            { index: 'alone', equal: [], ...bounds },
          ]
          for (const [n, { id, body: own }] of documents.entries()) {
            if (n < 3 && own.r === term)
              finds.push({ index: 'time', equal: [term], behind: { fields: [own.t, own.x] as (string | null)[], id } })
          }
          for (const find of finds) {
            const full = { view: 'things@1', collection: 'thing', limit: 9, reverse, ...find } as Find
            const fields = INDEXES[full.index as keyof typeof INDEXES]
            const expected = findPlainly(documents, fields, full)
            expect(await views.find(full), JSON.stringify(full)).to.deep.equal(expected)
            expect(await views.count({ ...full, skip: 0 }), JSON.stringify(full)).to.equal(
              findPlainly(documents, fields, { ...full, skip: 0 }).length,
            )
          }
          await views.close()
        },
      ),
      { numRuns: 100 },
    )
  })

  it('keep each term once, and give the same order of the terms to all queries, null first', async () => {
    const path = newPath('views.sqlite')
    const bodies = ['b', 'a', 'b', 'c', 'a'].map((r, n) => ({ r, t: null, x: 'x', n }))
    const { views } = await filled([...bodies, { r: null, t: null, x: 'x', n: 9 }], path)
    const find = { view: 'things@1', collection: 'thing', index: 'text', equal: ['x'], limit: 9 }
    const found = await views.find(find)
    expect(found.map(({ body: own }) => own.r)).to.deep.equal([null, 'b', 'b', 'a', 'a', 'c'])
    expect(await views.find({ ...find, reverse: true })).to.deep.equal([...found].reverse())
    const behind = { fields: ['b'], id: found[2]?.id ?? '' }
    expect(await views.find({ ...find, behind })).to.deep.equal(found.slice(3))
    await views.close()
    const file = new DatabaseSync(path)
    expect(
      file
        .prepare('SELECT text FROM terms ORDER BY number')
        .all()
        .map(({ text }) => text),
    ).to.deep.equal(['b', 'a', 'c'])
    file.close()
  })

  it('keep other strings in their rows, sorted after the times', async () => {
    const others = [
      '2026',
      '2026-11-21',
      '-000001-12-31T23:59:59.999Z',
      '2026-02-30T00:00:00.000Z',
      '+010000-01-01T00:00:00.000Z',
    ]
    const path = newPath('views.sqlite')
    const { views } = await filled(
      [...others, TIMES[5] ?? ''].map((t) => ({ r: 'r', t, x: 'x' })),
      path,
    )
    const found = await views.find({ view: 'things@1', collection: 'thing', index: 'time', equal: ['r'], limit: 9 })
    expect(found.map(({ body: own }) => own.t)).to.deep.equal([TIMES[5], ...others.slice().sort()])
    await views.close()
    const file = new DatabaseSync(path)
    const [kinds] = file.prepare('SELECT group_concat(DISTINCT typeof(f_t)) AS types FROM c1').all()
    expect(kinds).to.deep.equal({ types: 'text,integer' })
    file.close()
  })

  it('find times before 1970 where they are, and by them', async () => {
    const { views } = await filled(
      TIMES.map((t) => ({ r: 'r', t, x: 'x' })),
      newPath('views.sqlite'),
    )
    const find = { view: 'things@1', collection: 'thing', equal: ['r'], limit: 9 }
    const [earlier, at] = ['1969-12-31T23:59:59.999Z', TIMES.indexOf('1969-12-31T23:59:59.999Z')]
    const found = async (one: Partial<Find>) =>
      (await views.find({ ...find, ...one } as Find)).map(({ body: { t } }) => t)
    expect(await found({ index: 'time', from: earlier })).to.deep.equal(TIMES.slice(at))
    expect(await found({ index: 'time', until: earlier })).to.deep.equal(TIMES.slice(0, at))
    expect(await found({ index: 'newest', until: earlier })).to.deep.equal(TIMES.slice(at + 1).reverse())
    expect(await found({ index: 'newest', after: earlier })).to.deep.equal(TIMES.slice(0, at).reverse())
    await views.close()
  })

  it('give back the positions of any log', async () => {
    const path = newPath('views.sqlite')
    const { views } = await filled([], path)
    const positions = [
      '0000000000000001',
      '0000000080000001',
      '00038d7ea4c67fff',
      '00038d7ea4c68001',
      '0020000000000001',
      'ffffffffffffffff',
      '0000000080000001z',
      '00000001800000010000000180000000',
    ]
    const writes = positions.map((pos, n) => ({ ...write(`d-${n}`, 1, { r: 'r', t: null, x: 'x' }), pos }))
    await views.commit([batch(writes)])
    await views.close()
    const again = await openViews(path)
    const documents = await again.scan('things@1', 'thing', null, 9)
    expect(documents.map(({ pos }) => pos)).to.deep.equal(positions)
    await again.close()
  })

  for (const [what, sql] of [
    ['is no text', 'UPDATE terms SET text = CAST(text AS BLOB) WHERE number = 2'],
    ['is missing', 'DELETE FROM terms WHERE number = 1'],
    ['is there twice', "UPDATE terms SET text = 'a' WHERE number = 2"],
    ['is not printable', "UPDATE terms SET text = 'b' || char(7) WHERE number = 2"],
  ] as const) {
    it(`move the file away if a term ${what}`, async () => {
      const path = newPath('views.sqlite')
      const { views } = await filled(
        ['a', 'b'].map((r) => ({ r, t: null, x: 'x' })),
        path,
      )
      await views.close()
      const file = new DatabaseSync(path)
      file.exec(sql)
      file.close()
      reseal(path)
      const failure = await openViews(path).catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(DerivedDamaged)
      expect(String(failure)).to.include('its tables cannot be read')
    })
  }

  it('need no index', async () => {
    const path = newPath('views.sqlite')
    const documents = TIMES.map((d, n) => document(`d-${n}`, n + 1, { d, more: n }))
    const views = await openViews(path)
    await views.prepare({ key: 'things@1', collections: [{ name: 'thing', indexes: {}, fields: { d: 'time' } }] })
    await views.commit([batch(documents.map(({ id, body: own }, n) => write(id, n + 1, own)))])
    await views.close()
    const again = await openViews(path)
    expect(await again.scan('things@1', 'thing', null, 99)).to.deep.equal(documents)
    expect(await again.get('things@1', 'thing', ['d-2'])).to.deep.equal([documents[2]])
    await again.close()
  })

  it('refuse a number', async () => {
    const { views } = await filled([], newPath('views.sqlite'))
    const refused = await views
      .commit([batch([write('d-1', 1, { r: 'r', t: 5, x: 'x' })])])
      .catch((error: unknown) => error)
    expect(String(refused)).to.equal('TypeError: Field t must be a string or null')
    await views.close()
  })

  it('forget the terms of a view that is dropped, and change when the declaration does', async () => {
    const path = newPath('views.sqlite')
    const { views, documents } = await filled([{ r: 'r', t: TIMES[5] ?? '', x: 'x' }], path)
    await views.prepare(spec(undefined))
    expect(await views.scan('things@1', 'thing', null, 9)).to.deep.equal(documents)
    await views.prepare(spec(COLUMNS))
    expect(await views.scan('things@1', 'thing', null, 9)).to.deep.equal(documents)
    await views.drop('things@1')
    await views.close()
    const file = new DatabaseSync(path)
    expect(file.prepare('SELECT count(*) AS n FROM terms').get()).to.deep.equal({ n: 0 })
    file.close()
  })
})

/**
 * As version 7 of the view of entries, and version 0.2.0 of the program for players, wrote them to the register: with
 * other texts the next start moves every row to a new table.
 */
const ENTRIES = {
  indexes:
    '"indexes":{"rank":["ranking","member"],"oldest":["ranking","updated","member"],' +
    '"newest":["ranking","-updated","member"],"player":["player","ranking","ofPlayer"],"lookup":["lookup"],' +
    '"differing":["changedIn","differsAs","differsKey"],"changed":["changedIn","changedAt","differsKey"]}',
  distinct: '"distinct":["ranking","member"]',
  ranking: '"ranking":{"byRank":"rank","byTime":"oldest"}',
  fewTies: '"fewTies":["changed","differing","lookup","player"]',
  strings:
    '"strings":{"added":"time","ranking":"term","member":"text","updated":"time","player":"text","ofPlayer":"text",' +
    '"lookup":"text","changedIn":"term","changedAt":"text","differsAs":"term","differsKey":"text"}',
}

const PLAYERS =
  '{"indexes":{"game":["listed","created"],"due":["bannedUntil"],"deleted":["deletedAt"]},"nestedFields":["state"],' +
  '"strings":{"listed":"term","created":"time","bannedUntil":"time","deletedAt":"time"}}'

describe('what the embedded register keeps of a collection', () => {
  it('is what earlier programs wrote for entries and players, so that their tables stay', () => {
    const [own] = entries.collections
    const [ofPlayers] = players.collections
    if (own === undefined || ofPlayers === undefined) throw new Error('there are no collections')
    const { ranking, ...inFile } = ENTRIES
    const all = Object.values(ENTRIES).join()
    expect(JSON.stringify(declaredOf(own, { ranksInFile: false }))).to.equal(`{${all}}`)
    expect(JSON.stringify(declaredOf(own, { ranksInFile: true }))).to.equal(`{${Object.values(inFile).join()}}`)
    expect(ranking).to.include('byTime')
    expect(JSON.stringify(declaredOf(ofPlayers, { ranksInFile: false }))).to.equal(PLAYERS)
  })
})
