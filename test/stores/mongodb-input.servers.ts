// No input to the read models in MongoDB becomes an operator or comes back changed, and every query uses an index.

import { expect } from 'chai'
import fc from 'fast-check'
import type { JsonObject } from '../../domain/event.ts'
import type { Find, Views, Write } from '../../stores/contract/views.ts'
import { tableOf } from '../../stores/mongodb/document-rows.ts'
import { queryOf } from '../../stores/mongodb/query.ts'
import { isIndexable } from '../../stores/support/storable.ts'
import { batch, document, got, INDEXES, pos, prepareWith, viewSpec, write } from '../contracts/documents.ts'
import { type Databases, databases, GIVEN_URL } from '../servers/ferretdb/database.ts'
import { withOne, withRows } from '../servers/ferretdb/sharing.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'

const FIND: Find = { view: 'things@1', collection: 'thing', index: 'byA', equal: [], limit: 99 }

describe('the read models in MongoDB, for any input,', () => {
  let servers: Databases
  before(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    servers = await databases()
  })
  after(() => servers.end())
  const one = (use: (views: Views, url: string) => Promise<void>) => withOne(servers, use)

  it('accept a commit of any size, and return any number of ids', async function () {
    this.timeout(60_000)
    await one(async (views) => {
      await views.prepare(viewSpec())
      const writes = (at: number): Write[] =>
        Array.from({ length: 2_500 }, (_, n) => write(`d-${n}`, at + (n % 2), { a: 'x', n }))
      await views.commit([batch(writes(1))])
      await views.commit([batch(writes(2))])
      const ids = writes(0).map(({ id }) => id)
      const expected = ids.map((id, n) => document(id, 2 + (n % 2), { a: 'x', n }))
      const missing = Array.from({ length: 2_000 }, (_, n) => `none-${n}`)
      expect(await got(views, ...missing, ...ids)).to.deep.equal([...missing.map(() => null), ...expected])
      expect(await views.find({ ...FIND, equal: ['x'], limit: 9_999 })).to.deep.equal(expected)
      expect(await views.count({ ...FIND, limit: 9_999 })).to.equal(2_500)
    })
  })

  it('write nothing of a commit if one part of it cannot be written', () =>
    one(async (views) => {
      await prepareWith(views, [write('d-1', 1, { s: 'x' })])
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

  it('refuse empty names and undeclared collections and indexes', () =>
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

  it('return nothing for a limit of 0, and null for an invalid id', () =>
    one(async (views) => {
      await prepareWith(views, [write('d-1', 1, { a: 'x', s: 'x' })])
      expect(await views.find({ ...FIND, limit: 0 })).to.deep.equal([])
      expect(await views.count({ ...FIND, limit: 0 })).to.equal(0)
      expect(await views.scan('things@1', 'thing', null, 0)).to.deep.equal([])
      const odd = [{ $ne: null } as never, null as never, /d-1/ as never, '', 'Zoë', '\ud800']
      expect(await got(views, ...odd, 'd-1')).to.deep.equal([
        ...odd.map(() => null),
        document('d-1', 1, { a: 'x', s: 'x' }),
      ])
    }))

  it('return every accepted body and id exactly, and find them by any text', async function () {
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
          // Compared as text: deep equality ignores the order of keys.
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

  it('index a field of any valid name, for bodies that have it only', () =>
    one(async (views) => {
      await views.prepare(viewSpec('things@1', { made: ['constructor'], shown: ['toString', 'n'] }))
      const written = [write('d-1', 1, { n: 1 }), write('d-2', 1, { constructor: 'x', toString: 'y' })]
      await views.commit([batch(written)])
      for (const index of ['made', 'shown']) {
        expect((await views.find({ ...FIND, index })).map(({ id }) => id)).to.deep.equal(['d-2'])
      }
    }))

  it('keep a lone surrogate in a body, and index it as U+FFFD', () =>
    one(async (views) => {
      await prepareWith(views, [
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

  it('order text by code point, like the embedded read models', () =>
    one(async (views) => {
      const texts = ['', '\u0001', 'X', 'x', 'x\u0001', 'xy', 'ä', '€', '\ue000', '\uffee', '\u{1f3b2}']
      await prepareWith(views, texts.map((a, n) => write(`d-${n}`, 1, { a })).reverse())
      const found = await views.find(FIND)
      expect(found.map(({ body }) => body.a)).to.deep.equal(texts)
    }))

  if (GIVEN_URL !== undefined) {
    it('use an index for every query, from its bound on, without sorting', () =>
      one(async (views, url) => {
        await prepareWith(
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

/** Every index with every number of equal values and every kind of bound or cursor, in both directions. */
function everyShape(): Find[] {
  const values: Readonly<Record<string, string | number>> = { a: '1', n: 1, s: 'q' }
  return Object.entries(INDEXES).flatMap(([index, fields]) => {
    const names = fields.map((field) => values[field.replace('-', '')] ?? '')
    const falls = (prefix: number) => fields.slice(prefix).some((field) => field.startsWith('-'))
    const cursors = (prefix: number) => (falls(prefix) ? [] : [{ behind: { fields: names.slice(prefix), id: 'd-9' } }])
    return [...names, null].flatMap((bound, prefix) =>
      (bound === null ? [{}] : [{}, { from: bound }, { after: bound }, { until: bound }, ...cursors(prefix)]).flatMap(
        (bounds) =>
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
    // No index accepts a NUL character.
    .tuple(fc.array(fc.tuple(text, value), { maxLength: 5 }), fc.option(text.filter(isIndexable)), fc.option(number))
    .map(([fields, a, n]) => objectOf([...fields, ['a', a], ['n', n]]))
  const id = fc.oneof(
    fc.constantFrom('$', '$gt', '.', '..', 'a.b', '__proto__', 'constructor', '{"$ne":""}', "'", '"', '\\'),
    fc.string({ unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)), minLength: 1 }),
  )
  return fc.record({ id, body })
}

/** An object with these own fields, including `__proto__`, as JSON.parse creates it. */
function objectOf(fields: readonly (readonly [string, unknown])[]): JsonObject {
  const text = fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')
  return JSON.parse(`{${text}}`)
}
