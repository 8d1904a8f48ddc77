// A stored document that is not valid JSON: each read names the document and what to do.

import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { StoresFault } from '../../stores/contract/faults.ts'
import { openViews } from '../../stores/embedded/views.ts'
import { batch, viewSpec, write } from '../contracts/documents.ts'
import { newPath } from './folder.ts'

describe('a damaged document of the embedded read models', () => {
  it('is reported by every read with its collection, its view and the remedy', async () => {
    const path = newPath('views.sqlite')
    const views = await openViews(path)
    await views.prepare(viewSpec())
    await views.commit([batch([1, 2, 3, 4].map((n) => write(`d-${n}`, n, { a: 'x', n, t: `text ${n}` })))])
    await views.prepare(viewSpec())
    await views.close()
    writeFileSync(path, readFileSync(path, 'latin1').replace('"text 2"]', '"text 2";'), 'latin1')
    const again = await openViews(path)
    const find = { view: 'things@1', collection: 'thing', index: 'byA', equal: ['x'], limit: 9 }
    for (const reading of [
      () => again.get('things@1', 'thing', ['d-2']),
      () => again.get('things@1', 'thing', ['d-1', 'd-2', 'd-3']),
      () => again.find(find),
    ]) {
      const failure = await reading().then(String, (error: unknown) => error)
      expect(failure).to.be.instanceOf(StoresFault)
      expect(String(failure))
        .to.include('"d-2" of collection thing of view things@1')
        .and.to.include('remove views.sqlite')
    }
    expect((await again.get('things@1', 'thing', ['d-3']))[0]?.id).to.equal('d-3')
    // A newer version replaces it.
    await again.commit([batch([write('d-2', 9, { a: 'z', n: 1 })])])
    expect((await again.get('things@1', 'thing', ['d-2']))[0]?.body).to.deep.equal({ a: 'z', n: 1 })
    await again.close()
  })
})
