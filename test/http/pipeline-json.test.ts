// The strict JSON parser: what it refuses and where, and the number literals it accepts, against an oracle of exact
// fractions.

import { expect } from 'chai'
import fc from 'fast-check'
import { Refusal } from '../../domain/decider.ts'
import { JSON_MAX_DEPTH } from '../../domain/event.ts'
import { faultOf, numberFault, parseStrictJson } from '../../http/pipeline/strict-json.ts'
import { exactDecimal, exactDouble, sameFraction } from '../model/big-decimal.ts'
import { sized } from '../seeds.ts'

const NOT_JSON = 'not valid JSON: '

const REFUSED: readonly (readonly [string, string, string])[] = [
  ['', '', `${NOT_JSON}a value was expected at character 0`],
  ['{"a":1,"a":2}', '/a', 'this field is given twice: keep one'],
  ['{"x":[{"b/~":1,"b/~":1}]}', '/x/0/b~1~0', 'this field is given twice: keep one'],
  ['{"a":1,"\\u0061":2}', '/a', 'this field is given twice: keep one'],
  ['{"a":{"__proto__":1}}', '/a/__proto__', 'this field name is not allowed: remove it'],
  ['{"\\u005f_proto__":1}', '/__proto__', 'this field name is not allowed: remove it'],
  ['{"a":["x","\\ud800"]}', '/a/1', 'contains half a surrogate pair: send whole characters'],
  ['{"a":"\\udc00\\ud800"}', '/a', 'contains half a surrogate pair: send whole characters'],
  ['{"\\ud800":1}', '/\ud800', 'contains half a surrogate pair: send whole characters'],
  ['{"a":"x\\u0000"}', '/a', 'contains a NUL character: remove it'],
  ['{"a":1e999}', '/a', 'this number is too large: send it as a string'],
  ['[-1e400]', '/0', 'this number is too large: send it as a string'],
  [
    '{"steam":76561197960287931}',
    '/steam',
    'this integer would change, as JSON numbers are read as doubles: send it as a string',
  ],
  [
    '{"x":{"y":[1,9007199254740993]}}',
    '/x/y/1',
    'this integer would change, as JSON numbers are read as doubles: send it as a string',
  ],
  ['{"a":1e-400}', '/a', 'this number is too small: send it as a string'],
  [
    '{"a":[-0.1234567890123456789]}',
    '/a/0',
    'this number has more than 17 digits and would change: send it as a string, or with fewer digits',
  ],
  ['{"a":}', '/a', `${NOT_JSON}a value was expected at character 5`],
  ['{"a":1,}', '', `${NOT_JSON}a field name in double quotes was expected at character 7`],
  ['{"a" 1}', '/a', `${NOT_JSON}a colon was expected at character 5`],
  ['[1 2]', '', `${NOT_JSON}a comma or a closing bracket was expected at character 3`],
  ['{"a":1} x', '', `${NOT_JSON}the end was expected at character 8`],
  ['{"a":"b', '/a', `${NOT_JSON}a closing quote was expected at character 7`],
  ['"ab\\x"', '', `${NOT_JSON}the escape at character 3 does not exist`],
  ['{"a":"\\n\\u00g0"}', '/a', `${NOT_JSON}the escape at character 8 does not exist`],
  ['["a\tb"]', '/0', `${NOT_JSON}the control character at character 3 must be escaped`],
  ['["a\nb"]', '/0', `${NOT_JSON}the control character at character 3 must be escaped`],
  ['{"a":"x\r\ny"}', '/a', `${NOT_JSON}the control character at character 7 must be escaped`],
  ['{"a\tb":1}', '', `${NOT_JSON}the control character at character 3 must be escaped`],
  ['["\\x\n"]', '/0', `${NOT_JSON}the escape at character 2 does not exist`],
  ['["\\', '/0', `${NOT_JSON}a closing quote was expected at character 3`],
  ['["\\u00', '/0', `${NOT_JSON}a closing quote was expected at character 6`],
  ['["\\"', '/0', `${NOT_JSON}a closing quote was expected at character 4`],
  ['{"a"1.:2}', '/a', `${NOT_JSON}a colon was expected at character 4`],
  ['[1 "\\x"]', '', `${NOT_JSON}a comma or a closing bracket was expected at character 3`],
  ['[1.]', '', `${NOT_JSON}a digit was expected at character 3`],
  ['{"a":1.}', '', `${NOT_JSON}a digit was expected at character 7`],
  ['{"a":1e+,"b":2}', '', `${NOT_JSON}a digit was expected at character 8`],
  ['{"a":nullx}', '', `${NOT_JSON}a comma or a closing brace was expected at character 9`],
  ['[falsetrue]', '', `${NOT_JSON}a comma or a closing bracket was expected at character 6`],
  ['truely', '', `${NOT_JSON}the end was expected at character 4`],
  ['{"a":tru}', '/a', `${NOT_JSON}a value was expected at character 5`],
  ['{"a":1 nullx}', '', `${NOT_JSON}a comma or a closing brace was expected at character 7`],
  ['{"a":NaN}', '/a', `${NOT_JSON}a value was expected at character 5`],
  ['{"a":01}', '', `${NOT_JSON}a comma or a closing brace was expected at character 6`],
  ['\ufeff\ufeff{}', '', `${NOT_JSON}a value was expected at character 0`],
  ['\u00a0{}', '', `${NOT_JSON}a value was expected at character 0`],
]

function faultsOf(bytes: Buffer): unknown {
  try {
    parseStrictJson(bytes)
  } catch (error) {
    if (error instanceof Refusal) return error.fields.errors
    throw error
  }
  return null
}

describe('the strict JSON parser', () => {
  for (const [text, pointer, detail] of REFUSED) {
    it(`refuses ${JSON.stringify(text)} at "${pointer}"`, () => {
      expect(faultsOf(Buffer.from(text))).to.deep.equal([{ pointer, detail }])
    })
  }

  it('skips one byte order mark', () => {
    expect(parseStrictJson(Buffer.from('\ufeff{"a":"\ufeff"}'))).to.deep.equal({ a: '\ufeff' })
  })

  it('refuses bytes that are not UTF-8', () => {
    expect(faultsOf(Buffer.from([0x22, 0xff, 0x22]))).to.deep.equal([{ pointer: '', detail: 'is not valid UTF-8' }])
    expect(faultsOf(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).to.deep.equal([
      { pointer: '', detail: 'is not valid UTF-8' },
    ])
  })

  it('accepts 40 levels and refuses 41, and names the position', () => {
    const nested = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels))
    expect(faultsOf(nested(JSON_MAX_DEPTH))).to.equal(null)
    const detail = 'nested deeper than 40 levels: flatten it'
    expect(faultsOf(nested(JSON_MAX_DEPTH + 1))).to.deep.equal([{ pointer: '/0'.repeat(40), detail }])
  })

  it('accepts unusual but valid JSON', () => {
    for (const text of [
      '{"a":":","b":"\\":{"}',
      '"\\ud83d\\ude00"',
      '{"":0}',
      '[1e308,-0]',
      ' {"a" : [ ] } ',
      '"\\\\"',
    ]) {
      expect(parseStrictJson(Buffer.from(text))).to.deep.equal(JSON.parse(text))
    }
  })

  it('returns what JSON.parse returns for random valid JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6, noUnicodeString: false }), (text) => {
        fc.pre(faultOf(text, JSON_MAX_DEPTH) === null)
        expect(parseStrictJson(Buffer.from(text))).to.deep.equal(JSON.parse(text))
      }),
    )
  })

  it('refuses the same random texts in the fast check and in the full parser', () => {
    const fragments = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '"a"',
      '"b"',
      '\\',
      '1',
      '1e999',
      '123456789',
      '0',
      '.',
      'e-',
      '"a":',
      '"\\ud800"',
      '"\\u0061":',
      'null',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 14 }), (parts) => {
        const text = parts.join('')
        const fault = faultOf(text, JSON_MAX_DEPTH)
        expect(faultsOf(Buffer.from(text))).to.deep.equal(fault === null ? null : [fault])
      }),
      { numRuns: sized(4_000, 20_000) },
    )
  })

  const BOMBS: readonly (readonly [string, string])[] = [
    ['deep arrays', '['.repeat(65_536)],
    ['deep objects', '{"a":'.repeat(13_000)],
    ['a wide array', `[${'0,'.repeat(32_000)}0]`],
    ['a wide array of arrays', `[${'[],'.repeat(21_000)}[]]`],
    ['many fields', `{${Array.from({ length: 5_000 }, (_, i) => `"k${i}":1`).join()}}`],
    ['one field many times', `{${'"a":1,'.repeat(10_000)}"a":1}`],
    ['a long string', `"${'a'.repeat(65_000)}"`],
    ['an unterminated string', `"${'a'.repeat(65_000)}`],
    ['backslashes', `"${'\\'.repeat(65_000)}`],
    ['escaped quotes', `"${'\\"'.repeat(32_000)}`],
    ['escapes', `"${'\\u0061'.repeat(10_000)}\\ud800"`],
    ['a huge exponent', `1e${'9'.repeat(65_000)}`],
    ['many digits', '9'.repeat(65_000)],
    ['many digits of a small number', `${'9'.repeat(65_000)}e-65000`],
    ['many zeros inside a number', `1.${'0'.repeat(65_000)}1`],
    ['many zeros at the end of a number', `1.${'0'.repeat(65_000)}`],
    ['many long integers', `[${'76561197960287936,'.repeat(3_600)}0]`],
    ['many long fractions', `[${'0.500000000000000000000,'.repeat(2_700)}0]`],
    ['many large exponents', `[${'1.000000000000000000e20,'.repeat(2_700)}0]`],
    ['white space', `${' '.repeat(65_000)}x`],
    ['long names in a deep place', `{"${'~'.repeat(30_000)}":{"${'/'.repeat(30_000)}":x}}`],
  ]
  for (const [title, text] of BOMBS) {
    it(`spends at most 20 ms of CPU on ${title}`, () => {
      const bytes = Buffer.from(text)
      // The least of five: other work of the process counts too, such as the collection of garbage.
      const spentMs = Array.from({ length: 5 }, () => {
        const before = process.cpuUsage()
        faultsOf(bytes)
        const { user, system } = process.cpuUsage(before)
        return (user + system) / 1_000
      })
      expect(Math.min(...spentMs)).to.be.at.most(20)
    })
  }
})

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
