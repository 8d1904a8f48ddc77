// The full contract of the read models.

import { expect } from 'chai'
import fc from 'fast-check'
import type { Document, Views, Write } from '../../stores/contract/views.ts'
import { batch, document, got, INDEXES, pos, prepareWith, viewSpec, write } from './documents.ts'
import { withFresh } from './fresh.ts'
import type { Check } from './test-contract.ts'
import { finding } from './views-finding.suite.ts'

export const registering: readonly Check<Views>[] = [
  {
    name: 'lists the views that were prepared, each once',
    run: (make) =>
      withFresh(make, async (views) => {
        expect(await views.list()).to.deep.equal([])
        for (const key of ['things@1', 'things@2', 'others@1', 'things@1']) await views.prepare(viewSpec(key))
        expect((await views.list()).sort()).to.deep.equal(['others@1', 'things@1', 'things@2'])
      }),
  },
  {
    name: 'drops a view with its documents and checkpoints, and no other',
    run: (make) =>
      withFresh(make, async (views) => {
        await prepareWith(views, [write('d-1', 5, { s: 'x' })])
        await views.prepare(viewSpec('things@2'))
        const checkpoints = [[0, { position: pos(5), eventId: 'e-5' }]] as const
        await views.commit([
          batch([write('d-1', 5, { s: 'y' })], { view: 'things@2', checkpoints }),
          batch([], { checkpoints }),
        ])
        expect(await got(views, 'd-1')).to.deep.equal([document('d-1', 5, { s: 'x' })])
        await views.drop('things@1')
        expect(await views.list()).to.deep.equal(['things@2'])
        expect(await views.checkpoints('things@1')).to.deep.equal(new Map())
        expect(await views.checkpoints('things@2')).to.deep.equal(new Map(checkpoints))
        await views.prepare(viewSpec())
        expect(await got(views, 'd-1')).to.deep.equal([null])
        expect(await views.scan('things@1', 'thing', null, 9)).to.deep.equal([])
        await views.commit([batch([write('d-1', 1, { s: 'new' })])])
        expect(await got(views, 'd-1')).to.deep.equal([document('d-1', 1, { s: 'new' })])
        expect(await views.get('things@2', 'thing', ['d-1'])).to.deep.equal([document('d-1', 5, { s: 'y' })])
      }),
  },
  {
    name: 'keeps documents when a view is prepared again, also with another index',
    run: (make) =>
      withFresh(make, async (views) => {
        const writes = [write('d-1', 1, { s: 'b', x: 2 }), write('d-2', 2, { s: 'a', x: 1 }), write('d-3', 3, null)]
        await prepareWith(views, writes)
        await views.prepare(viewSpec('things@1', { ...INDEXES, byX: ['x'] }))
        const documents = [document('d-1', 1, { s: 'b', x: 2 }), document('d-2', 2, { s: 'a', x: 1 })]
        expect(await views.scan('things@1', 'thing', null, 9)).to.deep.equal(documents)
        const find = { view: 'things@1', collection: 'thing', equal: [], limit: 9 }
        expect(await views.find({ ...find, index: 'byX' })).to.deep.equal(documents.toReversed())
        expect(await views.find({ ...find, index: 'byS' })).to.deep.equal(documents.toReversed())
        await views.commit([batch([write('d-3', 2, { s: 'late' }), write('d-1', 1, { s: 'late' })])])
        expect(await views.scan('things@1', 'thing', null, 9)).to.deep.equal(documents)
      }),
  },
  {
    name: 'scans a collection by id, in pages of any size',
    run: (make) =>
      withFresh(make, async (views) => {
        const ids = Array.from({ length: 25 }, (_, n) => `d-${(n * 7) % 25}`)
        await prepareWith(
          views,
          ids.map((id, n) => write(id, n + 1, { n })),
        )
        const all = ids.map((id, n) => document(id, n + 1, { n })).sort((a, b) => (a.id < b.id ? -1 : 1))
        for (const limit of [1, 4, 24, 25, 26]) {
          const scanned: Document[] = []
          for (;;) {
            const page = await views.scan('things@1', 'thing', scanned.at(-1)?.id ?? null, limit)
            expect(page.length).to.be.at.most(limit)
            scanned.push(...page)
            if (page.length < limit) break
          }
          expect(scanned).to.deep.equal(all)
        }
      }),
  },
]

export const writing: readonly Check<Views>[] = [
  {
    name: 'returns documents by id, in the requested order, and null for missing ones',
    run: (make) =>
      withFresh(make, async (views) => {
        const body = {
          a: 'x',
          n: -1.5,
          s: '',
          deep: { list: [1, null, { text: 'Zoë 🎲 \u0000 "' }] },
          no: null,
          yes: true,
        }
        await prepareWith(views, [write('d-1', 1, body), write('d-2', 2, { s: 'b' })])
        expect(await got(views, 'd-2', 'd-3', 'd-1', 'd-2')).to.deep.equal([
          document('d-2', 2, { s: 'b' }),
          null,
          document('d-1', 1, body),
          document('d-2', 2, { s: 'b' }),
        ])
        expect(await got(views)).to.deep.equal([])
      }),
  },
  {
    name: 'returns current documents with what the checkpoints cover, in the order of their ids',
    run: (make) =>
      withFresh(make, async (views) => {
        const found = () =>
          Promise.all(
            (['now', 'waited'] as const).map((freshness) =>
              views.current('things@1', 'thing', ['d-1', 'd-0', 'd-1'], freshness),
            ),
          )
        await views.prepare(viewSpec())
        expect(await found()).to.deep.equal(Array(2).fill([null, null, null]))
        for (const n of [1, 2, 3]) {
          const writes = [write('d-1', n, n === 3 ? null : { s: `${n}`, game: null })]
          await views.commit([batch(writes, { checkpoints: [[0, { position: pos(n), eventId: `e-${n}` }]] })])
          await views.checkpoints('things@1')
          const expected = n === 3 ? null : document('d-1', n, { s: `${n}`, game: null })
          expect(await found()).to.deep.equal(Array(2).fill([expected, null, expected]))
        }
      }),
  },
  {
    name: 'applies a newer write and skips one that is not newer',
    run: (make) =>
      withFresh(make, async (views) => {
        await prepareWith(views, [write('d-1', 5, { s: 'five' })])
        await views.commit([
          batch([write('d-1', 5, { s: 'again' }), write('d-1', 4, null), write('d-2', 1, { s: 'other' })]),
        ])
        expect(await got(views, 'd-1', 'd-2')).to.deep.equal([
          document('d-1', 5, { s: 'five' }),
          document('d-2', 1, { s: 'other' }),
        ])
        await views.commit([batch([write('d-1', 6, { a: 'six' })])])
        await views.commit([batch([write('d-1', 5, { s: 'late' })])])
        expect(await got(views, 'd-1')).to.deep.equal([document('d-1', 6, { a: 'six' })])
      }),
  },
  {
    name: 'keeps a deletion marker: older writes do not restore the document, newer ones do',
    run: (make) =>
      withFresh(make, async (views) => {
        await prepareWith(views, [write('d-1', 1, { s: 'x' }), write('d-2', 1, { s: 'x' })])
        await views.commit([batch([write('d-1', 9, null), write('d-3', 9, null)])])
        await views.commit([
          batch([write('d-1', 8, { s: 'old' }), write('d-1', 9, { s: 'same' }), write('d-3', 8, { s: 'old' })]),
        ])
        expect(await got(views, 'd-1', 'd-2', 'd-3')).to.deep.equal([null, document('d-2', 1, { s: 'x' }), null])
        expect(await views.scan('things@1', 'thing', null, 9)).to.deep.equal([document('d-2', 1, { s: 'x' })])
        await views.commit([batch([write('d-1', 10, { s: 'new' })])])
        expect(await got(views, 'd-1')).to.deep.equal([document('d-1', 10, { s: 'new' })])
      }),
  },
  {
    name: 'keeps a checkpoint for each view and partition',
    run: (make) =>
      withFresh(make, async (views) => {
        await views.prepare(viewSpec())
        await views.prepare(viewSpec('others@1'))
        expect(await views.checkpoints('things@1')).to.deep.equal(new Map())
        const at = (n: number) => ({ position: pos(n), eventId: `e-${n}` })
        await views.commit([
          batch([], {
            checkpoints: [
              [0, at(1)],
              [3, at(2)],
            ],
          }),
          batch([], { view: 'others@1', checkpoints: [[3, at(7)]] }),
        ])
        await views.commit([batch([], { checkpoints: [[3, at(4)]] })])
        expect(await views.checkpoints('things@1')).to.deep.equal(
          new Map([
            [0, at(1)],
            [3, at(4)],
          ]),
        )
        expect(await views.checkpoints('others@1')).to.deep.equal(new Map([[3, at(7)]]))
      }),
  },
  {
    name: 'moves no checkpoint back for a late writer',
    run: (make) =>
      withFresh(make, async (views) => {
        await views.prepare(viewSpec())
        const at = (n: number) => ({ position: pos(n), eventId: `e-${n}` })
        const late = { position: pos(5), eventId: 'z-5' }
        await views.commit([batch([], { checkpoints: [[0, at(5)]] })])
        await views.commit([
          batch([], {
            checkpoints: [
              [0, at(4)],
              [1, at(2)],
            ],
          }),
        ])
        expect(await views.checkpoints('things@1')).to.deep.equal(
          new Map([
            [0, at(5)],
            [1, at(2)],
          ]),
        )
        await views.commit([batch([], { checkpoints: [[0, at(12)]] })])
        await views.commit([batch([], { checkpoints: [[0, late]] })])
        expect((await views.checkpoints('things@1')).get(0)).to.deep.equal(at(12))
      }),
  },
  {
    name: 'writes batches of several views, each into its own collections',
    run: (make) =>
      withFresh(make, async (views) => {
        await views.prepare(viewSpec())
        await views.prepare(viewSpec('things@2'))
        await views.commit([
          batch([write('d-1', 1, { s: 'one' })]),
          batch([write('d-1', 2, { s: 'two' })], { view: 'things@2' }),
        ])
        expect(await got(views, 'd-1')).to.deep.equal([document('d-1', 1, { s: 'one' })])
        expect(await views.get('things@2', 'thing', ['d-1'])).to.deep.equal([document('d-1', 2, { s: 'two' })])
      }),
  },
  {
    name: 'ends with the same documents for any order, grouping and repetition of the writes',
    run: (make) =>
      withFresh(make, async (views) => {
        let run = 0
        await fc.assert(
          fc.asyncProperty(shuffledWrites(), async (groups) => {
            run += 1
            const view = `things@${run}`
            await views.prepare(viewSpec(view))
            for (const { read, writes } of groups) {
              await views.get(view, 'thing', read)
              await views.commit([batch(writes, { view })])
            }
            const newest = new Map<string, Write>()
            for (const one of groups.flatMap(({ writes }) => writes)) {
              if (one.pos > (newest.get(one.id)?.pos ?? '')) newest.set(one.id, one)
            }
            const ids = [...newest.keys()].sort()
            const expected = ids.map((id) => {
              const last = newest.get(id)
              return last === undefined || last.body === null ? null : { id, pos: last.pos, body: last.body }
            })
            expect(await views.get(view, 'thing', ids)).to.deep.equal(expected)
            expect(await views.scan(view, 'thing', null, 99)).to.deep.equal(expected.filter((one) => one !== null))
          }),
          { numRuns: 40 },
        )
      }),
  },
]

interface Group {
  readonly read: readonly string[]
  readonly writes: readonly Write[]
}

/**
 * Writes of a few documents, each at its own position, with repetitions, in groups and in any order; before each group
 * some of them are read, or found missing.
 */
function shuffledWrites(): fc.Arbitrary<Group[]> {
  const body = fc.option(fc.record({ a: fc.constantFrom('x', 'y', null), n: fc.integer() }), { freq: 3 })
  const id = fc.constantFrom('d-1', 'd-2', 'd-3', 'd-4')
  const one = fc.record({ id, body })
  return fc
    .array(one, { minLength: 1, maxLength: 30 })
    .map((all) => all.map(({ id: of, body: to }, n) => write(of, n + 1, to)))
    .chain((all) => {
      const writes = fc.array(fc.constantFrom(...all), { maxLength: 8 })
      return fc.array(fc.record({ read: fc.array(id), writes }), { minLength: 1, maxLength: 12 })
    })
}

export const viewsChecks: readonly Check<Views>[] = [...writing, ...registering, ...finding]
