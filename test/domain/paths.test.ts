// Paths: one spelling each. 2,000 random paths in `npm test`, 10,000 in `npm run test:full`, more in
// `npm run proof:paths`.

import { expect } from 'chai'
import fc from 'fast-check'
import { collationKeyOf, pathFault } from '../../domain/paths.ts'
import { SEED, sized } from '../seeds.ts'
import { provePaths } from './prove-paths.ts'

const PATHS = sized(2_000, 10_000)

describe('a path', () => {
  it('is accepted in one spelling only, in agreement with a second implementation', () => {
    expect(provePaths({ paths: PATHS, seed: SEED })).to.deep.equal({ tried: PATHS, report: null })
  })

  it('is accepted exactly up to its limits', () => {
    const deep = (levels: number) => `/${'a/'.repeat(levels)}`
    expect([pathFault(deep(32), 'folder'), pathFault(`${deep(32)}f`, 'file')]).to.deep.equal([null, null])
    for (const [text, kind] of [
      [deep(33), 'folder'],
      [`${deep(33)}f`, 'file'],
      [`/${'a'.repeat(256)}`, 'file'],
      [`/${'é'.repeat(128)}`, 'file'],
      [`/${`${'a'.repeat(204)}/`.repeat(4)}${'a'.repeat(204)}`, 'file'],
    ] as const) {
      expect(pathFault(text, kind), text.slice(0, 20)).to.be.a('string')
    }
    expect(pathFault(`/${'a'.repeat(255)}`, 'file')).to.equal(null)
    expect(pathFault(`/${`${'a'.repeat(204)}/`.repeat(4)}${'a'.repeat(203)}`, 'file')).to.equal(null)
  })

  it('sorts by code unit in a store that sorts by code point', () => {
    const unit = fc.constantFrom(
      'a',
      'Z',
      '\ud7ff',
      '\ue000',
      '\uffff',
      '\u{10000}',
      '\u{1f600}',
      '\u{10fffe}',
      '\u{10ffff}',
    )
    const word = fc.array(unit, { maxLength: 4 }).map((units) => units.join(''))
    const sign = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
    fc.assert(
      fc.property(word, word, (a, b) => {
        const stored = Buffer.compare(Buffer.from(collationKeyOf(a)), Buffer.from(collationKeyOf(b)))
        expect(sign(stored, 0), JSON.stringify([a, b])).to.equal(sign(a, b))
      }),
    )
  })
})
