// Documents in memory are bounded by their characters, not by their number.

import { expect } from 'chai'
import { DocumentCaches } from '../../stores/embedded/view-documents.ts'

const MAX_CHARACTERS = 10_000
const LENGTH = 1_000

const document = (id: string) => ({ id, pos: '1', body: {} })

describe('the cache of documents', () => {
  it('holds as many documents as its characters allow, those used last', () => {
    const cache = new DocumentCaches(MAX_CHARACTERS).ofCollection()
    for (let n = 0; n < 100; n++) cache.put(document(`${n}`), LENGTH)
    const kept = Array.from({ length: 100 }, (_, n) => cache.get(`${n}`)).filter((one) => one !== undefined)
    // Each counts 320 characters beside its text.
    expect(kept.map(({ id }) => id)).to.deep.equal(['93', '94', '95', '96', '97', '98', '99'])
  })

  it('holds a document of a bulk read or write only from the second time on', () => {
    const cache = new DocumentCaches(MAX_CHARACTERS).ofCollection()
    cache.offer(document('one'), LENGTH)
    expect(cache.get('one')).to.equal(undefined)
    cache.offer(document('one'), LENGTH)
    expect(cache.get('one')).to.deep.equal(document('one'))
  })

  it('holds more of them if they are short', () => {
    const cache = new DocumentCaches(MAX_CHARACTERS).ofCollection()
    for (let n = 0; n < 100; n++) cache.put(document(`${n}`), 1)
    expect(Array.from({ length: 100 }, (_, n) => cache.get(`${n}`)).filter((one) => one !== undefined)).to.have.length(
      31,
    )
  })

  it('shares its characters with those of the other collections of a file', () => {
    const caches = new DocumentCaches(MAX_CHARACTERS)
    const [one, other] = [caches.ofCollection(), caches.ofCollection()]
    for (let n = 0; n < 7; n++) one.put(document(`${n}`), LENGTH)
    for (let n = 0; n < 4; n++) other.put(document(`${n}`), LENGTH)
    const kept = (cache: typeof one) => [0, 1, 2, 3, 4, 5, 6].filter((n) => cache.get(`${n}`) !== undefined)
    expect([kept(one), kept(other)]).to.deep.equal([
      [4, 5, 6],
      [0, 1, 2, 3],
    ])
  })

  it('has no document of another collection with the same id, nor of one opened before', () => {
    const caches = new DocumentCaches(MAX_CHARACTERS)
    const [one, other] = [caches.ofCollection(), caches.ofCollection()]
    one.put(document('7'), LENGTH)
    expect(other.get('7')).to.equal(undefined)
    other.offer(document('7'), LENGTH)
    expect(other.get('7')).to.equal(undefined)
    other.delete('7')
    expect(one.get('7')).to.deep.equal(document('7'))
    expect(caches.ofCollection().get('7')).to.equal(undefined)
  })
})
