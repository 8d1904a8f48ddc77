// Examples of the OpenAPI and AsyncAPI documents. `examples.json` holds real calls and answers, recorded by
// `npm run record:examples` from a server, with ids, times and secrets replaced by made-up ones of the same form.

import { readFileSync } from 'node:fs'

/** An example of a call, and of its answers. */
export interface Example {
  /** Path and query parameters by name. */
  readonly parameters?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  /** By status; of an answer in lines, one line. */
  readonly answers: Readonly<Record<string, unknown>>
}

export interface Examples {
  /** By operation id. */
  readonly operations: Readonly<Record<string, Example>>
  /** Problem documents by code: those that were recorded. */
  readonly problems: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Bodies of room events by message, such as `client.join`, for the AsyncAPI document. */
  readonly rooms: Readonly<Record<string, unknown>>
}

export const NO_EXAMPLES: Examples = { operations: {}, problems: {}, rooms: {} }

/** Reads the file; call it once. */
export function readExamples(): Examples {
  return JSON.parse(readFileSync(new URL('examples.json', import.meta.url), 'utf8'))
}
