// What only the read models in MongoDB promise, beside the contract: that several processes share them, that nothing given
// to them becomes an operator or comes back changed, and that a find searches an index.

import { expect } from 'chai'
import fc from 'fast-check'
import { after, before, describe, it } from 'mocha'
import { type Collection, MongoClient } from 'mongodb'
import type { JsonObject } from '../../domain/event.ts'
import type { Find, Views, Write } from '../../stores/contract/views.ts'
import { openMongo } from '../../stores/mongodb/open.ts'
import { queryOf } from '../../stores/mongodb/query.ts'
import { type Row, tableOf } from '../../stores/mongodb/rows.ts'
import { writeRows } from '../../stores/mongodb/writes.ts'
import { batch, document, got, holding, INDEXES, pos, viewSpec, write } from '../contracts/documents.ts'
import { type Databases, databases, GIVEN_URL } from '../servers/ferretdb/database.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'

const FIND: Find = { view: 'things@1', collection: 'thing', index: 'byA', equal: [], limit: 99 }

describe('the read models in MongoDB', () => {
  let servers: Databases
  before(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    servers = await databases()
  })
  after(() => servers.end())

  /** So many connections to one new database. */
  async function sharing(processes: number, use: (url: string, ...views: Views[]) => Promise<void>): Promise<void> {
    const url = servers.fresh()
    const all = await Promise.all(Array.from({ length: processes }, () => openMongo({ url })))
    try {
      await use(url, ...all.map(({ views }) => views))
    } finally {
      for (const one of all) await one.close()
    }
  }

  const one = (use: (views: Views, url: string) => Promise<void>) =>
    sharing(1, async (url, views) => {
      if (views !== undefined) await use(views, url)
    })

  const two = (use: (a: Views, b: Views, url: string) => Promise<void>) =>
    sharing(2, async (url, a, b) => {
      if (a !== undefined && b !== undefined) await use(a, b, url)
    })

  async function withRows(url: string, use: (rows: Collection<Row>) => Promise<void>): Promise<void> {
    const client = new MongoClient(url)
    try {
      const names = await client.db().listCollections({}, { nameOnly: true }).toArray()
      const name = names.find(({ name: some }) => some.startsWith('view.'))?.name
      await use(client.db().collection<Row>(name ?? 'none'))
    } finally {
      await client.close()
    }
  }

  it('are seen by another process as they are, also by one that prepared nothing', () =>
    two(async (a, b) => {
      const checkpoints = [[2, { position: pos(7), eventId: 'e-7' }]] as const
      await holding(a, [write('d-1', 1, { s: 'x' }), write('d-2', 9, null)])
      await a.commit([batch([], { checkpoints })])
      expect(await b.list()).to.deep.equal(['things@1'])
      expect(await b.checkpoints('things@1')).to.deep.equal(new Map(checkpoints))
      expect(await got(b, 'd-1', 'd-2')).to.deep.equal([document('d-1', 1, { s: 'x' }), null])
      await b.commit([batch([write('d-2', 8, { s: 'late' }), write('d-1', 2, { a: 'y', s: 'x' })])])
      expect(await got(a, 'd-1', 'd-2')).to.deep.equal([document('d-1', 2, { a: 'y', s: 'x' }), null])
      expect(await a.find({ ...FIND, equal: ['y'] })).to.have.length(1)
    }))

  it('are prepared by several processes at once', () =>
    sharing(4, async (_url, ...views) => {
      await Promise.all(views.map((each) => each.prepare(viewSpec())))
      await Promise.all(views.map((each, n) => each.commit([batch([write(`d-${n}`, 1, { s: 'x' })])])))
      for (const each of views) {
        const found = await each.find({ ...FIND, index: 'byS', equal: ['x'] })
        expect(found.map(({ id }) => id)).to.deep.equal(['d-0', 'd-1', 'd-2', 'd-3'])
      }
    }))

  it('end in the newest of each document, whatever two writers send at once', async function () {
    this.timeout(60_000)
    await two(async (a, b) => {
      await a.prepare(viewSpec())
      for (let round = 0; round < 15; round += 1) {
        const ids = Array.from({ length: 40 }, (_, n) => `r${round}-${n}`)
        // Each id at two positions; who has the newer one differs from id to id, and so does the order.
        const of = (parity: number) =>
          ids.map((id, n) =>
            write(id, n % 2 === parity ? 2 : 1, n % 3 === 0 ? null : { s: `${n % 2 === parity ? 2 : 1}` }),
          )
        await Promise.all([
          ...[0, 10, 20, 30].map((at) => a.commit([batch(of(0).slice(at, at + 10))])),
          ...[30, 20, 10, 0].map((at) =>
            b.commit([
              batch(
                of(1)
                  .slice(at, at + 10)
                  .reverse(),
              ),
            ]),
          ),
        ])
        const expected = ids.map((id, n) => (n % 3 === 0 ? null : document(id, 2, { s: '2' })))
        expect(await got(a, ...ids)).to.deep.equal(expected)
      }
    })
  })

  it('write a newer row also where an older one was inserted between looking and inserting', () =>
    one(async (views, url) => {
      await holding(views, [])
      await withRows(url, async (rows) => {
        const row = (id: string, at: number): Row => ({ _id: id, pos: pos(at), doc: '{}' })
        await rows.insertMany([row('d-1', 1), row('d-2', 9)])
        // The second half of an upsert that found nothing: MongoDB inserts, and answers that the id is taken.
        let isFirst = true
        const late = new Proxy(rows, {
          get: (target, name) => {
            if (name !== 'bulkWrite' || !isFirst) return Reflect.get(target, name).bind?.(target)
            isFirst = false
            const inserts = ['d-1', 'd-2', 'd-3'].map((id) => ({ insertOne: { document: row(id, 5) } }))
            return () => target.bulkWrite(inserts, { ordered: false })
          },
        })
        await writeRows(late, [row('d-1', 5), row('d-2', 5), row('d-3', 5)])
        expect(isFirst).to.equal(false)
        const standing = await rows.find().sort({ _id: 1 }).toArray()
        expect(standing).to.deep.equal([row('d-1', 5), row('d-2', 9), row('d-3', 5)])
      })
    }))

  it('pass over what is not newer without passing over what comes after it in the same commit', () =>
    one(async (views) => {
      await holding(views, [write('d-1', 1, { s: 'a' }), write('d-2', 9, { s: 'b' }), write('d-4', 1, { s: 'd' })])
      const writes = ['d-0', 'd-1', 'd-2', 'd-3', 'd-4'].map((id) => write(id, 5, { s: 'new' }))
      await views.commit([batch(writes)])
      expect((await got(views, 'd-0', 'd-1', 'd-2', 'd-3', 'd-4')).map((found) => found?.body.s)).to.deep.equal([
        'new',
        'new',
        'b',
        'new',
        'new',
      ])
    }))

  it('take a commit of any size, and give back any number of ids', async function () {
    this.timeout(60_000)
    await one(async (views) => {
      await views.prepare(viewSpec())
      const writes = (at: number): Write[] =>
        Array.from({ length: 620 }, (_, n) => write(`d-${n}`, at + (n % 2), { a: 'x', n }))
      await views.commit([batch(writes(1))])
      await views.commit([batch(writes(2))])
      const ids = writes(0).map(({ id }) => id)
      const expected = ids.map((id, n) => document(id, 2 + (n % 2), { a: 'x', n }))
      const missing = Array.from({ length: 2_000 }, (_, n) => `none-${n}`)
      expect(await got(views, ...missing, ...ids)).to.deep.equal([...missing.map(() => null), ...expected])
      expect(await views.find({ ...FIND, equal: ['x'], limit: 9_999 })).to.deep.equal(expected)
      expect(await views.count({ ...FIND, limit: 9_999 })).to.equal(620)
    })
  })

  it('write nothing of a commit of which something cannot be written', () =>
    one(async (views) => {
      await holding(views, [write('d-1', 1, { s: 'x' })])
      const checkpoints = [[0, { position: pos(5), eventId: 'e-5' }]] as const
      for (const bad of [
        write('d-2', 5, { s: ['no', 'index', 'field'] }),
        write('d-2', 5, { s: { $gt: '' } }),
        write('d-2', 5, { n: Number.NaN }),
        write('Zoë', 5, {}),
        write('', 5, {}),
        { ...write('d-2', 5, {}), id: { $ne: '' } as never },
        { ...write('d-2', 5, {}), pos: { $ne: '' } as never },
      ]) {
        const committed = views.commit([batch([write('d-1', 5, { s: 'y' }), bad], { checkpoints })])
        expect(await committed.catch((error: unknown) => error), JSON.stringify(bad)).to.be.an.instanceOf(TypeError)
      }
      expect(await views.scan('things@1', 'thing', null, 9)).to.deep.equal([document('d-1', 1, { s: 'x' })])
      expect(await views.checkpoints('things@1')).to.deep.equal(new Map())
    }))

  it('refuse names that say nothing, and what was never declared', () =>
    one(async (views) => {
      const refusals = [
        views.prepare(viewSpec('things')),
        views.prepare(viewSpec('things@1$')),
        views.prepare(viewSpec('things@1', { 'a b': ['a'] })),
        views.prepare(viewSpec('things@1', { byA: ['a.b'] })),
        views.prepare(viewSpec('things@1', { byA: ['$where'] })),
        views.prepare(viewSpec('things@1', { byA: [] })),
        views.prepare(viewSpec(`things@${'1'.repeat(160)}`)),
        views.get('things@1', 'thing', ['d-1']),
      ]
      for (const refusal of refusals) {
        expect(await refusal.catch((error: unknown) => error)).to.be.an.instanceOf(TypeError)
      }
      await views.prepare(viewSpec())
      for (const asked of [
        { index: 'byZ' },
        { index: '__proto__' },
        { equal: ['x', 1, 2] },
        { equal: ['x', 1], from: 1 },
        { equal: [{ $gt: '' } as never] },
        { equal: ['x'], from: { $gt: '' } as never },
        { equal: ['x'], until: Number.NaN },
      ]) {
        const found = views.find({ ...FIND, ...asked })
        expect(await found.catch((error: unknown) => error), JSON.stringify(asked)).to.be.an.instanceOf(TypeError)
      }
      for (const limit of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        for (const call of [
          views.find({ ...FIND, limit }),
          views.count({ ...FIND, limit }),
          views.scan('things@1', 'thing', null, limit),
        ]) {
          expect(await call.catch((error: unknown) => error), String(limit)).to.be.an.instanceOf(RangeError)
        }
      }
    }))

  it('answer a limit of 0 with nothing, and an id that is none with null', () =>
    one(async (views) => {
      await holding(views, [write('d-1', 1, { a: 'x', s: 'x' })])
      expect(await views.find({ ...FIND, limit: 0 })).to.deep.equal([])
      expect(await views.count({ ...FIND, limit: 0 })).to.equal(0)
      expect(await views.scan('things@1', 'thing', null, 0)).to.deep.equal([])
      const odd = [{ $ne: null } as never, null as never, /d-1/ as never, '', 'Zoë', '\ud800']
      expect(await got(views, ...odd, 'd-1')).to.deep.equal([
        ...odd.map(() => null),
        document('d-1', 1, { a: 'x', s: 'x' }),
      ])
    }))

  it('give back every accepted body and id exactly, and find them by any text', async function () {
    this.timeout(120_000)
    await one(async (views) => {
      let run = 0
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(someDocument(), { selector: ({ id }) => id, maxLength: 12 }), async (all) => {
          run += 1
          const view = `things@${run}`
          await views.prepare(viewSpec(view))
          await views.commit([
            batch(
              all.map(({ id, body }) => write(id, 1, body)),
              { view },
            ),
          ])
          const found = await views.get(
            view,
            'thing',
            all.map(({ id }) => id),
          )
          // As text: deep equality does not see the order of keys.
          expect(found.map((each) => [each?.id, JSON.stringify(each?.body)])).to.deep.equal(
            all.map(({ id, body }) => [id, JSON.stringify(body)]),
          )
          for (const { body } of all) {
            if (typeof body.a !== 'string' || /\p{Surrogate}/u.test(body.a)) continue
            const same = all.filter((each) => each.body.a === body.a).map(({ id }) => id)
            const byText = await views.find({ ...FIND, view, equal: [body.a] })
            expect(byText.map(({ id }) => id)).to.have.members(same)
          }
        }),
        { numRuns: 60 },
      )
    })
  })

  it('index a field by any name that is one, of those bodies only that have it', () =>
    one(async (views) => {
      await views.prepare(viewSpec('things@1', { made: ['constructor'], shown: ['toString', 'n'] }))
      const written = [write('d-1', 1, { n: 1 }), write('d-2', 1, { constructor: 'x', toString: 'y' })]
      await views.commit([batch(written)])
      for (const index of ['made', 'shown']) {
        expect((await views.find({ ...FIND, index })).map(({ id }) => id)).to.deep.equal(['d-2'])
      }
    }))

  it('keep half a surrogate pair in a body, and index it as U+FFFD', () =>
    one(async (views) => {
      await holding(views, [
        write('d-1', 1, { a: '\ud800' }),
        write('d-2', 1, { a: '\udfff' }),
        write('d-3', 1, { a: 'x' }),
      ])
      expect(await got(views, 'd-1')).to.deep.equal([document('d-1', 1, { a: '\ud800' })])
      for (const asked of ['\ufffd', '\ud800']) {
        const found = await views.find({ ...FIND, equal: [asked] })
        expect(found.map(({ id, body }) => [id, body.a])).to.deep.equal([
          ['d-1', '\ud800'],
          ['d-2', '\udfff'],
        ])
      }
    }))

  it('order text by code point, as the embedded ones do', () =>
    one(async (views) => {
      const texts = ['', '\u0000', 'X', 'x', 'x\u0000', 'xy', 'ä', '€', '\ue000', '\uffee', '\u{1f3b2}']
      await holding(views, texts.map((a, n) => write(`d-${n}`, 1, { a })).reverse())
      const found = await views.find(FIND)
      expect(found.map(({ body }) => body.a)).to.deep.equal(texts)
    }))

  it('mend what a preparation that broke off left behind', () =>
    two(async (a, b, url) => {
      await holding(a, [write('d-1', 1, { a: 'x', s: 'q' }), write('d-2', 2, null)])
      // Its state between the note that rows are written anew and the last of them.
      const client = new MongoClient(url)
      const entries = client.db().collection<{ _id: string }>('views')
      await entries.updateOne({ _id: 'things@1' }, { $set: { collections: [{ name: 'thing', indexes: '' }] } })
      await client.close()
      await withRows(url, async (rows) => {
        await rows.replaceOne({ _id: 'd-1' }, { pos: pos(1), doc: '{"a":"x","s":"q"}' })
      })
      const early = b.commit([batch([write('d-3', 3, { a: 'x' })])])
      expect(String(await early.catch((error: unknown) => error))).to.include('is being prepared')
      await b.prepare(viewSpec())
      await b.commit([batch([write('d-2', 1, { a: 'x' }), write('d-3', 3, { a: 'x' })])])
      expect((await b.find({ ...FIND, equal: ['x'] })).map(({ id }) => id)).to.deep.equal(['d-1', 'd-3'])
      expect((await b.find({ ...FIND, index: 'byS', equal: ['q'] })).map(({ id }) => id)).to.deep.equal(['d-1'])
    }))

  it('drop the indexes and fields that are declared no more', () =>
    one(async (views, url) => {
      await holding(views, [write('d-1', 1, { a: 'x', n: 1, s: 'q' })])
      await views.prepare(viewSpec('things@1', { byN: ['-n'], again: ['-n'] }))
      await withRows(url, async (rows) => {
        const keys = (await rows.indexes()).map(({ key }) => JSON.stringify(key))
        expect(keys.sort()).to.deep.equal(['{"_id":1}', '{"f_n":-1,"_id":1}'])
        expect(await rows.findOne({ _id: 'd-1' })).to.deep.equal({
          _id: 'd-1',
          pos: pos(1),
          doc: '{"a":"x","n":1,"s":"q"}',
          f_n: 1,
        })
      })
      expect(await views.find({ ...FIND, index: 'again' })).to.have.length(1)
    }))

  it('refuse the checkpoint of a writer that slept through a drop, and never meet its documents again', () =>
    two(async (a, b, url) => {
      await holding(a, [write('d-1', 1, { s: 'old' })])
      await b.prepare(viewSpec())
      await a.drop('things@1')
      await a.prepare(viewSpec())
      const checkpoints = [[0, { position: pos(9), eventId: 'e-9' }]] as const
      const late = b.commit([batch([write('d-9', 9, { s: 'late' })], { checkpoints })])
      expect(String(await late.catch((error: unknown) => error))).to.include('was dropped meanwhile')
      expect(await a.checkpoints('things@1')).to.deep.equal(new Map())
      expect(await a.scan('things@1', 'thing', null, 9)).to.deep.equal([])
      await a.drop('others@1')
      await b.prepare(viewSpec())
      expect(await b.scan('things@1', 'thing', null, 9)).to.deep.equal([])
      const client = new MongoClient(url)
      const names = await client.db().listCollections({}, { nameOnly: true }).toArray()
      await client.close()
      // What the late writer made is swept away by the next drop.
      expect(names.filter(({ name }) => name.startsWith('view.'))).to.have.length(1)
    }))

  if (GIVEN_URL !== undefined) {
    it('search an index for every find, from its bound on, and sort nothing', () =>
      one(async (views, url) => {
        await holding(
          views,
          Array.from({ length: 50 }, (_, n) => write(`d-${n}`, 1, { a: `${n % 5}`, n, s: 'q' })),
        )
        const table = tableOf(INDEXES)
        await withRows(url, async (rows) => {
          for (const asked of everyShape()) {
            const { filter, sort } = queryOf(table, asked)
            const plan = JSON.stringify(await rows.find(filter, { sort, limit: asked.limit }).explain('queryPlanner'))
            const winning = plan.slice(plan.indexOf('"winningPlan"'), plan.indexOf('"rejectedPlans"'))
            expect(winning, JSON.stringify(asked)).to.include('IXSCAN').and.not.include('"SORT"')
            expect(winning, JSON.stringify(asked)).to.include(
              `"indexName":"${Reflect.get(INDEXES, asked.index).join(',')}"`,
            )
          }
        })
      }))
  }
})

/** Every index with every number of equal values, every kind of bound, both ways. */
function everyShape(): Find[] {
  const values: Readonly<Record<string, string | number>> = { a: '1', n: 1, s: 'q' }
  return Object.entries(INDEXES).flatMap(([index, fields]) => {
    const names = fields.map((field) => values[field.replace('-', '')] ?? '')
    return [...names, null].flatMap((bound, prefix) =>
      (bound === null ? [{}] : [{}, { from: bound }, { after: bound }, { until: bound }]).flatMap((bounds) =>
        [false, true].map((reverse) => ({
          ...FIND,
          index,
          equal: names.slice(0, prefix),
          limit: 9,
          reverse,
          ...bounds,
        })),
      ),
    )
  })
}

const ODD_TEXTS = [
  '',
  '$',
  '$gt',
  '$where',
  'a.b',
  '.',
  '__proto__',
  'constructor',
  'toString',
  '_id',
  'pos',
  'doc',
  'f_a',
  '\0',
]

function someDocument(): fc.Arbitrary<{ id: string; body: JsonObject }> {
  const unit = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff }))
  const units = fc.array(unit, { maxLength: 6 }).map((codes) => String.fromCharCode(...codes))
  const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(999)).map(([a, b]) => `${a}.${b}`)
  const text = fc.oneof(fc.constantFrom(...ODD_TEXTS), units, fc.string({ unit: 'grapheme' }), decimal)
  const long = fc.nat(9).map((n) => `${n}é\u{1f3b2}`.repeat(1_500))
  const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger())
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(text, number, fc.boolean(), fc.constant(null), long),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).map(objectOf),
    ),
  }))
  const body = fc
    .tuple(fc.array(fc.tuple(text, value), { maxLength: 5 }), fc.option(text), fc.option(number))
    .map(([fields, a, n]) => objectOf([...fields, ['a', a], ['n', n]]))
  const id = fc.oneof(
    fc.constantFrom('$', '$gt', '.', '..', 'a.b', '__proto__', 'constructor', '{"$ne":""}', "'", '"', '\\'),
    fc.string({ unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)), minLength: 1 }),
  )
  return fc.record({ id, body })
}

/** An object with these as its own fields, `__proto__` too, as JSON makes one. */
function objectOf(fields: readonly (readonly [string, unknown])[]): JsonObject {
  const text = fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')
  return JSON.parse(`{${text}}`)
}
