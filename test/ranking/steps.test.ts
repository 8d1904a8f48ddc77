// Sorting, packing and freezing run in steps, so that the event loop is never held for long: what they make, and how
// often they yield.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Decimal } from '../../domain/decimal.ts'
import { asChunks, bytesOfChunks, CHUNK_SIZE, copy, lengthOf, numberAt, zeros } from '../../ranking/chunks.ts'
import { entryDocument, rankingKey } from '../../ranking/key.ts'
import { SortKeyPacker } from '../../ranking/packed-sort-keys.ts'
import { Points } from '../../ranking/points.ts'
import { sorted } from '../../ranking/sort.ts'
import { encodeSortKey } from '../../ranking/sort-key.ts'
import { orderTimes, runAll, SortedTimes } from '../../ranking/times.ts'
import { WindowIndex } from '../../ranking/window-index.ts'
import { freeze } from '../../ranking/window-state.ts'
import { positionOf } from '../../stores/embedded/log-schema.ts'

const EVERYTHING = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const

/** The result of a generator, and how often it yielded. */
function stepped<Result>(slices: Generator<void, Result>): { result: Result; steps: number } {
  for (let steps = 0; ; steps++) {
    const next = slices.next()
    if (next.done) return { result: next.value, steps }
  }
}

/** Each number once, scattered. */
const scatteredTo = (length: number) => Array.from({ length }, (_, n) => (n * 7_919) % length)

describe('sorting slots', () => {
  const sortedBy = (keys: readonly number[], compare: (a: number, b: number) => number) =>
    stepped(sorted(Uint32Array.from(keys.keys()), Float64Array.from(keys), compare))
  const never = () => expect.fail('the numbers decide')

  for (const length of [0, 1, 2, 511, 512, 513, 1_024, 1_500, 5_000]) {
    it(`orders ${length} slots by their numbers`, () => {
      const keys = scatteredTo(length)
      const { result } = sortedBy(keys, never)
      expect([...result].map((slot) => keys[slot])).to.deep.equal(keys.toSorted((a, b) => a - b))
    })
  }

  it('orders slots of one number by the comparison, in whichever run they are', () => {
    const keys = scatteredTo(3_000).map((n) => n % 3)
    const { result } = sortedBy(keys, (a, b) => b - a)
    const expected = [...keys.keys()].toSorted((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || b - a)
    expect([...result]).to.deep.equal(expected)
  })

  it('keeps the order of slots that the comparison calls equal', () => {
    const { result } = sortedBy(Array(2_000).fill(1), () => 0)
    expect([...result]).to.deep.equal([...Array(2_000).keys()])
  })

  it('yields after each run, and each 4,096 slots of a merge', () => {
    expect(sortedBy(scatteredTo(512), never).steps).to.equal(1)
    // 32 runs, then five merges of 4 steps each.
    expect(sortedBy(scatteredTo(16_384), never).steps).to.equal(32 + 5 * 4)
  })
})

describe('ordering times', () => {
  it('orders times that differ by less and by more than a digit of the radix', () => {
    for (const factor of [1, 2_047, 2_048, 2_049, 86_400_000]) {
      const times = scatteredTo(3_000).map((n) => 1_700_000_000_000 + (n % 1_000) * factor)
      const { result } = stepped(orderTimes(asChunks(Float64Array.from(times))))
      const expected = [...times.keys()].toSorted((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b)
      expect(result.indexes.flatMap((chunk) => [...chunk])).to.deep.equal(expected)
    }
  })

  it('yields each 2,048 numbers of each pass', () => {
    const times = Float64Array.from(scatteredTo(20_480))
    // Two chunks of zeros; first a pass over all, then two for each of two digits, then one that stores them.
    expect(stepped(orderTimes(asChunks(times))).steps).to.equal(2 + 10 + 2 * 2 * 10 + 10)
  })

  it('has no times of none', () => {
    const { result } = stepped(orderTimes(asChunks(new Float64Array(0))))
    expect([result.sorted.indexOf(5), result.sorted.bytes, result.indexes]).to.deep.equal([0, 0, []])
  })
})

describe('sorted times', () => {
  it('store a segment in 4 bytes a time, or in 8 where it spans more than 49 days', () => {
    for (const [span, bytes] of [
      [2 ** 32 - 1, 4],
      [2 ** 32, 8],
    ] as const) {
      const times = new SortedTimes(3)
      times.addSegment(Float64Array.from([5, 6, 5 + span]), 3)
      expect(times.bytes).to.equal(8 + 3 * bytes)
      expect([4, 5, 6, 7, 5 + span, 6 + span].map((time) => times.indexOf(time))).to.deep.equal([0, 0, 1, 2, 2, 3])
    }
  })

  it('find a time in whichever segment it is', () => {
    const times = new SortedTimes(4_096)
    for (let segment = 0; segment < 4; segment++) {
      times.addSegment(
        Float64Array.from({ length: 1_024 }, (_, n) => 10 * (segment * 1_024 + n)),
        1_024,
      )
    }
    for (const index of [0, 1, 1_023, 1_024, 2_047, 2_048, 3_000, 4_095]) {
      expect([times.indexOf(10 * index), times.indexOf(10 * index + 1)]).to.deep.equal([index, index + 1])
    }
    expect(times.bytes).to.equal(4 * 8 + 4_096 * 4)
  })
})

describe('numbers in chunks', () => {
  it('yield the requested number of entries, one chunk a step', () => {
    for (const length of [0, 1, CHUNK_SIZE, CHUNK_SIZE + 1, 2 * CHUNK_SIZE]) {
      const { result, steps } = stepped(zeros(length))
      expect([lengthOf(result), steps, bytesOfChunks(result)]).to.deep.equal([
        length,
        Math.ceil(length / CHUNK_SIZE),
        4 * length,
      ])
    }
  })

  it('are copied across the ends of chunks', () => {
    const numbers = Uint32Array.from({ length: CHUNK_SIZE + 10 }, (_, n) => n + 1)
    const into = runAll(zeros(2 * CHUNK_SIZE + 20))
    runAll(copy(asChunks(numbers), numbers.length, into, CHUNK_SIZE - 5))
    for (const at of [0, 4, 5, 6, CHUNK_SIZE - 1, CHUNK_SIZE, CHUNK_SIZE + 9]) {
      expect(numberAt(into, CHUNK_SIZE - 5 + at)).to.equal(at + 1)
    }
    expect([numberAt(into, CHUNK_SIZE - 6), numberAt(into, 2 * CHUNK_SIZE + 5)]).to.deep.equal([0, 0])
  })
})

describe('points', () => {
  const points = (length: number) => scatteredTo(length).map((time, index) => ({ time, index }))
  const byIndex = (a: { index: number }, b: { index: number }) => a.index - b.index
  const built = (length: number) =>
    stepped(Points.none<{ time: number; index: number }>().with(points(length), byIndex, () => true))

  it('yield each 512 while they are built', () => {
    const { steps } = built(5_120)
    // Two passes of ten steps each, and the wavelet matrix of 13 levels, which yields at most four times a level.
    expect(steps).to.be.within(20, 20 + 13 * 5 + 1)
  })

  it('count and find the first ones in a window', () => {
    const { result } = built(1_000)
    const all = points(1_000)
    for (const [since, until, bound] of [
      [0, 1_000, 1_000],
      [100, 200, 500],
      [200, 100, 500],
      [0, 1, 1_000],
      [999, 1_000, 10],
      [0, 1_000, 0],
    ] as const) {
      const inside = all.filter(({ time, index }) => time >= since && time < until && index < bound)
      expect(result.count(since, until, bound), `${since} ${until} ${bound}`).to.equal(inside.length)
      const next = all.findIndex(({ time, index }) => time >= since && time < until && index >= bound)
      expect(result.next(since, until, bound), `${since} ${until} ${bound}`).to.equal(next)
    }
    expect(result.countFirst(({ index }) => index < 321)).to.equal(321)
  })

  it('merge added ones in, without those that do not stay', () => {
    const { result } = built(1_000)
    const added = [
      { time: 5_000, index: 0.5 },
      { time: -1, index: 998.5 },
    ]
    const next = runAll(result.with(added, byIndex, ({ index }) => index % 2 === 0))
    expect(next.all).to.have.length(502)
    expect(next.all.map(({ index }) => index)).to.deep.equal([...Array(502).keys()])
    expect([next.all[1]?.time, next.all[501]?.time]).to.deep.equal([5_000, -1])
    expect([next.count(-1, 0, 502), next.count(5_000, 5_001, 2), next.count(-1, 5_001, 502)]).to.deep.equal([1, 1, 502])
  })
})

describe('a window index', () => {
  const sortKey = (score: number) =>
    encodeSortKey(
      {
        score: String(score) as Decimal,
        secondary: null,
        position: positionOf(score),
        timeMs: 1_700_000_000_000 + score,
        id: `e${score}`,
      },
      { ordering: 'desc', secondaryOrdering: 'desc' },
    )
  function indexOf(length: number): WindowIndex {
    const packer = new SortKeyPacker()
    for (let score = length; score > 0; score--) packer.addText(sortKey(score))
    return new WindowIndex(runAll(freeze(packer)))
  }

  it('is due for a new snapshot after 4,096 changes, and not while one is built', () => {
    const index = indexOf(10)
    for (let n = 0; n < 4_096; n++) index.set(`e${n + 1}`, sortKey(n + 1))
    const changed = index.isDue
    for (let n = 0; n < 4_200; n++) index.set(`e${n + 1}`, sortKey(n + 1))
    const building = index.refreeze()
    building.next()
    expect([changed, index.isDue]).to.deep.equal([false, false])
    runAll(building)
    expect([index.isDue, index.size(...EVERYTHING)]).to.deep.equal([false, 4_200])
  })

  it('applies changes in steps of 64, and says that it is between two of them', () => {
    const index = indexOf(10)
    const changes = Array.from({ length: 200 }, (_, n) => [`e${n + 1}`, null] as const)
    const setting = index.setAll(changes)
    expect(index.isMoving).to.equal(false)
    setting.next()
    expect([index.isMoving, index.size(...EVERYTHING)]).to.deep.equal([true, 0])
    expect(stepped(setting).steps).to.equal(2)
    expect(index.isMoving).to.equal(false)
  })
})

describe('the names of rankings and entries', () => {
  it('name the generation, which the first one leaves out of documents', () => {
    expect([rankingKey('b', 1), rankingKey('b', 2)]).to.deep.equal(['b.1', 'b.2'])
    const entry = { board: 'b', player: 'p', submission: 's' }
    const names = [1, 2].flatMap((generation) =>
      [true, false].map((unique) => entryDocument({ ...entry, generation, unique })),
    )
    expect(names).to.deep.equal(['b.p', 's', 'b.2.p', 'b.2.s'])
  })
})
