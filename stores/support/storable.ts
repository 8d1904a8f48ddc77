// What every document store accepts.

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
