// Sums of decimals and numbers with the other sign, against BigInt.

import { expect } from 'chai'
import fc from 'fast-check'
import { addDecimals, compareDecimals, type Decimal, negated, SUM_WHOLE_MAX } from '../../domain/decimal.ts'
import { canonical, scaled } from '../model/big-decimal.ts'
import { sized } from '../seeds.ts'

const LIMIT = 10n ** BigInt(SUM_WHOLE_MAX + 18)

/** Of every size that a sum can have, with many zeros and nines, often close to a power of ten. */
const anyScaled = fc
  .oneof(
    fc.bigInt(-LIMIT + 1n, LIMIT - 1n),
    fc.bigInt(-(10n ** 20n), 10n ** 20n),
    fc.tuple(fc.nat(SUM_WHOLE_MAX + 17), fc.bigInt(-2n, 2n)).map(([zeros, more]) => 10n ** BigInt(zeros) + more),
  )
  .chain((value) => fc.constantFrom(value, -value))
const decimalOf = (value: bigint) => canonical(value) as Decimal

describe('the sum of decimals', () => {
  it('is exact and canonical, in either order, and its comparison too', () => {
    const property = fc.property(anyScaled, anyScaled, (a, b) => {
      const sum = a + b
      fc.pre(sum < LIMIT && sum > -LIMIT)
      const added = addDecimals(decimalOf(a), decimalOf(b))
      expect(added).to.equal(canonical(sum))
      expect(addDecimals(decimalOf(b), decimalOf(a))).to.equal(added)
      expect(compareDecimals(added, decimalOf(a))).to.equal(b < 0n ? -1 : b > 0n ? 1 : 0)
    })
    fc.assert(property, { numRuns: sized(2_000, 20_000) })
  })

  it('is that of all, whatever is added and taken away in between', () => {
    const any = fc.array(fc.tuple(anyScaled, fc.boolean()), { maxLength: 30 })
    const property = fc.property(any, (steps) => {
      let [sum, added] = [0n, '0' as Decimal]
      for (const [value, isTaken] of steps) {
        const after = isTaken ? sum - value : sum + value
        if (after >= LIMIT || after <= -LIMIT) continue
        sum = after
        added = addDecimals(added, isTaken ? negated(decimalOf(value)) : decimalOf(value))
      }
      expect(added).to.equal(canonical(sum))
      expect(scaled(added)).to.equal(sum)
    })
    fc.assert(property, { numRuns: sized(300, 3_000) })
  })

  it('has up to 36 digits before the point, and with more is a RangeError that says so', () => {
    const [most, least] = [decimalOf(LIMIT - 1n), decimalOf(1n)]
    expect(addDecimals(most, '0' as Decimal)).to.equal(`${'9'.repeat(36)}.${'9'.repeat(18)}`)
    expect(addDecimals(negated(most), '0' as Decimal)).to.equal(`-${'9'.repeat(36)}.${'9'.repeat(18)}`)
    expect(addDecimals(decimalOf(LIMIT - 2n), least)).to.equal(most)
    for (const [a, b] of [
      [most, least],
      [negated(most), negated(least)],
      [most, most],
    ] as const) {
      expect(() => addDecimals(a, b)).to.throw(
        RangeError,
        `the sum of ${a} and ${b} has more than 36 digits before the point`,
      )
    }
  })
})

describe('a decimal with the other sign', () => {
  it('is exact and canonical, and twice negated the same', () => {
    const property = fc.property(anyScaled, (value) => {
      expect(negated(decimalOf(value))).to.equal(canonical(-value))
      expect(negated(negated(decimalOf(value)))).to.equal(decimalOf(value))
    })
    fc.assert(property, { numRuns: 1_000 })
    expect(negated('0' as Decimal)).to.equal('0')
  })
})
