// JSON of every shape in unusual spellings: needless escapes and white space, numbers at the limits of doubles, keys
// with a meaning in databases and languages. Each text comes with its canonical form (RFC 8785).

import type { Random } from '../random.ts'
import { type Odd, oddText } from './odd-texts.ts'

const LEVELS_MAX = 32
const BYTES_MAX = 8 * 1024

const KEYS = [
  ...['', '$set', '$where', '$', '$oid', '$numberLong', 'a.b', '.', '..', 'a.$.b', '_id', '_bsontype', 'constructor'],
  ...['prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf', 'then', 'toJSON', 'length', 'proto'],
  ...[
    '0',
    '9',
    '10',
    '-1',
    '01',
    '4294967295',
    'é',
    'e\u0301',
    '😀',
    '\uffff',
    '\u{10000}',
    '\ue000',
    '\u0001',
    '"',
    '\\',
  ],
]

const NUMBERS: readonly (readonly [sent: string, due: string])[] = [
  ['-0', '0'],
  ['-0.0e-5', '0'],
  ['1e308', '1e+308'],
  ['-1E+308', '-1e+308'],
  ['1.7976931348623157e308', '1.7976931348623157e+308'],
  ['5e-324', '5e-324'],
  ['2.2250738585072014e-308', '2.2250738585072014e-308'],
  ['9007199254740992', '9007199254740992'],
  ['-9007199254740991', '-9007199254740991'],
  ['100000000000000000000', '100000000000000000000'],
  ['0.10000000000000001', '0.1'],
  ['1e20', '100000000000000000000'],
  ['1e21', '1e+21'],
  ['0.0000001', '1e-7'],
  ['1E-6', '0.000001'],
  ['1.0', '1'],
  ['0.1', '0.1'],
]

/** At most 8 KiB in canonical form and 32 levels deep. */
export function oddJson(random: Random): Odd {
  for (;;) {
    const drawn = drawJson(random)
    if (Buffer.byteLength(drawn.due) <= BYTES_MAX) return drawn
  }
}

function drawJson(random: Random): Odd {
  if (random.chance(0.04)) return exactly(random.pick(['x', 'é', '😀', '\u0001']))
  if (random.chance(0.08)) return deep(random)
  return value(random, random.below(5))
}

/** A text of exactly the maximum size. */
function exactly(character: string): Odd {
  const each = Buffer.byteLength(JSON.stringify(character)) - 2
  const text = character.repeat(Math.floor((BYTES_MAX - 2) / each))
  return string(text + 'x'.repeat(BYTES_MAX - Buffer.byteLength(JSON.stringify(text))), () => false)
}

/** A value of exactly the maximum depth. */
function deep(random: Random): Odd {
  let nested = number(random)
  for (let level = 0; level < LEVELS_MAX; level++) {
    const { sent, due } = nested
    if (random.chance(0.5)) nested = { sent: `[${sent}]`, due: `[${due}]` }
    else nested = members([[oddKey(random), nested]], random)
  }
  return nested
}

function value(random: Random, levels: number): Odd {
  if (levels === 0 || random.chance(0.2)) return scalar(random)
  const inside = Array.from({ length: random.below(5) }, () => value(random, levels - 1))
  if (random.chance(0.5)) return elements(inside, random)
  const named = new Map(inside.map((one) => [oddKey(random), one]))
  return members([...named], random)
}

function scalar(random: Random): Odd {
  if (random.chance(0.2)) return same(random.pick(['null', 'true', 'false', '""', '[]', '{}']))
  if (random.chance(0.5)) return number(random)
  return string(oddText(random) + random.pick(['', '', '\u0001\u001f', '\u2028', '\u202e', '\r\n', '\u007f']), () =>
    random.chance(0.1),
  )
}

const same = (text: string): Odd => ({ sent: text, due: text })

function number(random: Random): Odd {
  if (random.chance(0.5)) {
    const [sent, due] = random.pick(NUMBERS)
    return { sent, due }
  }
  const bits = new DataView(new ArrayBuffer(8))
  bits.setUint32(0, random.below(2 ** 32))
  bits.setUint32(4, random.below(2 ** 32))
  const drawn = bits.getFloat64(0)
  const double = Number.isFinite(drawn) ? drawn : 0.5
  const sent = random.pick([String(double), double.toExponential(), double.toPrecision(17)])
  return { sent: isChanged(sent) ? double.toExponential() : sent, due: JSON.stringify(double) }
}

/** The service refuses integers without an exponent that differ from their double. */
const isChanged = (text: string): boolean => /^-?\d+$/.test(text) && BigInt(text) !== BigInt(Number(text))

/**
 * Escapes required characters and those of the caller; always both code units of a pair, as one alone is invalid UTF-8.
 */
function string(text: string, isEscaped: () => boolean): Odd {
  let sent = ''
  for (const character of text) {
    const needs = character < ' ' || character === '"' || character === '\\'
    sent += needs || isEscaped() ? escaped(character) : character
  }
  return { sent: `"${sent}"`, due: JSON.stringify(text) }
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

const oddKey = (random: Random): string => (random.chance(0.7) ? random.pick(KEYS) : safe(oddText(random)))

/** `__proto__` is the only refused name. */
const safe = (key: string): string => (key === '__proto__' ? 'proto' : key)

function elements(all: readonly Odd[], random: Random): Odd {
  const space = random.pick(['', '', ' ', '\n\t'])
  return {
    sent: `[${space}${all.map(({ sent }) => sent).join(`${space},${space}`)}${space}]`,
    due: `[${all.map(({ due }) => due).join(',')}]`,
  }
}

function members(all: readonly (readonly [key: string, value: Odd])[], random: Random): Odd {
  const space = random.pick(['', '', ' ', '\r\n'])
  const sent = all.map(([key, { sent }]) => `${string(key, () => random.chance(0.1)).sent}${space}:${sent}`)
  const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1))
  const due = sorted.map(([key, { due }]) => `${JSON.stringify(key)}:${due}`)
  return { sent: `{${space}${sent.join(`,${space}`)}${space}}`, due: `{${due.join(',')}}` }
}

/** A text as JSON, with some needless escapes. */
export const spelled = (text: string, random: Random): string => string(text, () => random.chance(0.05)).sent

/** The canonical form of the value in an answer. */
export function canonical(answered: unknown): string {
  if (Array.isArray(answered)) return `[${answered.map(canonical).join(',')}]`
  if (typeof answered !== 'object' || answered === null) return JSON.stringify(answered)
  const sorted = Object.entries(answered).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`
}

/** Bodies that are no JSON, JSON that is refused, and JSON that is no object with the right fields. Each is small. */
export const BAD_JSON_BODIES: readonly string[] = [
  ...[
    '{',
    '}',
    '[1,]',
    '{"a":1,"a":2}',
    '{"__proto__":{}}',
    '"\\ud800"',
    'NaN',
    '{"a":1e999}',
    '\ufeff\ufeff{}',
    '{}{}',
  ],
  ...[' ', "{'a':1}", '['.repeat(41) + ']'.repeat(41), 'null', '0', '"text"', '[]', '{"name":"\\u0000"}'],
]
