// The ordered set against a plain sorted array in short histories, which split and merge blocks at two depths: fast
// enough to judge mutants. sorted-blocks.test.ts has the long ones.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { MAX_BLOCK_BYTES } from '../../ranking/block-size.ts'
import { SortedBlocks } from '../../ranking/sorted-blocks.ts'

const COUNT = 1_200
/** 400 characters: 20 sort keys fill a block, and as many blocks fill the one above. */
const WIDE = 'x'.repeat(393)

/** Sort keys in order: long ones with one ending, so that a search compares all of what they share. */
const sortKeys = Array.from({ length: COUNT }, (_, n) => `m${String(n).padStart(6, '0')}${WIDE}`)
/** Each once, far from its neighbours. */
const scattered = sortKeys.map((_, n) => sortKeys[(n * 787) % COUNT] ?? '')

function filled(order: readonly string[]): SortedBlocks {
  const blocks = new SortedBlocks()
  for (const sortKey of order) blocks.add(sortKey)
  return blocks
}

function expectHolds(blocks: SortedBlocks, expected: readonly string[]): void {
  expect(blocks.size).to.equal(expected.length)
  expect(blocks.range(0, COUNT + 1)).to.deep.equal(expected)
  for (const [rank, sortKey] of expected.entries()) {
    if (rank % 7 === 0) expect([blocks.rank(sortKey), blocks.before(sortKey)]).to.deep.equal([rank, rank])
  }
}

describe('sorted blocks in short histories', () => {
  it('fill blocks beyond their size', () => {
    expect(sortKeys.length * (sortKeys[0] ?? '').length).to.be.greaterThan(40 * MAX_BLOCK_BYTES)
  })

  for (const [how, order] of [
    ['in order', sortKeys],
    ['in reverse order', sortKeys.toReversed()],
    ['scattered', scattered],
  ] as const) {
    it(`hold what is added ${how}, and each sort key once`, () => {
      const blocks = filled(order)
      expectHolds(blocks, sortKeys)
      for (const sortKey of order) if (blocks.add(sortKey)) throw new Error(`${sortKey} was added twice`)
      expect(blocks.size).to.equal(COUNT)
    })

    it(`lose what is removed ${how}, and nothing else`, () => {
      const blocks = filled(scattered)
      const gone = order.slice(0, COUNT - 100)
      for (const sortKey of gone) expect(blocks.remove(sortKey)).to.equal(true)
      for (const sortKey of gone) expect(blocks.remove(sortKey)).to.equal(false)
      expectHolds(blocks, order.slice(COUNT - 100).toSorted())
      for (const sortKey of order.slice(COUNT - 100)) expect(blocks.remove(sortKey)).to.equal(true)
      expectHolds(blocks, [])
      expect(blocks.add('a')).to.equal(true)
      expectHolds(blocks, ['a'])
    })
  }

  it('hold what is added after all others at once', () => {
    const blocks = new SortedBlocks()
    blocks.addLast([])
    blocks.addLast(sortKeys.slice(0, 500))
    blocks.addLast(sortKeys.slice(500))
    expectHolds(blocks, sortKeys)
  })

  it('answer a range from any index, cut at the end', () => {
    const blocks = filled(scattered)
    for (const [offset, limit] of [
      [0, 0],
      [0, 1],
      [19, 3],
      [20, 1],
      [333, 500],
      [COUNT - 1, 5],
      [COUNT, 5],
      [COUNT + 9, 5],
    ] as const) {
      expect(blocks.range(offset, limit), `${offset}, ${limit}`).to.deep.equal(sortKeys.slice(offset, offset + limit))
    }
  })

  it('count what comes before a sort key that is not there', () => {
    const blocks = filled(scattered)
    for (const n of [0, 1, 19, 20, 21, 600, COUNT - 1]) {
      const after = `${sortKeys[n]}!`
      expect([blocks.rank(after), blocks.before(after)]).to.deep.equal([null, n + 1])
      const prefix = (sortKeys[n] ?? '').slice(0, 7)
      expect([blocks.rank(prefix), blocks.before(prefix)]).to.deep.equal([null, n])
    }
    expect([blocks.before(''), blocks.before('a'), blocks.before('z')]).to.deep.equal([0, 0, COUNT])
  })

  it('tell sort keys apart of which one begins the other', () => {
    const nested = Array.from({ length: 60 }, (_, n) => 'ab'.repeat(n + 1))
    const blocks = filled(nested.toReversed())
    expectHolds(blocks, nested)
    for (const [n, sortKey] of nested.entries()) expect(blocks.before(`${sortKey}a`)).to.equal(n + 1)
    for (const sortKey of nested.filter((_, n) => n % 2 === 0)) expect(blocks.remove(sortKey)).to.equal(true)
    expectHolds(
      blocks,
      nested.filter((_, n) => n % 2 === 1),
    )
  })

  it('accept sort keys of 1 and of 512 characters, and of the first and last of ASCII', () => {
    const odd = ['\u0001', '\u007f', 'a'.repeat(512)].toSorted()
    expectHolds(filled(odd), odd)
  })

  it('refuse other sort keys by what is wrong with them', () => {
    const blocks = filled(['a'])
    expect(() => blocks.add('a'.repeat(513))).to.throw(RangeError, 'a member of 513 characters cannot be ranked')
    for (const sortKey of ['\0', 'a\0', '\u0080', 'aé']) {
      expect(() => blocks.add(sortKey)).to.throw(RangeError, 'a ranked member must be ASCII')
    }
    expectHolds(blocks, ['a'])
  })
})
