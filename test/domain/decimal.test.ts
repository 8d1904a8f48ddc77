// Decimals against BigInt: a decimal times 10^18 is a whole number, which knows neither rounding nor notation.

import { expect } from 'chai'
import fc from 'fast-check'
import { compareDecimals, type Decimal, decimalFault, parseDecimal } from '../../domain/decimal.ts'

/** Texts of the grammar: of every length, with many zeros, often close to each other. */
const anyText = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][09]{0,29}$/), fc.stringMatching(/^[1-9][0-9]{0,29}$/)),
    point: fc.oneof(
      fc.constant(''),
      fc.stringMatching(/^\.[019]{1,18}$/),
      fc.stringMatching(/^\.[0-9]{1,18}$/),
      fc.stringMatching(/^\.0{1,17}[0-9]$/),
    ),
  })
  .map(({ sign, whole, point }) => sign + whole + point)

function parsed(text: string): Decimal {
  const decimal = parseDecimal(text)
  if (decimal === null) throw new Error(`refused: ${text}`)
  return decimal
}

/** The text's number times 10^18. */
function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const magnitude = BigInt(whole + fraction.padEnd(18, '0'))
  return text.startsWith('-') ? -magnitude : magnitude
}

/** The one canonical text of a number times 10^18. */
function canonical(number: bigint): string {
  const digits = String(number < 0n ? -number : number).padStart(19, '0')
  const fraction = digits.slice(-18).replace(/0+$/, '')
  return (number < 0n ? '-' : '') + digits.slice(0, -18) + (fraction === '' ? '' : `.${fraction}`)
}

const sign = (number: bigint) => (number < 0n ? -1 : number > 0n ? 1 : 0)

describe('Parsing a decimal', () => {
  const nines = '9'.repeat(30)
  const examples = [
    ['0', '0'],
    ['-0', '0'],
    ['-0.000', '0'],
    ['0.0', '0'],
    ['1.50', '1.5'],
    ['2.000', '2'],
    ['-2.0', '-2'],
    ['100', '100'],
    ['-100.010', '-100.01'],
    ['0.000000000000000001', '0.000000000000000001'],
    [`-${nines}.${'9'.repeat(18)}`, `-${nines}.${'9'.repeat(18)}`],
    [`-${nines}.${'0'.repeat(18)}`, `-${nines}`],
  ] as const
  for (const [text, expected] of examples) {
    it(`reads ${text} as ${expected}`, () => expect(parseDecimal(text)).to.equal(expected))
  }

  const refused = [
    '',
    '-',
    '.',
    '+1',
    '--1',
    '01',
    '-01',
    '00',
    '1.',
    '.5',
    '-.5',
    '1..5',
    '1.5.5',
    '1e5',
    '1E5',
    '0x1',
  ]
  refused.push(' 1', '1 ', '1\n', '\n1', '1,5', '1_000', 'NaN', 'Infinity', 'null', '１', '١', '1\u0000')
  refused.push(`1${nines}`, `-1${nines}`, `0.${'1'.repeat(19)}`, `0.${'0'.repeat(19)}`, '1-', '1.-5', '1n')
  for (const text of refused) {
    it(`refuses ${JSON.stringify(text)}`, () => expect(parseDecimal(text)).to.equal(null))
  }

  const AFTER = (digits: number) => `must have at most 18 digits after the point, not ${digits}: round it`
  const BEFORE = (digits: number) => `must have at most 30 digits before the point, not ${digits}`
  const EXPONENT = 'must not have an exponent: write all digits, such as "0.0000001" for 1e-7'
  const COMMA = 'must not contain a comma: write a point before the fraction, and digits without separators'
  const PLUS = 'must not begin with a plus sign: leave it out'
  const ZEROS = 'must not have leading zeros: leave them out'
  const AFTER_POINT = 'must have a digit after the point: add one, or leave the point out'
  const OTHER = 'must be a decimal string such as "-12.5": digits 0-9, a minus sign before them, a point among them'
  const BROKEN: readonly (readonly [string, string])[] = [
    ['0.0010000000474974513', AFTER(19)],
    [`-${nines}.${'0'.repeat(19)}`, AFTER(19)],
    [`0.${'1'.repeat(60_000)}`, AFTER(60_000)],
    [`1${nines}`, BEFORE(31)],
    [`-1${nines}.5`, BEFORE(31)],
    ['9'.repeat(60_000), BEFORE(60_000)],
    ['1e-7', EXPONENT],
    ['-1.5E+300', EXPONENT],
    ['1e5', EXPONENT],
    ['1,5', COMMA],
    ['1,000,000', COMMA],
    ['-1,000.5', COMMA],
    ['+1', PLUS],
    ['+1.5', PLUS],
    ['.5', 'must have a digit before the point: write "0.5" for ".5"'],
    ['-.25', 'must have a digit before the point: write "-0.5" for "-.5"'],
    ['5.', AFTER_POINT],
    ['-0.', AFTER_POINT],
    ['05', ZEROS],
    ['-00.5', ZEROS],
    ['0'.repeat(31), ZEROS],
    ['', 'must not be empty: give a decimal string such as "12.5"'],
    [' 1', 'must not begin or end with a space: trim it'],
    ['1\n', 'must not begin or end with a space: trim it'],
    ...['-', '--1', '1.5.5', '1_000', 'NaN', '-Infinity', '0x10', '１', '1\u0000', '1 000', '1e', 'e5', '1e5.5'].map(
      (text) => [text, OTHER] as const,
    ),
  ]
  for (const [text, fault] of BROKEN) {
    it(`says which rule ${JSON.stringify(text.slice(0, 40))} of ${text.length} characters breaks`, () => {
      expect([parseDecimal(text), decimalFault(text)]).to.deep.equal([null, fault])
    })
  }

  it('finds the broken rule of a text in a time in proportion to its length', () => {
    const size = 1_000_000
    const bombs = ['9'.repeat(size), ','.repeat(size), '1.'.repeat(size / 2), '-'.repeat(size), ' '.repeat(size)]
    bombs.push(`${'1e'.repeat(size / 2)}`, `1.${'0'.repeat(size)}`, `${'0'.repeat(size)}e`)
    const startMs = performance.now()
    for (const bomb of bombs) for (const end of ['', 'x', ',', '.', 'e', '\n']) decimalFault(bomb + end)
    expect(performance.now() - startMs).to.be.lessThan(10_000)
  })

  it('gives each number exactly one canonical text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(parseDecimal(text)).to.equal(canonical(scaled(text)))
      }),
    )
  })

  it('accepts exactly what the grammar allows', () => {
    const grammar = /^-?(0|[1-9][0-9]{0,29})(\.[0-9]{1,18})?$/
    const nearly = fc.oneof(
      fc.stringMatching(/^[-+0-9.e ]{0,8}$/),
      fc.stringMatching(/^-?[0-9]{28,32}(\.[0-9]{16,20})?$/),
    )
    fc.assert(
      fc.property(nearly, (text) => {
        expect(parseDecimal(text) !== null).to.equal(grammar.test(text))
      }),
    )
  })

  it('refuses ten thousand texts of ten megabytes without reading them', () => {
    const size = 10_000_000
    const bombs = [
      '9'.repeat(size),
      `-${'0'.repeat(size)}`,
      `1.${'0'.repeat(size)}`,
      '1.'.repeat(size / 2),
      '-'.repeat(size),
    ]
    for (const bomb of bombs) {
      for (let times = 0; times < 2_000; times++) expect(parseDecimal(bomb)).to.equal(null)
    }
  })
})

describe('Comparing decimals', () => {
  const ascending = ['-1000', '-999.5', '-10', '-9', '-1.5', '-1.45', '-1', '-0.1', '-0.01', '0', '0.01', '0.1', '0.11']
  ascending.push('1', '1.000000000000000001', '1.45', '1.5', '9', '9.99', '10', '11', '99', '100', `1${'0'.repeat(29)}`)
  it('orders every pair of a sorted list', () => {
    for (const [left, a] of ascending.entries()) {
      for (const [right, b] of ascending.entries()) {
        expect(compareDecimals(parsed(a), parsed(b)), `${a} and ${b}`).to.equal(Math.sign(left - right))
      }
    }
  })

  it('agrees with BigInt for any two decimals', () => {
    const property = fc.property(anyText, anyText, (a, b) => {
      expect(compareDecimals(parsed(a), parsed(b))).to.equal(sign(scaled(a) - scaled(b)))
    })
    fc.assert(property, { numRuns: 3_000 })
  })

  it('agrees with BigInt for two decimals that differ only in the last digit or the sign', () => {
    const property = fc.property(anyText, fc.constantFrom(-1n, 0n, 1n), fc.boolean(), (text, step, turned) => {
      const number = scaled(text) + step
      const other = canonical(turned ? -number : number)
      fc.pre(parseDecimal(other) !== null)
      expect(compareDecimals(parsed(text), parsed(other))).to.equal(sign(scaled(text) - scaled(other)))
    })
    fc.assert(property, { numRuns: 3_000 })
  })
})
