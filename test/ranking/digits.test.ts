// Whole numbers as text that sorts as they do.

import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { digitsOf, numberEndingAt } from '../../ranking/digits.ts'

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

  it('give the number back after any text and a separator, and are ASCII without control characters', () => {
    fc.assert(
      fc.property(fc.string(), wholeNumber, (before, number) => {
        const text = digitsOf(number)
        expect(text).to.match(/^[!-~]+$/)
        const bytes = Buffer.from(`${before}\u0001${text}`)
        expect(numberEndingAt(bytes, bytes.length - 1, 1)).to.equal(number)
      }),
    )
  })
})
