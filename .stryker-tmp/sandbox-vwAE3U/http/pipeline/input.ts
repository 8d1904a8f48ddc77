// Validates query and body against the route's schemas. 400 `malformed` lists each fault with a JSON pointer.

import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { type Fault, malformed } from '../problem.ts'
import type { Route } from '../route.ts'
import { type BodyRoom, readJson } from './body.ts'
import { pointerOf } from './json-fault.ts'
import { parseQuery } from './query-text.ts'

/** Faults listed in one answer at most. */
const FAULTS_MAX = 20

type Schemas = Pick<Route, 'query' | 'body'>

/** The query as the route's schema gives it; undefined where the route takes none. */
export function readQuery(route: Schemas, text: string): unknown {
  const sent = parseQuery(text)
  if (route.query !== undefined) return validated(route.query, sent, 'query')
  const names = Object.keys(sent)
  if (names.length === 0) return undefined
  const faults = names.map((name) => ({ pointer: pointerOf([name]), detail: 'unknown parameter: remove it' }))
  throw malformed(faults.slice(0, FAULTS_MAX), 'The query')
}

/** The body as the route's schema gives it; undefined where the route takes none. No body at all counts as `{}`. */
export async function readBody(route: Schemas, request: IncomingMessage, room: BodyRoom): Promise<unknown> {
  const reading = readJson(request, room)
  const sent = reading === undefined ? undefined : await reading
  if (route.body !== undefined) return validated(route.body, sent === undefined ? {} : sent, 'body')
  if (sent === undefined || isEmptyObject(sent)) return undefined
  throw malformed([{ pointer: '', detail: 'this call takes no body: send none, or {}' }], 'The body')
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
}

function validated(schema: z.ZodType, sent: unknown, what: 'query' | 'body'): unknown {
  const result = schema.safeParse(sent)
  if (result.success) return result.data
  const unknown = `unknown ${what === 'query' ? 'parameter' : 'field'}: remove it`
  const faults = result.error.issues.flatMap((issue) => faultsOf(issue, sent, unknown))
  throw malformed(faults.slice(0, FAULTS_MAX), `The ${what}`)
}

function faultsOf(issue: z.core.$ZodIssue, sent: unknown, unknown: string): Fault[] {
  const pointer = pointerOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ pointer: pointer + pointerOf([key]), detail: unknown }))
  }
  if (issue.code === 'invalid_type' && isMissing(sent, issue.path)) {
    return [{ pointer, detail: `is missing: ${issue.message}` }]
  }
  return [{ pointer, detail: issue.message }]
}

function isMissing(sent: unknown, path: readonly PropertyKey[]): boolean {
  let value = sent
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return true
    value = Reflect.get(value, step)
  }
  return false
}
