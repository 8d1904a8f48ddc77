// What stores of documents take, alike everywhere.

/** As text it can be joined with others, and is ordered alike by all stores and here: printable ASCII. */
const PLAIN = /^[!-~]+$/

/** An id of a document, or a position. */
export const isPlain = (text: unknown): text is string => typeof text === 'string' && PLAIN.test(text)

/** SQLite cuts text at a NUL character when it is bound: such text would name, or find, something else. */
export const hasNul = (text: string): boolean => text.includes('\0')

/**
 * What may be in an index or be looked for in one: never an object, which MongoDB could take for an operator, and no text with
 * a NUL character.
 */
export const isIndexable = (value: unknown): value is string | number =>
  typeof value === 'string' ? !hasNul(value) : typeof value === 'number' && Number.isFinite(value)
