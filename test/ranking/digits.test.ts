// Whole numbers as text that sorts as they do.

import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { digitOf, digitsOf, RADIX } from '../../ranking/digits.ts'

const wholeNumber = fc.oneof(fc.nat({ max: 5_000 }), fc.maxSafeNat())

describe('digits of whole numbers', () => {
  it('sort as the numbers where the texts are equally long, and shorter texts are of smaller numbers', () => {
    fc.assert(
      fc.property(wholeNumber, wholeNumber, (a, b) => {
        const [one, other] = [digitsOf(a), digitsOf(b)]
        const isLess = one.length === other.length ? one < other : one.length < other.length
        expect(isLess).to.equal(a < b)
      }),
    )
  })

  it('give the number back, and are ASCII without control characters', () => {
    fc.assert(
      fc.property(wholeNumber, (number) => {
        const text = digitsOf(number)
        expect(text).to.match(/^[!-~]+$/)
        let value = 0n
        for (const digit of text) value = value * BigInt(RADIX) + BigInt(digitOf(digit.charCodeAt(0)))
        expect(value).to.equal(BigInt(number))
      }),
    )
  })
})
