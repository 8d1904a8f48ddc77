// Random histories of calls, with changes of every kind and age, compared with the model.

import fc from 'fast-check'
import type { Position } from '../../domain/event.ts'
import type { AllRankings, RankingChange, Rankings } from '../../stores/contract/rankings.ts'
import {
  change,
  checkFilled,
  compareReads,
  fill,
  filledWith,
  ModelRankings,
  NAME,
  posAt,
  sortKeyAt,
  upTo,
} from './rankings-model.ts'
import type { Check } from './test-contract.ts'

interface DrawnChange {
  readonly key: string
  readonly before: readonly [score: number, id: number][]
  readonly after: readonly [score: number, id: number] | null
  /** Offset of its position from that of the step; it may be older. */
  readonly ahead: number
}

interface Step {
  readonly changes: readonly DrawnChange[]
  readonly isRepeated: boolean
  readonly isFilledFirst: boolean
  readonly read: readonly [score: number, id: number]
  readonly offset: number
  readonly limit: number
}

const KEYS = ['a', 'b', 'c']
const anySortKey = fc.tuple(fc.nat(6), fc.nat(4))

const anyChange: fc.Arbitrary<DrawnChange> = fc.record({
  key: fc.constantFrom(...KEYS),
  before: fc.array(anySortKey, { maxLength: 4 }),
  after: fc.option(anySortKey, { freq: 4 }),
  ahead: fc.integer({ min: -12, max: 6 }),
})

const anyStep: fc.Arbitrary<Step> = fc.record({
  changes: fc.array(anyChange, { maxLength: 6 }),
  isRepeated: fc.boolean(),
  isFilledFirst: fc.nat(19).map((n) => n === 0),
  read: anySortKey,
  offset: fc.nat(35),
  limit: fc.nat(35),
})

const drawn = (base: number, { key, before, after, ahead }: DrawnChange): RankingChange =>
  change(
    key,
    before.map((one) => sortKeyAt(...one)),
    after === null ? null : sortKeyAt(...after),
    base + ahead,
  )

async function fillBoth(rankings: Rankings, model: ModelRankings, at: Position | null, base: number): Promise<void> {
  const sortKeys = (n: number) => [...new Set(upTo(n * 2).map((id) => sortKeyAt((id * base) % 7, id % 5)))].sort()
  const boards = { a: sortKeys(0), b: sortKeys(1 + (base % 4)), c: sortKeys(2) }
  await fill(rankings, NAME, at, filledWith(boards, 2))
  model.fill(at, new Map(Object.entries(boards)))
}

export const historyChecks: readonly Check<AllRankings>[] = [
  checkFilled('after every step of any history, all reads agree with a sorted array', async (rankings) => {
    const property = fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 60 }), async (steps) => {
      const model = new ModelRankings()
      await fillBoth(rankings, model, null, 1)
      for (const [n, step] of steps.entries()) {
        const base = 100 + n * 4
        if (step.isFilledFirst) await fillBoth(rankings, model, posAt(base - 2), base)
        const changes = step.changes.map((one) => drawn(base, one))
        for (let times = step.isRepeated ? 2 : 1; times > 0; times--) {
          await rankings.put(changes)
          model.put(changes)
        }
        const read = { sortKey: sortKeyAt(...step.read), offset: step.offset, limit: step.limit }
        for (const key of KEYS) await compareReads(rankings, key, model.sortKeys(key), read)
      }
    })
    await fc.assert(property, { numRuns: 25 })
  }),
]
