// Accepted number literals, against an oracle that compares exact fractions.

import { expect } from 'chai'
import fc from 'fast-check'
import { numberFault } from '../../http/pipeline/strict-json.ts'
import { exactDecimal, exactDouble, sameFraction } from '../model/big-decimal.ts'

const SEED = 19
const DIGITS_KEPT = 17

/** The rule as documented for callers, on exact values. */
function isExactDecimal(literal: string): boolean {
  const double = Number(literal)
  const isZero = !/[1-9]/.test(literal.replace(/e.*/i, ''))
  if (!isZero && (double === 0 || !Number.isFinite(double))) return false
  if (sameFraction(exactDecimal(literal), exactDouble(double))) return true
  if (/^-?[0-9]+$/.test(literal)) return false
  const digits = literal.replace(/e.*/i, '').replace(/[-.]/g, '').replace(/^0+/, '')
  return digits.length <= DIGITS_KEPT
}

const digits = (maxDigits: number) => fc.stringMatching(/^[0-9]+$/, { maxLength: maxDigits })
const integer = fc.oneof(
  fc.constant('0'),
  fc.tuple(fc.integer({ min: 1, max: 9 }), digits(25)).map(([first, rest]) => first + rest),
  fc.bigInt({ min: 0n, max: 2n ** 80n }).map(String),
  fc
    .tuple(fc.integer({ min: 40, max: 90 }), fc.integer({ min: -3, max: 3 }))
    .map(([power, off]) => String(2n ** BigInt(power) + BigInt(off))),
)
const literals = fc
  .tuple(
    fc.constantFrom('', '-'),
    integer,
    fc.oneof(
      fc.constant(''),
      digits(25).map((text) => `.${text}`),
      fc.constantFrom('.5', '.25', '.125000000000000000000'),
    ),
    fc.oneof(
      fc.constant(''),
      fc
        .tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), fc.integer({ min: 0, max: 420 }))
        .map(([exponent, power]) => exponent + power),
    ),
  )
  .map((parts) => parts.join(''))

describe('number literals', () => {
  const TAKEN = [
    ...[
      '0',
      '-0',
      '1',
      '-1',
      '9007199254740992',
      '9007199254740994',
      '76561197960287936',
      '1e21',
      '0.1',
      '1E5',
      '-0.0e99',
    ],
    ...[
      '0.10000000000000001',
      '1e308',
      '5e-324',
      '1.7976931348623157e308',
      '0e999999',
      '0.00000000000000000000000000000000',
    ],
    ...[
      '100000000000000000000',
      '1.00000000000000000000',
      '0.5000000000000000000000',
      '10.0e-1',
      `1${'0'.repeat(308)}e-308`,
    ],
    // The exact value of one double, in all of its digits.
    '0.1000000000000000055511151231257827021181583404541015625',
  ]
  for (const literal of TAKEN) {
    it(`accepts ${literal.length > 60 ? `${literal.slice(0, 57)}...` : literal}`, () => {
      expect([numberFault(literal), isExactDecimal(literal)]).to.deep.equal([null, true])
    })
  }

  const REFUSED = [
    ...[
      '76561197960287931',
      '-76561197960287931',
      '9007199254740993',
      '1e309',
      '-1e400',
      '1e-400',
      '-1e-324',
      '9'.repeat(400),
    ],
    ...['0.1234567890123456789', '1.0000000000000000001', '123456789.1234567890123', '0.10000000000000000000'],
    ...[`0.${'0'.repeat(400)}1`, '1234567890.12345678901e5', '100000000000000000000001'],
    '0.1000000000000000055511151231257827021181583404541015626',
  ]
  for (const literal of REFUSED) {
    it(`refuses ${literal.length > 60 ? `${literal.slice(0, 57)}...` : literal}`, () => {
      expect(numberFault(literal)).to.be.a('string')
      expect(isExactDecimal(literal)).to.equal(false)
    })
  }

  it('accepts random literals exactly when the rule does', () => {
    fc.assert(
      fc.property(literals, (literal) => {
        expect([literal, numberFault(literal) === null]).to.deep.equal([literal, isExactDecimal(literal)])
      }),
      { seed: SEED, numRuns: 5_000 },
    )
  })

  it('accepts the exact decimal form of a double, and refuses it with another digit', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-290, max: 1e290 }), (double) => {
        const [numerator, denominator] = exactDouble(double)
        // The denominator of a double is a power of two: it has as many decimals as that has factors.
        const halvings = denominator.toString(2).length - 1
        const text = (numerator * 5n ** BigInt(halvings)).toString().padStart(halvings + 1, '0')
        const exact = halvings === 0 ? text : `${text.slice(0, -halvings)}.${text.slice(-halvings)}`
        expect(numberFault(exact)).to.equal(null)
        expect(numberFault(`${halvings === 0 ? `${exact}.` : exact}${'0'.repeat(20)}1`)).to.be.a('string')
      }),
      { seed: SEED, numRuns: 1_000 },
    )
  })
})
