// Parses the query, and validates query and body against the route's schemas. 400 `malformed` lists each fault with a
// JSON pointer.

import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { schemaText } from '../../runtime/schema-texts.ts'
import { type Fault, malformed } from '../problem.ts'
import type { Route } from '../route.ts'
import { type BodyRoom, readJson } from './body.ts'
import { pointerOf } from './strict-json.ts'

const FAULTS_MAX = 20

type Schemas = Pick<Route, 'query' | 'body' | 'list'>

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
  const reading = readJson(request, room, route.list)
  const sent = reading === undefined ? undefined : await reading
  if (route.body !== undefined) return validated(route.body, sent === undefined ? {} : sent, 'body')
  if (sent === undefined || isEmptyObject(sent)) return undefined
  throw malformed([{ pointer: '', detail: 'this call takes no body: send none, or {}' }], 'The body')
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
}

/** A value by its schema. Throws 400 `malformed`, with pointers into the value; `what` names it. */
export function validated<Schema extends z.ZodType>(
  schema: Schema,
  sent: unknown,
  what: 'query' | 'body' | 'submission',
): z.output<Schema> {
  const result = schema.safeParse(sent)
  if (result.success) return result.data
  // With our texts only where something is refused: a call with options takes zod four times as long.
  const { error = result.error } = schema.safeParse(sent, { error: schemaText })
  const unknown = `unknown ${what === 'query' ? 'parameter' : 'field'}: remove it`
  const faults = error.issues.flatMap((issue) => faultsOf(issue, sent, unknown))
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

// The query string: each parameter is decoded once. `+` is a space, as forms and URLSearchParams write it.

const NAME_MAX_CHARACTERS = 128
const OUTSIDE_URL = /[^ -~]/

const NONE: Readonly<Record<string, string>> = Object.freeze({})

/** The parameters of a query. Throws 400 `malformed` naming each that is given twice, empty or badly encoded. */
function parseQuery(text: string): Readonly<Record<string, string>> {
  if (text === '') return NONE
  const found: Record<string, string> = {}
  const faults: Fault[] = []
  for (const parameter of text.split('&')) {
    if (parameter === '') continue
    const equals = parameter.indexOf('=')
    const sentName = equals < 0 ? parameter : parameter.slice(0, equals)
    const name = decoded(sentName)
    const value = equals < 0 ? '' : decoded(parameter.slice(equals + 1))
    const detail = name === null ? 'a parameter’s name is not percent-encoded UTF-8' : faultIn(found, name, value)
    if (detail !== null) faults.push({ pointer: pointerOf([(name ?? sentName).slice(0, NAME_MAX_CHARACTERS)]), detail })
    else if (name !== null && value !== null) found[name] = value
  }
  if (faults.length > 0) throw malformed(faults.slice(0, FAULTS_MAX), 'The query')
  return found
}

function faultIn(found: Readonly<Record<string, string>>, name: string, value: string | null): string | null {
  if (name === '__proto__') return 'unknown parameter: remove it'
  if (Object.hasOwn(found, name)) return 'is given twice: keep one'
  if (value === null) return 'is not percent-encoded UTF-8'
  if (value === '') return 'is empty: give it a value or leave it out'
  if (value.includes('\0')) return 'contains a NUL character: remove it'
  return null
}

function decoded(text: string): string | null {
  return decodeOnce(text.includes('+') ? text.replaceAll('+', ' ') : text)
}

/** Percent-decoded text, or null if it is not percent-encoded UTF-8. */
export function decodeOnce(text: string): string | null {
  if (OUTSIDE_URL.test(text)) return null
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
