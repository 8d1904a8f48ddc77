// Draws a value that a JSON schema allows. Names of fields that the pool knows get its values, so that calls refer to
// what exists.

import fc from 'fast-check'
import { oddText } from '../front-door/odd-texts.ts'
import type { Random } from '../random.ts'
import type { Schema } from './document.ts'

export interface Drawing {
  readonly random: Random
  readonly schemas: Readonly<Record<string, Schema>>
  /** The pool's value for a field or parameter; undefined: it has none. */
  known(name: string): unknown
  /** Probability that an optional field is sent. */
  readonly optional: number
}

const REFERENCE = '#/components/schemas/'
const WORDS = ['Ada', 'Grace', 'Rook', 'Level 1', 'north', 'slot-1', 'Ω', 'x']
const ODD_TEXT = 0.1
const SAMPLES = 64
/** Lengths of texts that have no shorter maximum. */
const LENGTH_MAX = 40

export function drawValue(given: Schema, name: string, drawing: Drawing): unknown {
  const { random } = drawing
  const schema = resolved(given, drawing.schemas)
  const known = drawing.known(name)
  if (known !== undefined) return known
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return random.pick(schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return drawValue(random.pick(choices as Schema[]), '', drawing)
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type
  switch (type) {
    case 'object':
      return drawObject(schema, drawing)
    case 'array':
      return drawArray(schema, name, drawing)
    case 'string':
      return drawString(schema, random)
    case 'integer':
    case 'number':
      return drawInteger(schema, random)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    default:
      return random.pick<unknown>([null, 1, 'text', [1, [2]], { level: 3, items: ['a', { b: null }] }])
  }
}

export function resolved(schema: Schema, schemas: Drawing['schemas']): Schema {
  const { $ref } = schema
  return typeof $ref === 'string' ? (schemas[$ref.replace(REFERENCE, '')] ?? {}) : schema
}

function drawObject({ properties = {}, required = [] }: Schema, drawing: Drawing): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties as Record<string, Schema>)) {
    const isSent = (required as string[]).includes(name) || drawing.random.chance(drawing.optional)
    if (isSent) value[name] = drawValue(schema, name, drawing)
  }
  return value
}

function drawArray({ items, minItems = 0, maxItems = 3 }: Schema, name: string, drawing: Drawing): unknown[] {
  const least = Number(minItems)
  const length = least + drawing.random.below(Math.min(Number(maxItems) - least, 3) + 1)
  const list = Array.from({ length }, () => drawValue((items ?? {}) as Schema, `${name}[]`, drawing))
  return list.filter((one, at) => list.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === at)
}

function drawString({ pattern, minLength = 0, maxLength = LENGTH_MAX }: Schema, random: Random): string {
  if (typeof pattern === 'string') {
    const fitting = samplesOf(pattern).filter(({ length }) => length <= Number(maxLength))
    return random.any(fitting) ?? ''
  }
  const least = Number(minLength)
  const text = random.chance(ODD_TEXT) ? oddText(random) : random.pick(WORDS)
  if (random.chance(0.02)) return 'x'.repeat(Number(maxLength))
  return [...text.padEnd(least, 'x')].slice(0, Number(maxLength)).join('')
}

const samples = new Map<string, readonly string[]>()

/** The same texts in each run: which of them are sent is drawn. */
function samplesOf(pattern: string): readonly string[] {
  const known = samples.get(pattern)
  if (known !== undefined) return known
  const made = fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: SAMPLES, seed: 1 })
  samples.set(pattern, made)
  return made
}

/** Small values as often as large ones: an even distribution of the logarithm. */
function drawInteger({ minimum = 0, exclusiveMinimum, maximum = 1_000 }: Schema, random: Random): number {
  const least = exclusiveMinimum === undefined ? Number(minimum) : Number(exclusiveMinimum) + 1
  if (random.chance(0.1)) return random.pick([least, Number(maximum)])
  const span = Math.log2(Number(maximum) - least + 1)
  return least + Math.floor(2 ** (random.next() * span)) - 1
}
