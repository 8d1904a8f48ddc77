// JSON Schemas of the OpenAPI document, made from the schemas that validate requests. Every body and answer has a name,
// and a schema with `.meta({ id })` has that name wherever it is used.

import { z } from 'zod'

export type Json = Readonly<Record<string, unknown>>

export type Direction = 'input' | 'output'

export const SCHEMA_PATH = '#/components/schemas/'

const NAME = /^[A-Z][A-Za-z0-9]*$/

export class NamedSchemas {
  readonly #schemas = new Map<string, Json>()

  all(): Json {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** A reference to the schema. A schema without a name gets `fallback`. */
  reference(schema: z.ZodType, io: Direction, fallback: string): Json {
    const { id = fallback, ...own } = this.inline(schema, io)
    if (typeof own.$ref === 'string') return own
    this.add(String(id), own)
    return { $ref: SCHEMA_PATH + id }
  }

  inline(schema: z.ZodType, io: Direction): Json {
    const {
      $schema: _dialect,
      $defs,
      ...own
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline', override: forGenerators })
    for (const [name, part] of Object.entries($defs ?? {})) {
      const { id: _name, ...named } = withReferences(part) as Json
      this.add(name, io === 'input' ? (defaultsInWords(named) as Json) : named)
    }
    const shown = withReferences(own)
    return (io === 'input' ? defaultsInWords(shown) : shown) as Json
  }

  /** Throws if the name is not in PascalCase, or another schema has it. */
  add(name: string, schema: Json): void {
    if (!NAME.test(name)) throw new Error(`the name of a schema must be in PascalCase: ${name}`)
    const known = this.#schemas.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two schemas are called ${name}`)
    }
    this.#schemas.set(name, schema)
  }
}

const INT32_MAX = 2 ** 31 - 1

/** What generators need beyond the schema that validates, and without what only repeats itself. */
function forGenerators({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  // Typed languages take an integer without a format for one of 32 bits.
  if (jsonSchema.type === 'integer' && (jsonSchema.maximum ?? INT32_MAX + 1) > INT32_MAX) jsonSchema.format = 'int64'
  // The same bound in each version of OpenAPI.
  if (jsonSchema.type === 'integer' && typeof jsonSchema.exclusiveMinimum === 'number') {
    jsonSchema.minimum = jsonSchema.exclusiveMinimum + 1
    delete jsonSchema.exclusiveMinimum
  }
  // Names in JSON are texts.
  delete jsonSchema.propertyNames
  // The format says the same.
  if (jsonSchema.format === 'date') delete jsonSchema.pattern
}

/**
 * Defaults of what callers send, as part of the description: generators of types take a field with a `default` for one
 * that is always there, and callers would have to send it.
 */
function defaultsInWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(defaultsInWords)
  if (typeof value !== 'object' || value === null) return value
  const { default: byDefault, ...own } = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, defaultsInWords(member)]),
  )
  if (byDefault === undefined) return own
  const known = typeof own.description === 'string' ? own.description : ''
  if (/\b(Default|Null): /.test(known)) return own
  return { ...own, description: `${known} Default: ${JSON.stringify(byDefault)}.`.trim() }
}

function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    name === '$ref' && typeof member === 'string' ? member.replace('#/$defs/', SCHEMA_PATH) : withReferences(member),
  ])
  return Object.fromEntries(entries)
}
