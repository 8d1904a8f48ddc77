// Documents in memory are bounded by their characters, not by their number.

import { expect } from 'chai'
import { createDocumentCache } from '../../stores/embedded/view-documents.ts'

const MAX_CHARACTERS = 10_000
const LENGTH = 1_000

const document = (id: string) => ({ id, pos: '1', body: {} })

describe('the cache of documents', () => {
  it('holds as many documents as its characters allow, those used last', () => {
    const cache = createDocumentCache(MAX_CHARACTERS)
    for (let n = 0; n < 100; n++) cache.put(document(`${n}`), LENGTH)
    const kept = Array.from({ length: 100 }, (_, n) => cache.get(`${n}`)).filter((one) => one !== undefined)
    // Each counts 320 characters beside its text.
    expect(kept.map(({ id }) => id)).to.deep.equal(['93', '94', '95', '96', '97', '98', '99'])
  })

  it('holds a document of a bulk read or write only from the second time on', () => {
    const cache = createDocumentCache(MAX_CHARACTERS)
    cache.offer(document('one'), LENGTH)
    expect(cache.get('one')).to.equal(undefined)
    cache.offer(document('one'), LENGTH)
    expect(cache.get('one')).to.deep.equal(document('one'))
  })

  it('holds more of them if they are short', () => {
    const cache = createDocumentCache(MAX_CHARACTERS)
    for (let n = 0; n < 100; n++) cache.put(document(`${n}`), 1)
    expect(Array.from({ length: 100 }, (_, n) => cache.get(`${n}`)).filter((one) => one !== undefined)).to.have.length(
      31,
    )
  })
})
