// The guarantees of read models for queries by index.

import { expect } from 'chai'
import fc from 'fast-check'
import type { JsonObject } from '../../domain/event.ts'
import type { Document, Find, IndexCursor, Views, Write } from '../../stores/contract/views.ts'
import { batch, document, INDEXES, prepareWith, viewSpec, write } from './documents.ts'
import { withFresh } from './fresh.ts'
import type { Check } from './test-contract.ts'
import { findPlainly } from './views-model.ts'

/** Six documents: three with `x` in descending numbers, one without a number, one with `y`, one without `a`. */
const WRITES: readonly Write[] = [
  write('d-1', 1, { a: 'x', n: 10, s: 'p' }),
  write('d-2', 2, { a: 'x', n: 30, s: 'q' }),
  write('d-3', 3, { a: 'x', n: 20, s: 'q' }),
  write('d-4', 4, { a: 'x', s: 'r' }),
  write('d-5', 5, { a: 'y', n: 20, s: 'q' }),
  write('d-6', 6, { a: null, n: 20, s: 'q' }),
]

interface Example {
  readonly name: string
  readonly find: Partial<Find>
  readonly ids: readonly string[]
}

const EXAMPLES: readonly Example[] = [
  { name: 'by its leading field', find: { equal: ['x'] }, ids: ['d-4', 'd-1', 'd-3', 'd-2'] },
  { name: 'by all its fields', find: { equal: ['x', 20] }, ids: ['d-3'] },
  { name: 'whole, without those that lack its first field', find: {}, ids: ['d-4', 'd-1', 'd-3', 'd-2', 'd-5'] },
  { name: 'from a value on', find: { equal: ['x'], from: 20 }, ids: ['d-3', 'd-2'] },
  { name: 'after a value', find: { equal: ['x'], after: 20 }, ids: ['d-2'] },
  { name: 'until before a value', find: { equal: ['x'], until: 20 }, ids: ['d-1'] },
  { name: 'among values', find: { equal: ['x'], among: [20, 10, 7, '20'] }, ids: ['d-1', 'd-3'] },
  {
    name: 'among values of its leading field, in reverse',
    find: { among: ['y', 'x'], reverse: true, limit: 2 },
    ids: ['d-5', 'd-2'],
  },
  { name: 'falling, among values', find: { index: 'mixed', equal: ['x'], among: [10, 20] }, ids: ['d-3', 'd-1'] },
  { name: 'in reverse', find: { equal: ['x'], reverse: true }, ids: ['d-2', 'd-3', 'd-1', 'd-4'] },
  { name: 'in reverse, from a value on', find: { equal: ['x'], from: 20, reverse: true }, ids: ['d-2', 'd-3'] },
  { name: 'falling', find: { index: 'mixed', equal: ['x'] }, ids: ['d-2', 'd-3', 'd-1', 'd-4'] },
  { name: 'falling, from a value on', find: { index: 'mixed', equal: ['x'], from: 20 }, ids: ['d-3', 'd-1'] },
  {
    name: 'falling, after one and until another',
    find: { index: 'mixed', equal: ['x'], after: 30, until: 10 },
    ids: ['d-3'],
  },
  { name: 'equal ones by id', find: { index: 'byS', equal: ['q'] }, ids: ['d-2', 'd-3', 'd-5', 'd-6'] },
  {
    name: 'equal ones in reverse by id falling',
    find: { index: 'byS', equal: ['q'], reverse: true },
    ids: ['d-6', 'd-5', 'd-3', 'd-2'],
  },
  {
    name: 'behind a cursor, also of a document that is no longer there',
    find: { equal: ['x'], behind: { fields: [20], id: 'd-2' } },
    ids: ['d-3', 'd-2'],
  },
  {
    name: 'behind one without a value',
    find: { equal: ['x'], behind: { fields: [null], id: 'd-4' } },
    ids: ['d-1', 'd-3', 'd-2'],
  },
  {
    name: 'in reverse, behind a cursor',
    find: { equal: ['x'], behind: { fields: [20], id: 'd-3' }, reverse: true },
    ids: ['d-1', 'd-4'],
  },
  {
    name: 'behind a cursor among equal ones',
    find: { index: 'byS', equal: ['q'], behind: { fields: [], id: 'd-3' } },
    ids: ['d-5', 'd-6'],
  },
  { name: 'whole, behind a cursor', find: { behind: { fields: ['x', 20], id: 'd-3' } }, ids: ['d-2', 'd-5'] },
  { name: 'with skip and limit', find: { equal: ['x'], skip: 1, limit: 2 }, ids: ['d-1', 'd-3'] },
]

const FIND: Find = { view: 'things@1', collection: 'thing', index: 'byA', equal: [], limit: 99 }

export const finding: readonly Check<Views>[] = [
  ...EXAMPLES.map(
    ({ name, find, ids }): Check<Views> => ({
      name: `finds an index ${name}`,
      run: (make) =>
        withFresh(make, async (views) => {
          await prepareWith(views, WRITES)
          // Twice: the second read may come from a cache.
          for (let time = 0; time < 2; time += 1) {
            const found = await views.find({ ...FIND, ...find })
            expect(found.map(({ id }) => id)).to.deep.equal(ids)
            if (find.among !== undefined) expect(await views.find({ ...FIND, ...find, among: [] })).to.deep.equal([])
            for (const { id, body } of found) expect(body).to.deep.equal(WRITES.find((one) => one.id === id)?.body)
          }
        }),
    }),
  ),
  {
    name: 'finds no document by an existing id or value followed by a NUL character',
    run: (make) =>
      withFresh(make, async (views) => {
        await prepareWith(views, WRITES)
        expect(await views.get('things@1', 'thing', ['d-1\0'])).to.deep.equal([null])
        const many = ['d-1\0', 'd-2', 'd-3\0', 'd-4']
        expect((await views.get('things@1', 'thing', many)).map((one) => one?.id)).to.deep.equal([
          undefined,
          'd-2',
          undefined,
          'd-4',
        ])
        for (const find of [{ equal: ['x\0'] }, { equal: ['x'], among: [20, 'x\0'] }, { from: 'x\0' }]) {
          expect(await views.find({ ...FIND, ...find }).then(String, String)).to.include('NUL')
        }
        const spoiled = views.commit([batch([write('d-9', 9, { a: 'x\0' })])])
        expect(await spoiled.then(String, String)).to.include('TypeError')
        expect(await views.count({ ...FIND, equal: ['x'] })).to.equal(4)
      }),
  },
  {
    name: 'counts the matches, up to the limit',
    run: (make) =>
      withFresh(make, async (views) => {
        await prepareWith(views, WRITES)
        expect(await views.count({ ...FIND, equal: ['x'] })).to.equal(4)
        expect(await views.count({ ...FIND, equal: ['x'], skip: 3 })).to.equal(4)
        expect(await views.count({ ...FIND, equal: ['x'], from: 20 })).to.equal(2)
        expect(await views.count({ ...FIND, equal: ['x'], limit: 3 })).to.equal(3)
        expect(await views.count({ ...FIND, equal: ['z'] })).to.equal(0)
      }),
  },
  {
    name: 'finds documents by their current values, and deleted ones not at all',
    run: (make) =>
      withFresh(make, async (views) => {
        await prepareWith(views, WRITES)
        const find = () => views.find({ ...FIND, index: 'byS', equal: ['q'] })
        expect(await find()).to.have.length(4)
        await views.commit([
          batch([
            write('d-2', 12, null),
            write('d-3', 13, { s: 'moved' }),
            write('d-5', 15, { s: 'q', note: 'changed' }),
            write('d-1', 11, { s: 'q' }),
            write('d-6', 5, { s: 'not newer' }),
          ]),
        ])
        const expected = [
          document('d-1', 11, { s: 'q' }),
          document('d-5', 15, { s: 'q', note: 'changed' }),
          document('d-6', 6, { a: null, n: 20, s: 'q' }),
        ]
        expect(await find()).to.deep.equal(expected)
        expect(await find()).to.deep.equal(expected)
      }),
  },
  {
    name: 'finds and counts exactly what a model does',
    run: (make) =>
      withFresh(make, async (views) => {
        let run = 0
        await fc.assert(
          fc.asyncProperty(
            fc.array(someWrite(), { maxLength: 60, size: 'max' }),
            fc.array(someFind(), { minLength: 1, maxLength: 25, size: 'max' }),
            async (bodies, queries) => {
              run += 1
              const view = `things@${run}`
              await views.prepare(viewSpec(view))
              const model = new Map<string, Document>()
              const writes = bodies.map(({ id, body }, n) => write(id, n + 1, body))
              for (const [n, { id, body }] of bodies.entries()) {
                if (body === null) model.delete(id)
                else model.set(id, document(id, n + 1, body))
              }
              const half = writes.length >> 1
              await views.commit([batch(writes.slice(0, half), { view })])
              // Queries in between fill caches, which the second half of the writes must update.
              for (const find of queries) await views.find({ ...find, view })
              await views.commit([batch(writes.slice(half), { view })])
              for (const find of queries) {
                const expected = findPlainly([...model.values()], INDEXES[find.index], { ...find, view })
                expect(await views.find({ ...find, view })).to.deep.equal(expected)
                const counted = findPlainly([...model.values()], INDEXES[find.index], { ...find, view, skip: 0 })
                expect(await views.count({ ...find, view })).to.equal(counted.length)
              }
            },
          ),
          { numRuns: 60 },
        )
      }),
  },
]

const A = ['', 'X', 'x', 'xy', 'ä', '€'] as const
const N = [-1e21, -2.5, -1, 0, 0.30000000000000004, 1, 2, 9007199254740991] as const
const S = ['p', 'q'] as const

function someWrite(): fc.Arbitrary<{ id: string; body: JsonObject | null }> {
  const body = fc.record(
    { a: fc.constantFrom(...A, null), n: fc.constantFrom(...N, null), s: fc.constantFrom(...S) },
    { requiredKeys: ['s'] },
  )
  const id = fc.nat(19).map((n) => `d-${n}`)
  return fc.record({ id, body: fc.oneof({ weight: 6, arbitrary: body }, { weight: 1, arbitrary: fc.constant(null) }) })
}

type FindByIndex = Omit<Find, 'index'> & { readonly index: keyof typeof INDEXES }

function someFind(): fc.Arbitrary<FindByIndex> {
  return fc.constantFrom(...(Object.keys(INDEXES) as (keyof typeof INDEXES)[])).chain((index) => {
    const fields = INDEXES[index].map((field) => valuesOf(field))
    return fc.nat(fields.length).chain((prefix) =>
      fc
        .record({
          equal: fc.tuple(...fields.slice(0, prefix)),
          bounds: someBounds(fields[prefix]),
          skip: fc.nat(4),
          limit: fc.integer({ min: 1, max: 30 }),
          reverse: fc.boolean(),
          cursor: fc.option(someCursor(INDEXES[index], prefix)),
        })
        .map(({ bounds, cursor, ...find }) => {
          const where = cursor === null ? bounds : { behind: cursor }
          return { view: '', collection: 'thing', index, ...find, ...where }
        }),
    )
  })
}

/** A cursor for any document; null if a field is descending. */
function someCursor(all: readonly string[], prefix: number): fc.Arbitrary<IndexCursor | null> {
  const fields = all.slice(prefix)
  if (fields.some((field) => field.startsWith('-'))) return fc.constant(null)
  const values = fields.map((field) => (field === all[0] ? valuesOf(field) : fc.option(valuesOf(field))))
  return fc.record({ fields: fc.tuple(...values), id: fc.nat(19).map((n) => `d-${n}`) })
}

/** One of the bounds or none; none if no field is left for one. */
function someBounds(
  value: fc.Arbitrary<string | number> | undefined,
): fc.Arbitrary<Pick<Find, 'from' | 'after' | 'until'>> {
  if (value === undefined) return fc.constant({})
  return fc.record({ from: value, after: value, until: value }, { requiredKeys: [] })
}

function valuesOf(field: string): fc.Arbitrary<string | number> {
  if (field === 'a') return fc.constantFrom<string | number>(...A)
  return field === 's' ? fc.constantFrom<string | number>(...S) : fc.constantFrom<string | number>(...N)
}
