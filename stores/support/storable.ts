// What every document store accepts.

import type { CollectionSpec } from '../contract/views.ts'

/** Printable ASCII: can be joined with other text, and sorts the same in all stores and in JavaScript. */
const PLAIN = /^[!-~]+$/

/** Whether this is a valid document id or position. */
export const isPlain = (text: unknown): text is string => typeof text === 'string' && PLAIN.test(text)

/** SQLite truncates bound text at a NUL character: such text would match something else. */
export const hasNul = (text: string): boolean => text.includes('\0')

/**
 * Whether a value may be indexed or queried: never an object, which MongoDB could interpret as an operator, and no text
 * with a NUL character.
 */
export const isIndexable = (value: unknown): value is string | number =>
  typeof value === 'string' ? !hasNul(value) : typeof value === 'number' && Number.isFinite(value)

/** Normalises a name for search: case and Unicode composition do not matter. */
export function caselessName(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

const NAME = /^[a-z][A-Za-z0-9_]*$/
const VIEW_KEY = /^[a-z][A-Za-z0-9_.-]*@[A-Za-z0-9_.+-]+$/

/** Throws a TypeError for an empty name, or one with a special meaning in SQL or MongoDB. */
export function checkNames(view: string, { name: collection, indexes, fields: types }: CollectionSpec): void {
  if (!VIEW_KEY.test(view)) throw new TypeError(`A view's key is name@version, not ${JSON.stringify(view)}`)
  const fields = Object.values(indexes).flatMap((index) => index.map((field) => field.replace(/^-/, '')))
  for (const name of [collection, ...Object.keys({ ...indexes, ...types }), ...fields]) {
    if (!NAME.test(name))
      throw new TypeError(`${JSON.stringify(name)} in ${view} is not a valid name of a collection, index or field`)
  }
  for (const [name, index] of Object.entries(indexes)) {
    if (index.length === 0) throw new TypeError(`Index ${name} of ${view} has no fields`)
  }
}
