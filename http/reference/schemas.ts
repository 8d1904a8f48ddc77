// Shows JSON Schemas: the type of a value in words, and the fields of an object.

import type { Schema } from './documents.ts'
import { type Html, html, inline } from './html.ts'

const WORDS: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  integer: 'whole number',
  null: 'null',
  number: 'number',
  object: 'object',
  string: 'text',
}
const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'time', uri: 'URI', 'json-pointer': 'JSON pointer' }

export const nameIn = (reference: string): string => reference.split('/').at(-1) ?? ''

export const schemaLink = (reference: string): Html =>
  html`<a href="#schema-${nameIn(reference)}">${nameIn(reference)}</a>`

/** Such as “text, 1 to 64 characters”, “list of Score”, “whole number or null”. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) return schemaLink(schema.$ref)
  if (schema.anyOf !== undefined) return joined(schema.anyOf.map(typeOf), ' or ')
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum !== undefined) {
    return joined(
      schema.enum.map((value) => html`<code>${String(value)}</code>`),
      ' or ',
    )
  }
  if (schema.type === 'array') return html`list of ${typeOf(schema.items ?? {})}${bounds(schema)}`
  if (typeof schema.type === 'object')
    return joined(
      schema.type.map((type) => typeOf({ ...schema, type })),
      ' or ',
    )
  const word = FORMATS[schema.format ?? ''] ?? WORDS[schema.type ?? ''] ?? 'any JSON'
  return schema.type === 'null' ? html`null` : html`${word}${bounds(schema)}`
}

function bounds({ minLength, maxLength, minimum, maximum, maxItems }: Schema): string {
  if (maxItems !== undefined) return `, at most ${number(maxItems)}`
  if (maxLength !== undefined)
    return `, ${minLength === undefined ? 'at most' : `${number(minLength)} to`} ${number(maxLength)} characters`
  const isUnlimited = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER
  if (minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER)
    return isUnlimited ? '' : `, at most ${number(maximum)}`
  return isUnlimited ? `, from ${number(minimum)}` : `, ${number(minimum)} to ${number(maximum)}`
}

const number = (value: number): string => value.toLocaleString('en-US')

const joined = (parts: readonly Html[], separator: string): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`

/** Which fields are marked: in what a caller sends the required ones, in what they receive the optional ones. */
export type Marked = 'required' | 'optional'

/** The fields of an object; of another value its type. Objects without a name are shown inside. */
export function fieldsOf(schema: Schema, marked: Marked): Html {
  const entries = Object.entries(schema.properties ?? {})
  if (entries.length === 0) return html`<p class="type">${typeOf(schema)}</p>`
  const required = new Set(schema.required ?? [])
  const rows = entries.map(([name, field]) => {
    const mark = required.has(name) === (marked === 'required') ? marked : null
    return row({ name, type: typeOf(field), mark, about: field.description }, innerOf(field, marked))
  })
  return html`<dl class="fields">\n${rows}</dl>`
}

export interface Row {
  readonly name: string
  readonly type: Html
  readonly mark: Marked | null
  readonly about?: string | undefined
}

export function row({ name, type, mark, about }: Row, inner: Html | null = null): Html {
  return html`<div><dt><code>${name}</code>${mark !== null && html` <span class="mark">${mark}</span>`}</dt>
<dd><span class="type">${type}</span>${about !== undefined && html`<span class="about">${inline(about)}</span>`}${inner}</dd></div>
`
}

/** The fields of an object inside of a field, a list or a choice. */
function innerOf(field: Schema, marked: Marked): Html | null {
  const choices = field.anyOf ?? []
  const candidates = [field, field.items ?? {}, ...choices, ...choices.map(({ items = {} }) => items)]
  const inner = candidates.find(({ properties }) => properties !== undefined && Object.keys(properties).length > 0)
  return inner === undefined ? null : fieldsOf(inner, marked)
}
