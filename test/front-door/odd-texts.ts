// Unusual valid texts: names in any script, words with a meaning in databases and languages, decimals at their limits,
// origins. All are drawn from one random source, so that a seed reproduces them.

import { nameFault } from '../../domain/name.ts'
import type { Random } from '../random.ts'

/** What is sent, and the result that the contract defines. */
export interface Odd {
  readonly sent: string
  readonly due: string
}

const WORDS = [
  ...['$where', '$set', '$', 'a.b', '.', '..', '__proto__', 'constructor', 'toString', 'prototype', 'then', 'toJSON'],
  ...['null', 'undefined', 'true', 'NaN', '-0', '1e308', '[object Object]', '_id', '_bsontype', '$oid', 'f_name'],
  ...['*', '?', '%', '%00', '%2e%2e', '.*', '(?i)', '[a-z]', '^', '\\', '/', '"', "'", '`', "' OR 1=1 --", '#{1}'],
  ...['<script>', '{{7*7}}', '{"a":1}', '&amp;', '\\u0000', ' ', '  ', '\u00a0', '\u3000', '\ufeff', '\u00ad'],
  // Right-to-left text, combining marks, letters whose case changes their length, and texts that NFC changes.
  ...['שלום', 'مرحبا', 'ﷺ', 'क्षि', 'ไทยแลนด์', 'Ａ１', 'ß', 'ſ', 'İ', 'ı', 'Σς', 'ŉ', 'ǅ', 'ﬃ'],
  ...[
    'e\u0301',
    '\u00e9',
    '\u212b',
    '\u1100\u1161\u11a8',
    '\u0958',
    '\ufb1d',
    '\u{1d160}',
    'q\u0307\u0323',
    'q\u0323\u0307',
  ],
  ...['a\u0300\u0301\u0302\u0303\u0304', '\u0345', '\u200b', '\u200d', '\u200c', '\u{e0001}'],
  // Beyond the first plane, and at its limits: code units and code points sort these differently.
  ...['😀', '👩‍👩‍👧‍👦', '🇩🇪', '𝔘', '𐐀', '\ue000', '\ufffd', '\ufffe', '\uffff', '\u{10000}', '\u{10ffff}'],
]
const NO_LINES = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Surrogate}\u2028\u2029]/u
const NAME_MAX = 64
const DESCRIPTION_MAX = 1_000
const EXTERNAL_MAX_UNITS = 255
const ORIGIN_MAX = 255
const ASCII = Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i)).join('')

/** Any character but NUL and lone surrogates. */
function anyCharacter(random: Random): string {
  const below = random.pick([0x80, 0x800, 0x10000, 0x110000])
  const code = random.below(below)
  return code === 0 || (code >= 0xd800 && code <= 0xdfff) ? 'x' : String.fromCodePoint(code)
}

/** Words and characters in sequence. */
export function oddText(random: Random, parts = random.below(6)): string {
  let text = ''
  for (let i = 0; i < parts; i++) text += random.chance(0.7) ? random.pick(WORDS) : anyCharacter(random)
  return text
}

/** Draws until one is valid. */
function fitting(draw: () => string, fits: (text: string) => boolean): string {
  for (;;) {
    const text = draw()
    if (fits(text)) return text
  }
}

const characters = (text: string): number => [...text].length

/** A name that may be set (test/domain/name.test.ts). */
export function oddName(random: Random): Odd {
  const draw = () => {
    if (random.chance(0.9)) return oddText(random, 1 + random.below(6))
    // Of the maximum length.
    return (random.pick(['x', '😀', 'é', '\u{1faff}', 'ก']) as string).repeat(NAME_MAX)
  }
  const sent = fitting(draw, (text) => nameFault(text.normalize('NFC')) === null)
  return { sent, due: sent.normalize('NFC') }
}

/** A description: up to 1,000 characters after NFC, with lines and with spaces anywhere. */
export function oddDescription(random: Random): Odd {
  const draw = () => {
    const text = [oddText(random), oddText(random), oddText(random, 40)].join(random.pick(['\n', '\t', '\n\n', ' ']))
    return random.chance(0.9) ? text : '😀'.repeat(DESCRIPTION_MAX)
  }
  const sent = fitting(draw, (text) => characters(text.normalize('NFC')) <= DESCRIPTION_MAX && !NO_LINES.test(text))
  return { sent, due: sent.normalize('NFC') }
}

/** An external id: any text of 1 to 255 code units, stored unchanged. */
export function oddExternalId(random: Random): string {
  const draw = () => (random.chance(0.9) ? oddText(random, 1 + random.below(8)) : 'x'.repeat(EXTERNAL_MAX_UNITS))
  return fitting(draw, (text) => text !== '' && text.length <= EXTERNAL_MAX_UNITS)
}

/** 1 to 255 printable ASCII characters, unique in this run. */
export function oddIdempotencyKey(random: Random): string {
  const begins = random.pick(['__proto__', '$where', 'a.b', '"', '%00', ':', '{}', '*'])
  const length = random.chance(0.1) ? 255 : begins.length + 24
  let key = begins
  while (key.length < length) key += ASCII[random.below(ASCII.length)]
  return key
}

/** A decimal of up to 30 digits before the point and 18 after it. */
export function oddDecimal(random: Random): Odd {
  if (random.chance(0.15)) {
    const at = random.pick([
      '-0',
      '0.0',
      '-0.000000000000000000',
      `-${'9'.repeat(30)}.${'9'.repeat(18)}`,
      '9'.repeat(30),
    ])
    return { sent: at, due: canonicalDecimal(at) }
  }
  const digits = (count: number) => Array.from({ length: count }, () => random.below(10)).join('')
  const integer = random.chance(0.3) ? '0' : `${1 + random.below(9)}${digits(random.below(30))}`
  const part = random.chance(0.4) ? '' : `.${digits(1 + random.below(17))}${random.chance(0.3) ? '0' : ''}`
  const sent = `${random.chance(0.4) ? '-' : ''}${integer}${part}`
  return { sent, due: canonicalDecimal(sent) }
}

function canonicalDecimal(text: string): string {
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  return short === '-0' ? '0' : short
}

/** Up to six different origins, as browsers send them. */
export function oddOrigins(random: Random): string[] {
  const origins = new Set<string>()
  for (let left = random.below(7); left > 0; left--) {
    const host = random.pick([
      ...['localhost', '127.0.0.1', '[::1]', '[2001:db8::1]', 'xn--bcher-kva.example', '__proto__', '$where.example'],
      ...['constructor', 'a.b', 'a-b.c_d.example', '0', `${'a'.repeat(60)}.`.repeat(4).slice(0, -5)],
      `${random.below(1_000_000)}.play.example`,
    ])
    const origin = `${random.pick(['http', 'https'])}://${host}${random.chance(0.4) ? `:${1 + random.below(65_535)}` : ''}`
    if (origin.length <= ORIGIN_MAX && URL.canParse(origin) && new URL(origin).origin === origin) origins.add(origin)
  }
  return [...origins]
}

/** Permissions within their grammar. */
export function oddPermissions(random: Random): string[] {
  const part = () => random.pick(['*', '__proto__', 'constructor', '-', '_', '0', 'lb', 'submit_for', 'toString', 'A'])
  const list = Array.from({ length: random.below(5) }, () =>
    Array.from({ length: 1 + random.below(4) }, part).join(':'),
  )
  return [...new Set([...list, random.chance(0.1) ? 'x'.repeat(128) : 'lb:*:scores'])]
}
