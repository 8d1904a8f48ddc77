import { expect } from 'chai'
import fc from 'fast-check'
import { localDecimal, plainDecimal } from '../../console/src/decimals.ts'

const LOCALES = ['en-US', 'de-DE', 'de-CH', 'fr', 'sv', 'es', 'pl', 'en-IN', 'hi-IN', 'ar-EG', 'fa', 'bn']
const LONGEST = `-${'123456789012'.repeat(3)}.${'123456789'.repeat(2)}`

describe('console: decimals in the reader’s notation', () => {
  it('are grouped and pointed as in the locale, without a lost digit', () => {
    const local = (text: string) => ['en-US', 'de-DE', 'en-IN'].map((locale) => localDecimal(text, locale))
    expect(local('1234567.5')).to.deep.equal(['1,234,567.5', '1.234.567,5', '12,34,567.5'])
    expect(local('-0.50')).to.deep.equal(['-0.50', '-0,50', '-0.50'])
    expect(localDecimal(LONGEST, 'de-DE')).to.equal(
      '-123.456.789.012.123.456.789.012.123.456.789.012,123456789123456789',
    )
  })

  it('leave other texts as they are', () => {
    for (const text of ['', 'ada', '1e5', '1,000', '+1', '.5']) expect(localDecimal(text, 'de-DE')).to.equal(text)
  })

  it('become the same decimal again, in each locale', () => {
    const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${max}}$`))
    const decimal = fc
      .tuple(fc.boolean(), fc.stringMatching(/^(0|[1-9][0-9]{0,35})$/), fc.option(digits(18)))
      .map(([isNegative, whole, rest]) => `${isNegative ? '-' : ''}${whole}${rest === null ? '' : `.${rest}`}`)
    for (const locale of LOCALES) {
      fc.assert(
        fc.property(decimal, (text) => {
          expect(plainDecimal(localDecimal(text, locale), locale)).to.equal(text)
        }),
        { seed: 47, numRuns: 100 },
      )
    }
  })
})
