// FNV-1a by its published vectors: partitions depend on these numbers, so they must never change.

import { expect } from 'chai'
import { bytesHash, mixed, textHash } from '../../domain/hash.ts'

const PUBLISHED = [
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['b', 0xe70c2de5],
  ['foobar', 0xbf9cf968],
] as const

describe('the hash of a text', () => {
  for (const [text, hash] of PUBLISHED) {
    it(`is the published one for ${JSON.stringify(text)}`, () => expect(textHash(text) >>> 0).to.equal(hash))
  }

  it('continues from the hash of what comes before', () => {
    expect(textHash('bar', textHash('foo'))).to.equal(textHash('foobar'))
    expect(textHash('', 7)).to.equal(7)
  })

  it('is that of the same text as bytes, from a start and before an end', () => {
    const bytes = Buffer.from('xfoobary')
    expect(bytesHash(bytes, 1, 7)).to.equal(textHash('foobar'))
    expect(bytesHash(bytes, 0, 8)).to.equal(textHash('xfoobary'))
    expect(bytesHash(bytes, 3, 3)).to.equal(textHash(''))
  })
})

describe('a mixed hash', () => {
  it('is the same number in every version', () => {
    expect([0, 1, -1, 0x12345678, textHash('foobar')].map(mixed)).to.deep.equal([
      0, 2247091509, 898935976, 125878208, 1279806893,
    ])
  })

  it('is a whole number from 0 up to 2^32', () => {
    for (const hash of [-1, -2_147_483_648, 2_147_483_647, 12_345]) {
      expect(mixed(hash)).to.satisfy((one: number) => Number.isInteger(one) && one >= 0 && one < 2 ** 32)
    }
  })
})
