// Compares windows of a board with a sorted list: random changes, refreezes between and during them. Also tests the
// wavelet matrix alone.

import { expect } from 'chai'
import fc from 'fast-check'
import type { Decimal } from '../../domain/decimal.ts'
import { textHash } from '../../domain/hash.ts'
import { asChunks } from '../../ranking/chunks.ts'
import { SortKeyPacker } from '../../ranking/packed-sort-keys.ts'
import { encodeSortKey, idOfSortKey, timeOfSortKey } from '../../ranking/sort-key.ts'
import { orderTimes, runAll } from '../../ranking/times.ts'
import { WaveletMatrix } from '../../ranking/wavelet-matrix.ts'
import { WindowIndex } from '../../ranking/window-index.ts'
import { freeze } from '../../ranking/window-state.ts'
import { positionOf } from '../../stores/embedded/log-schema.ts'
import { sized } from '../seeds.ts'

const [START, DAY] = [1_795_244_701_123, 86_400_000]
const EVERYTHING = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const

interface Entry {
  readonly id: string
  readonly score: number
  readonly secondary: number | null
  readonly time: number
}

const sortKeyOf = ({ id, score, secondary, time }: Entry): string => {
  const fields = {
    score: String(score) as Decimal,
    secondary: secondary === null ? null : (String(secondary) as Decimal),
  }
  // Positions follow neither time nor id.
  const position = positionOf(Math.imul(time ^ textHash(id), 0x9e3779b1) >>> 0)
  return encodeSortKey({ ...fields, position, timeMs: time, id }, { ordering: 'desc', secondaryOrdering: 'asc' })
}

/** The reference implementation. */
class Model {
  readonly byId = new Map<string, string>()

  inside(since: number, until: number): string[] {
    return [...this.byId.values()].filter((sortKey) => isIn(sortKey, since, until)).sort()
  }
}

const isIn = (sortKey: string, since: number, until: number) =>
  timeOfSortKey(sortKey) >= since && timeOfSortKey(sortKey) < until

function frozen(sortKeys: readonly string[]): WindowIndex {
  const packer = new SortKeyPacker()
  for (const sortKey of sortKeys) packer.addText(sortKey)
  return new WindowIndex(runAll(freeze(packer)))
}

function compare(index: WindowIndex, model: Model, since: number, until: number, page: number): void {
  const inside = model.inside(since, until)
  expect(index.size(since, until)).to.equal(inside.length)
  expect(index.range(0, inside.length + 1, since, until)).to.deep.equal(inside)
  const offset = page % (inside.length + 2)
  expect(index.range(offset, 7, since, until)).to.deep.equal(inside.slice(offset, offset + 7))
  for (const [id, sortKey] of [...model.byId].slice(0, 60)) {
    expect(index.sortKeyOf(id)).to.equal(sortKey)
    const before = inside.filter((other) => other < sortKey).length
    expect(index.before(sortKey, since, until)).to.equal(before)
  }
}

const ids = fc.integer({ min: 0, max: 300 }).map((n) => `e${n.toString(36)}`)
const entries = fc.record({
  id: ids,
  score: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer()),
  secondary: fc.option(fc.integer({ min: 0, max: 2 })),
  time: fc.oneof(
    fc.integer({ min: 0, max: 20 }).map((n) => START + n),
    fc.integer({ min: 0, max: 400 * DAY }).map((n) => START + n),
  ),
})
const times = fc.oneof(
  fc.constantFrom(...EVERYTHING),
  entries.map(({ time }) => time),
)
const steps = fc.oneof(
  { weight: 12, arbitrary: fc.record({ set: fc.array(entries, { maxLength: 40, size: 'max' }) }) },
  { weight: 4, arbitrary: fc.record({ take: fc.array(ids, { maxLength: 20, size: 'max' }) }) },
  { weight: 1, arbitrary: fc.record({ freeze: fc.array(entries, { maxLength: 150, size: 'max' }), each: fc.nat(4) }) },
  { weight: 6, arbitrary: fc.record({ since: times, until: times, page: fc.nat() }) },
)
type Step = {
  readonly set?: readonly Entry[]
  readonly take?: readonly string[]
  readonly freeze?: readonly Entry[]
  readonly each?: number
  readonly since?: number
  readonly until?: number
  readonly page?: number
}

function run(index: WindowIndex, model: Model, step: Step): void {
  const put = (entry: Entry) => {
    model.byId.set(entry.id, sortKeyOf(entry))
    index.set(entry.id, sortKeyOf(entry))
  }
  for (const entry of step.set ?? []) put(entry)
  for (const id of step.take ?? []) {
    model.byId.delete(id)
    index.set(id, null)
  }
  if (step.freeze !== undefined) {
    const waiting = [...step.freeze]
    for (const _ of index.refreeze()) {
      for (const entry of waiting.splice(0, (step.each ?? 0) + 1)) put(entry)
      compare(index, model, START, START + 10, 3)
    }
  }
  if (step.since !== undefined) compare(index, model, step.since, step.until ?? 0, step.page ?? 0)
}

describe('the window index', () => {
  it('answers like a sorted list after any sequence of changes', function () {
    this.timeout(60_000)
    const beginning = fc.uniqueArray(entries, { selector: ({ id }) => id, maxLength: 200, size: 'max' })
    fc.assert(
      fc.property(beginning, fc.array(steps as fc.Arbitrary<Step>, { maxLength: 25, size: 'max' }), (first, all) => {
        const model = new Model()
        for (const entry of first) model.byId.set(entry.id, sortKeyOf(entry))
        const index = frozen([...model.byId.values()].sort())
        for (const step of all) run(index, model, step)
        compare(index, model, ...EVERYTHING, 5)
      }),
      { numRuns: sized(20, 60) },
    )
  })

  it('supports several segments and many changes', () => {
    const model = new Model()
    const entryOf = (n: number, turn: number): Entry => {
      const mixed = Math.imul(n + 7 * turn + 1, 0x9e3779b1) >>> 0
      return { id: `entry${n}`, score: mixed % 5_000, secondary: null, time: START + ((mixed >>> 8) % (90 * DAY)) }
    }
    for (let n = 0; n < 3_000; n++) model.byId.set(`entry${n}`, sortKeyOf(entryOf(n, 0)))
    const index = frozen([...model.byId.values()].sort())
    for (let n = 0; n < 2_500; n++) {
      run(index, model, { set: [entryOf(n * 2, 1)], take: n % 3 ? [] : [`entry${n}`] })
      if (n % 97 === 0) compare(index, model, START + 10 * DAY, START + 40 * DAY, n)
    }
    const window = [START + 10 * DAY, START + 40 * DAY] as const
    compare(index, model, ...window, 77)
    expect(index.isDue).to.equal(false)
    for (let n = 0; n < 1_500; n++) run(index, model, { set: [entryOf(10_000 + n, 1)] })
    expect(index.isDue).to.equal(true)
    runAll(index.refreeze())
    expect(index.isDue).to.equal(false)
    compare(index, model, ...window, 77)
  })

  it('omits the later of two sort keys of one entry until that entry is set', () => {
    const entry = { id: 'twice', score: 9, secondary: null, time: START }
    const other = { id: 'other', score: 5, secondary: null, time: START }
    const [high, low] = [sortKeyOf(entry), sortKeyOf({ ...entry, score: 1 })]
    const index = frozen([high, sortKeyOf(other), low])
    expect(index.range(0, 9, ...EVERYTHING)).to.deep.equal([high, sortKeyOf(other)])
    index.set('twice', low)
    expect(index.range(0, 9, ...EVERYTHING)).to.deep.equal([sortKeyOf(other), low])
    runAll(index.refreeze())
    expect(index.range(0, 9, ...EVERYTHING)).to.deep.equal([sortKeyOf(other), low])
    expect(index.size(...EVERYTHING)).to.equal(2)
  })

  it('decodes the time and the id of a sort key', () => {
    fc.assert(
      fc.property(entries, (entry) => {
        expect([idOfSortKey(sortKeyOf(entry)), timeOfSortKey(sortKeyOf(entry))]).to.deep.equal([entry.id, entry.time])
      }),
    )
  })
})

describe('a wavelet matrix', () => {
  it('counts and finds like a scan of all numbers', () => {
    const numbers = fc.integer({ min: 1, max: 1_000 }).chain((bound) =>
      fc.record({
        bound: fc.constant(bound),
        all: fc.array(fc.nat(bound - 1), { maxLength: 300, size: 'max' }),
        asked: fc.array(fc.tuple(fc.nat(300), fc.nat(300), fc.nat(bound + 5)), { maxLength: 30, size: 'max' }),
      }),
    )
    fc.assert(
      fc.property(numbers, ({ bound, all, asked }) => {
        const matrix = runAll(WaveletMatrix.build(asChunks(Uint32Array.from(all)), bound))
        for (const [a, b, below] of asked) {
          const [from, to] = [Math.min(a, all.length), Math.min(b, all.length)]
          const range = all.slice(from, Math.max(from, to))
          expect(matrix.count(from, to, below)).to.equal(range.filter((number) => number < below).length)
          const least = Math.min(...range.filter((number) => number >= below))
          expect(matrix.atLeast(from, to, below)).to.equal(least === Number.POSITIVE_INFINITY ? -1 : least)
        }
      }),
    )
  })

  it('spans several chunks, and sorting by time keeps equal ones in order', () => {
    const all = Float64Array.from({ length: 140_000 }, (_, n) => START + ((Math.imul(n, 0x9e3779b1) >>> 0) % 977) * DAY)
    const { sorted, indexes } = runAll(orderTimes(asChunks(all)))
    const expected = Array.from(all.keys()).sort((a, b) => (all[a] as number) - (all[b] as number) || a - b)
    expect(indexes.flatMap((chunk) => [...chunk])).to.deep.equal(expected)
    for (const nth of [0, 1, 1_023, 1_024, 70_000, 139_999]) {
      const time = all[expected[nth] as number] as number
      expect(sorted.indexOf(time)).to.equal(expected.findIndex((at) => all[at] === time))
      expect(sorted.indexOf(time + 1)).to.equal(all.filter((other) => other <= time).length)
    }
    const matrix = runAll(WaveletMatrix.build(indexes, all.length))
    expect(matrix.count(100, 139_000, 82_345)).to.equal(expected.slice(100, 139_000).filter((at) => at < 82_345).length)
  })
})
