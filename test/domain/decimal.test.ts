// Decimals against BigInt: a decimal times 10^18 is a whole number, which knows neither rounding nor notation.

import { expect } from 'chai'
import fc from 'fast-check'
import { compareDecimals, type Decimal, parseDecimal } from '../../domain/decimal.ts'

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
