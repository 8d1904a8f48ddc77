// The ordered set against a plain sorted array, over histories long enough to split and merge blocks at every depth.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { SortedBlocks } from '../../ranking/sorted-blocks.ts'
import { sized } from '../seeds.ts'

/** The model: the index at which a sort key is or would be inserted. */
function indexOf(sortKeys: readonly string[], sortKey: string): number {
  let [low, high] = [0, sortKeys.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sortKeys[middle] ?? '') < sortKey) low = middle + 1
    else high = middle
  }
  return low
}

/** A small seeded generator. A history is one number, so that fast-check prints a reproducible case. */
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Uses few letters, so that sort keys share prefixes, are prefixes of each other, and repeat. */
function drawSortKey(draw: (below: number) => number, width: number): string {
  let text = ''
  for (let left = draw(width) + (draw(2) * width) / 2; left > 0; left--) text += 'ab!~'[draw(text.length < 6 ? 4 : 2)]
  return text.slice(0, 512)
}

function compareReads(
  blocks: SortedBlocks,
  sortKeys: readonly string[],
  sortKey: string,
  draw: (below: number) => number,
) {
  const index = indexOf(sortKeys, sortKey)
  expect(blocks.before(sortKey)).to.equal(index)
  expect(blocks.rank(sortKey)).to.equal(sortKeys[index] === sortKey ? index : null)
  expect(blocks.size).to.equal(sortKeys.length)
  if (draw(20) !== 0) return
  const [offset, limit] = [draw(sortKeys.length + 5), draw(100)]
  expect(blocks.range(offset, limit)).to.deep.equal(sortKeys.slice(offset, offset + limit))
}

/** Filled in order first, then alternately grown and shrunk, finally emptied. */
function runHistory(seed: number, width: number, steps: number): void {
  const draw = generator(seed)
  const blocks = new SortedBlocks()
  const sortKeys = [...new Set(Array.from({ length: draw(steps >> 2) }, () => drawSortKey(draw, width)))].sort()
  const some = draw(sortKeys.length + 1)
  for (const slice of [sortKeys.slice(0, some), sortKeys.slice(some)]) blocks.addLast(slice)
  for (const growth of [9, 2, 8, 1, 10, 0]) {
    for (let step = 0; step < steps || (growth === 0 && sortKeys.length > 0); step++) {
      const known = growth === 0 || draw(10) < 4 ? sortKeys[draw(sortKeys.length)] : undefined
      const sortKey = known ?? drawSortKey(draw, width)
      compareReads(blocks, sortKeys, sortKey, draw)
      const index = indexOf(sortKeys, sortKey)
      const present = sortKeys[index] === sortKey
      if (draw(10) < growth) {
        expect(blocks.add(sortKey)).to.equal(!present)
        if (!present) sortKeys.splice(index, 0, sortKey)
      } else {
        expect(blocks.remove(sortKey)).to.equal(present)
        if (present) sortKeys.splice(index, 1)
      }
    }
    expect(blocks.range(0, 1_000_000)).to.deep.equal(sortKeys)
  }
}

/** Bytes in buffers after garbage collection. */
function buffersInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') for (let times = 0; times < 3; times++) collect()
  return process.memoryUsage().arrayBuffers
}

describe('sorted blocks', () => {
  for (const [width, steps] of [
    [2, 200],
    [40, 2_000],
    [400, 2_000],
  ] as const) {
    it(`agree with a sorted array over any history of sort keys of about ${width} characters`, () => {
      fc.assert(
        fc.property(fc.nat(), (seed) => runHistory(seed, width, steps)),
        { numRuns: sized(2, 6) },
      )
    }).timeout(60_000)
  }

  it('keep 200,000 sort keys in order, however they are added', () => {
    const sortKeys = Array.from({ length: 200_000 }, (_, n) => `${String(n).padStart(16, '0')}abcdefghijklmnopqrstuvwx`)
    const orders = [
      sortKeys,
      sortKeys.toReversed(),
      sortKeys.map((_, n) => sortKeys[(n * 104_729) % sortKeys.length] ?? ''),
    ]
    for (const order of orders) {
      const blocks = new SortedBlocks()
      for (const sortKey of order) blocks.add(sortKey)
      expect(blocks.range(0, 200_000)).to.deep.equal(sortKeys)
      for (let index = 0; index < sortKeys.length; index += 997)
        expect(blocks.rank(sortKeys[index] ?? '')).to.equal(index)
      for (const sortKey of order) if (!blocks.remove(sortKey)) throw new Error(`${sortKey} was lost`)
      expect(blocks.size).to.equal(0)
      expect(blocks.range(0, 10)).to.deep.equal([])
    }
  })

  it('stay correct with a few long sort keys among short ones', () => {
    const blocks = new SortedBlocks()
    const sortKeys = Array.from({ length: 3_000 }, (_, n) => `m${n * 7_919}${n % 100 === 0 ? 'x'.repeat(400) : ''}`)
    for (const sortKey of sortKeys) blocks.add(sortKey)
    expect(blocks.range(0, 3_000)).to.deep.equal(sortKeys.toSorted())
  })

  it('free their memory when sort keys are removed', () => {
    const blocks = new SortedBlocks()
    const sortKeys = Array.from({ length: 100_000 }, (_, n) => `${(n * 104_729) % 100_003}${'x'.repeat(34)}`)
    const before = buffersInUse()
    for (const sortKey of sortKeys) blocks.add(sortKey)
    const full = buffersInUse() - before
    for (const [n, sortKey] of sortKeys.entries()) if (n % 100 !== 0) blocks.remove(sortKey)
    expect(buffersInUse() - before).to.be.below(full / 10)
    expect(blocks.size).to.equal(1_000)
  })

  it('reject sort keys that are not ASCII or longer than 512, and stay unchanged', () => {
    const blocks = new SortedBlocks()
    blocks.add('a')
    for (const sortKey of ['é', 'a\u0000', '\u{1f600}', 'a'.repeat(513)]) {
      expect(() => blocks.add(sortKey)).to.throw(RangeError)
      expect(() => blocks.rank(sortKey)).to.throw(RangeError)
    }
    expect(blocks.range(0, 10)).to.deep.equal(['a'])
    expect([blocks.rank('a'), blocks.rank('aa'), blocks.before('b')]).to.deep.equal([0, null, 1])
  })
})
