// The contract of rate limits: exact counts, and all or nothing over several.

import { expect } from 'chai'
import fc from 'fast-check'
import type { BucketSpec, BucketState, Rates } from '../../stores/contract/transient.ts'
import type { Check } from './test-contract.ts'

const START = Date.now()
const A: BucketSpec = { key: 'a', perSecond: 2, burst: 3 }
const B: BucketSpec = { key: 'b', perSecond: 1, burst: 10 }

function admitted(remaining: number): BucketState {
  return { admitted: true, remaining, retryAfterMs: 0 }
}

function refused(retryAfterMs: number): BucketState {
  return { admitted: false, remaining: 0, retryAfterMs }
}

export const ratesChecks: readonly Check<Rates>[] = [
  {
    name: 'admits the burst, then refuses and returns when to retry',
    run: async (make) => {
      const rates = await make()
      const states = [await rates.take([A], START), await rates.take([A], START), await rates.take([A], START)]
      expect(states.flat()).to.deep.equal([admitted(2), admitted(1), admitted(0)])
      expect(await rates.take([A], START)).to.deep.equal([refused(500)])
      expect(await rates.take([A], START + 499)).to.deep.equal([refused(1)])
      expect(await rates.take([A], START + 500)).to.deep.equal([admitted(0)])
      expect(await rates.take([A], START + 501)).to.deep.equal([refused(499)])
    },
  },
  {
    name: 'refills at its rate, up to the burst',
    run: async (make) => {
      const rates = await make()
      for (let n = 0; n < 3; n += 1) await rates.take([A], START)
      expect(await rates.take([A], START + 1_250)).to.deep.equal([admitted(1)])
      expect(await rates.take([A], START + 1_000_000)).to.deep.equal([admitted(2)])
    },
  },
  {
    name: 'takes from all buckets or from none',
    run: async (make) => {
      const rates = await make()
      for (let n = 0; n < 3; n += 1) await rates.take([B, A], START)
      expect(await rates.take([B, A], START)).to.deep.equal([admitted(7), refused(500)])
      expect(await rates.take([B], START)).to.deep.equal([admitted(6)])
      expect(await rates.take([], START)).to.deep.equal([])
    },
  },
  {
    name: 'keeps keys separate, and gives no token twice if the clock goes back',
    run: async (make) => {
      const rates = await make()
      for (let n = 0; n < 3; n += 1) await rates.take([A], START)
      expect(await rates.take([{ ...A, key: 'other' }], START)).to.deep.equal([admitted(2)])
      expect(await rates.take([A], START - 10_000)).to.deep.equal([refused(500)])
      expect(await rates.take([A], START + 500)).to.deep.equal([admitted(0)])
      expect((await rates.take([A], START - 10_000))[0]?.admitted).to.equal(false)
      expect(await rates.take([A], START + 500)).to.deep.equal([refused(500)])
    },
  },
  {
    name: 'takes more tokens than a bucket has, and refuses until it has one again',
    run: async (make) => {
      const rates = await make()
      expect(await rates.spend(A, 0, START)).to.equal(3)
      expect(await rates.spend(A, 2, START)).to.equal(1)
      expect(await rates.spend(A, 5, START)).to.equal(-4)
      expect(await rates.take([A], START)).to.deep.equal([refused(2_500)])
      expect(await rates.take([A], START + 2_499)).to.deep.equal([refused(1)])
      expect(await rates.take([A], START + 2_500)).to.deep.equal([admitted(0)])
      expect(await rates.spend(A, 0, START + 1_000_000)).to.equal(3)
      expect(await rates.spend({ ...A, key: 'other' }, 1, START)).to.equal(2)
    },
  },
  {
    name: 'counts concurrent spending exactly, in buckets of a day',
    run: async (make) => {
      const rates = await make()
      const day: BucketSpec = { key: 'day', perSecond: 16_777_216 / 86_400, burst: 16_777_216 }
      await Promise.all(Array.from({ length: 32 }, () => rates.spend(day, 1_000_000, START)))
      expect(await rates.spend(day, 0, START)).to.equal(16_777_216 - 32_000_000)
      expect(await rates.spend(day, 0, START + 86_400_000)).to.be.closeTo(2 * 16_777_216 - 32_000_000, 0.01)
    },
  },
  {
    name: 'admits the maximum of attempts to a window until the first one expires',
    run: async (make) => {
      const rates = await make()
      const window = { key: 'w', max: 3, withinMs: 60_000 }
      for (const [n, ms] of [0, 10, 20].entries()) {
        expect(await rates.enter([window], `a-${n}`, START + ms)).to.deep.equal([0])
      }
      expect(await rates.enter([window], 'b', START + 20)).to.deep.equal([59_980])
      expect(await rates.enter([window], 'b', START + 59_999)).to.deep.equal([1])
      expect(await rates.enter([{ ...window, key: 'other' }], 'b', START + 20)).to.deep.equal([0])
      expect(await rates.enter([window], 'b', START + 60_000)).to.deep.equal([0])
      expect(await rates.enter([window], 'c', START + 60_000)).to.deep.equal([10])
    },
  },
  {
    name: 'records an attempt in all windows or in none, and removes it again on leave',
    run: async (make) => {
      const rates = await make()
      const [narrow, wide] = [
        { key: 'narrow', max: 1, withinMs: 60_000 },
        { key: 'wide', max: 2, withinMs: 60_000 },
      ]
      expect(await rates.enter([narrow, wide], 'a', START)).to.deep.equal([0, 0])
      expect(await rates.enter([narrow, wide], 'b', START)).to.deep.equal([60_000, 0])
      expect(await rates.enter([wide], 'c', START)).to.deep.equal([0])
      await rates.leave([narrow, wide], 'a')
      await rates.leave([narrow, wide], 'unknown')
      expect(await rates.enter([narrow, wide], 'd', START)).to.deep.equal([0, 0])
      expect(await rates.enter([wide], 'e', START)).to.deep.equal([60_000])
    },
  },
  {
    name: 'admits exactly the maximum of concurrent attempts',
    run: async (make) => {
      const rates = await make()
      const window = { key: 'raced', max: 5, withinMs: 60_000 }
      const racers = Array.from({ length: 32 }, (_, n) => rates.enter([window], `r-${n}`, START))
      const waits = (await Promise.all(racers)).flat()
      expect(waits.filter((ms) => ms === 0)).to.have.length(5)
    },
  },
  {
    name: 'admits exactly as many as a model, for random calls',
    run: async (make) => {
      const rates = await make()
      let run = 0
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(1, 2, 3, 7, 50, 1_000),
          fc.integer({ min: 1, max: 20 }),
          fc.array(fc.nat(700), { minLength: 30, maxLength: 120 }),
          async (perSecond, burst, stepsMs) => {
            run += 1
            const spec = { key: `model-${run}`, perSecond, burst }
            // In thousandths of a token, advanced at each call.
            let level = burst * 1_000
            let nowMs = START
            for (const stepMs of stepsMs) {
              nowMs += stepMs
              level = Math.min(burst * 1_000, level + stepMs * perSecond)
              const isEnough = level >= 1_000
              const expected = isEnough
                ? admitted(Math.floor(level / 1_000) - 1)
                : refused(Math.ceil((1_000 - level) / perSecond))
              expect(await rates.take([spec], nowMs)).to.deep.equal([expected])
              if (isEnough) level -= 1_000
            }
          },
        ),
        { numRuns: 50 },
      )
    },
  },
]
