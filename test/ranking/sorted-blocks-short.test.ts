// The ordered set against a plain sorted array in short histories, which split and merge blocks at two depths: fast
// enough to judge mutants. sorted-blocks.test.ts has the long ones.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { MAX_BLOCK_BYTES } from '../../ranking/block-size.ts'
import { SortedBlocks } from '../../ranking/sorted-blocks.ts'

const COUNT = 1_200
/** 400 characters: 20 members fill a block, and as many blocks fill the one above. */
const WIDE = 'x'.repeat(393)

/** Members in order: long ones with one ending, so that a search compares all of what they share. */
const members = Array.from({ length: COUNT }, (_, n) => `m${String(n).padStart(6, '0')}${WIDE}`)
/** Each once, far from its neighbours. */
const scattered = members.map((_, n) => members[(n * 787) % COUNT] ?? '')

function filled(order: readonly string[]): SortedBlocks {
  const blocks = new SortedBlocks()
  for (const member of order) blocks.add(member)
  return blocks
}

function expectHolds(blocks: SortedBlocks, expected: readonly string[]): void {
  expect(blocks.size).to.equal(expected.length)
  expect(blocks.range(0, COUNT + 1)).to.deep.equal(expected)
  for (const [rank, member] of expected.entries()) {
    if (rank % 7 === 0) expect([blocks.rank(member), blocks.before(member)]).to.deep.equal([rank, rank])
  }
}

describe('sorted blocks in short histories', () => {
  it('fill blocks beyond their size', () => {
    expect(members.length * (members[0] ?? '').length).to.be.greaterThan(40 * MAX_BLOCK_BYTES)
  })

  for (const [how, order] of [
    ['in order', members],
    ['in reverse order', members.toReversed()],
    ['scattered', scattered],
  ] as const) {
    it(`hold what is added ${how}, and each member once`, () => {
      const blocks = filled(order)
      expectHolds(blocks, members)
      for (const member of order) if (blocks.add(member)) throw new Error(`${member} was added twice`)
      expect(blocks.size).to.equal(COUNT)
    })

    it(`lose what is removed ${how}, and nothing else`, () => {
      const blocks = filled(scattered)
      const gone = order.slice(0, COUNT - 100)
      for (const member of gone) expect(blocks.remove(member)).to.equal(true)
      for (const member of gone) expect(blocks.remove(member)).to.equal(false)
      expectHolds(blocks, order.slice(COUNT - 100).toSorted())
      for (const member of order.slice(COUNT - 100)) expect(blocks.remove(member)).to.equal(true)
      expectHolds(blocks, [])
      expect(blocks.add('a')).to.equal(true)
      expectHolds(blocks, ['a'])
    })
  }

  it('hold what is added after all others at once', () => {
    const blocks = new SortedBlocks()
    blocks.addLast([])
    blocks.addLast(members.slice(0, 500))
    blocks.addLast(members.slice(500))
    expectHolds(blocks, members)
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
      expect(blocks.range(offset, limit), `${offset}, ${limit}`).to.deep.equal(members.slice(offset, offset + limit))
    }
  })

  it('count what comes before a member that is not there', () => {
    const blocks = filled(scattered)
    for (const n of [0, 1, 19, 20, 21, 600, COUNT - 1]) {
      const after = `${members[n]}!`
      expect([blocks.rank(after), blocks.before(after)]).to.deep.equal([null, n + 1])
      const prefix = (members[n] ?? '').slice(0, 7)
      expect([blocks.rank(prefix), blocks.before(prefix)]).to.deep.equal([null, n])
    }
    expect([blocks.before(''), blocks.before('a'), blocks.before('z')]).to.deep.equal([0, 0, COUNT])
  })

  it('tell members apart of which one begins the other', () => {
    const nested = Array.from({ length: 60 }, (_, n) => 'ab'.repeat(n + 1))
    const blocks = filled(nested.toReversed())
    expectHolds(blocks, nested)
    for (const [n, member] of nested.entries()) expect(blocks.before(`${member}a`)).to.equal(n + 1)
    for (const member of nested.filter((_, n) => n % 2 === 0)) expect(blocks.remove(member)).to.equal(true)
    expectHolds(
      blocks,
      nested.filter((_, n) => n % 2 === 1),
    )
  })

  it('accept members of 1 and of 512 characters, and of the first and last of ASCII', () => {
    const odd = ['\u0001', '\u007f', 'a'.repeat(512)].toSorted()
    expectHolds(filled(odd), odd)
  })

  it('refuse other members by what is wrong with them', () => {
    const blocks = filled(['a'])
    expect(() => blocks.add('a'.repeat(513))).to.throw(RangeError, 'a member of 513 characters cannot be ranked')
    for (const member of ['\0', 'a\0', '\u0080', 'aé']) {
      expect(() => blocks.add(member)).to.throw(RangeError, 'a ranked member must be ASCII')
    }
    expectHolds(blocks, ['a'])
  })
})
