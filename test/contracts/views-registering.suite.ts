// The guarantees of read models for registering views and scanning collections.

import { expect } from 'chai'
import type { Document, Views } from '../../stores/contract/views.ts'
import { batch, document, got, INDEXES, pos, prepareWith, viewSpec, write } from './documents.ts'
import { withFresh } from './fresh.ts'
import type { Check } from './test-contract.ts'

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
