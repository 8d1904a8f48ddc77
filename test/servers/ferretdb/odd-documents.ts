// Valid documents with everything that a database could misinterpret: operators, paths, prototypes, lone surrogates,
// long text, numbers at the ends of their range.

import fc from 'fast-check'
import type { JsonObject } from '../../../domain/event.ts'
import { isIndexable } from '../../../stores/support/storable.ts'

const ODD_TEXTS = [
  '',
  '$',
  '$gt',
  '$where',
  'a.b',
  '.',
  '__proto__',
  'constructor',
  'toString',
  '_id',
  'pos',
  'doc',
  'f_a',
  '\0',
]

export function someDocument(): fc.Arbitrary<{ id: string; body: JsonObject }> {
  const unit = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff }))
  const units = fc.array(unit, { maxLength: 6 }).map((codes) => String.fromCharCode(...codes))
  const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(999)).map(([a, b]) => `${a}.${b}`)
  const text = fc.oneof(fc.constantFrom(...ODD_TEXTS), units, fc.string({ unit: 'grapheme' }), decimal)
  const long = fc.nat(9).map((n) => `${n}é\u{1f3b2}`.repeat(1_500))
  const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger())
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(text, number, fc.boolean(), fc.constant(null), long),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).map(objectOf),
    ),
  }))
  const body = fc
    // No index accepts a NUL character.
    .tuple(fc.array(fc.tuple(text, value), { maxLength: 5 }), fc.option(text.filter(isIndexable)), fc.option(number))
    .map(([fields, a, n]) => objectOf([...fields, ['a', a], ['n', n]]))
  const id = fc.oneof(
    fc.constantFrom('$', '$gt', '.', '..', 'a.b', '__proto__', 'constructor', '{"$ne":""}', "'", '"', '\\'),
    fc.string({ unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)), minLength: 1 }),
  )
  return fc.record({ id, body })
}

/** An object with these own fields, including `__proto__`, as JSON.parse creates it. */
function objectOf(fields: readonly (readonly [string, unknown])[]): JsonObject {
  const text = fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')
  return JSON.parse(`{${text}}`)
}
