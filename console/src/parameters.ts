// What a page shows, as typed parameters of its address's query. The place that decides whether a change is a step of
// the browser's history.

/** A parameter with a type. An absent or invalid text is the default; the default is left out of the address. */
export interface Parameter<Value> {
  readonly fallback: Value
  /** Null: the text is invalid. */
  parse(text: string): Value | null
  format(value: Value): string
  /**
   * chosen: each change is a step, to which Back returns. typed: the first change is a step, and further ones replace
   * it: one letter of a search, or one position of a slider, is no place to return to.
   */
  readonly changes: 'chosen' | 'typed'
}

/** Parameters by their names in the query. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>

export type ValuesOf<Own extends Parameters> = {
  readonly [Name in keyof Own]: Own[Name] extends Parameter<infer Value> ? Value : never
}

/** Longer texts do not belong into an address. */
const TEXT_MAX = 512

const isText = (text: string): boolean => text.length <= TEXT_MAX

/** A text that a choice sets, such as an id; empty by default. */
export const chosenText = (): Parameter<string> => ({
  fallback: '',
  parse: (text) => (isText(text) ? text : null),
  format: String,
  changes: 'chosen',
})

/** A text that somebody types, such as a search; empty by default. */
export const typedText = (): Parameter<string> => ({ ...chosenText(), changes: 'typed' })

/** A whole number from 0, such as the offset of a page; 0 by default. */
export const wholeNumber = (): Parameter<number> => ({
  fallback: 0,
  parse: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : null),
  format: String,
  changes: 'chosen',
})

/** One of several words; the first is the default. */
export const oneOf = <Word extends string>(...words: readonly [Word, ...Word[]]): Parameter<Word> => ({
  fallback: words[0],
  parse: (text) => words.find((word) => word === text) ?? null,
  format: String,
  changes: 'chosen',
})

/** Whether something is on; off by default. */
export const flag = (): Parameter<boolean> => ({
  fallback: false,
  parse: (text) => (text === '1' ? true : null),
  format: () => '1',
  changes: 'chosen',
})

/** An instant as ISO 8601 in UTC; null by default, which mostly means now. */
export const instant = (): Parameter<string | null> => ({
  fallback: null,
  parse: (text) => (isText(text) && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : null),
  format: String,
  changes: 'typed',
})

export function valuesIn<Own extends Parameters>(own: Own, search: URLSearchParams): ValuesOf<Own> {
  const values = Object.entries(own).map(([name, { parse, fallback }]) => {
    const text = search.get(name)
    return [name, text === null ? fallback : (parse(text) ?? fallback)]
  })
  return Object.fromEntries(values) as ValuesOf<Own>
}

interface ChangedSearch {
  readonly search: URLSearchParams
  /** Whether the change replaces the present step of the browser's history. */
  readonly replaces: boolean
}

/** The query with other values of some parameters; those of others stay. Null if nothing changes. */
export function searchWith<Own extends Parameters>(
  own: Own,
  search: URLSearchParams,
  values: Partial<ValuesOf<Own>>,
): ChangedSearch | null {
  const next = new URLSearchParams(search)
  let replaces = false
  for (const [name, { fallback, format, changes }] of Object.entries(own)) {
    const value = (values as Record<string, unknown>)[name]
    if (value === undefined) continue
    const before = search.get(name)
    const after = value === fallback ? null : format(value)
    if (after === before) continue
    if (after === null) next.delete(name)
    else next.set(name, after)
    if (changes === 'typed' && before !== null) replaces = true
  }
  return next.toString() === search.toString() ? null : { search: next, replaces }
}
