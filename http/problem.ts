// Converts refusals and errors into RFC 9457 problem documents. Codes and titles are in problem-codes.ts.

import { Refusal, type RefusalKind } from '../domain/decider.ts'
import { StoreUnavailable } from '../stores/contract/faults.ts'
import { PROBLEMS } from './problem-codes.ts'

export const PROBLEM_TYPE = 'application/problem+json'
/** `type` of a problem document: this prefix and the code. */
export const TYPE_PREFIX = 'urn:scorebook:problem:'
/** Headers that every answer of the API carries: name, value, name, value. */
export const SECURITY_HEADERS: readonly string[] = [
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'",
  'Vary',
  'Origin',
]

/** Retry-After in seconds, unless the refusal sets `retry_after`. */
const RETRY_AFTER_DEFAULT_S = 1

const STATUS: Readonly<Record<RefusalKind, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition: 412,
  unprocessable: 422,
  too_many: 429,
  unavailable: 503,
}

/** A JSON pointer into the input (RFC 6901; a query parameter `limit` is `/limit`) and what is wrong there. */
export interface Fault {
  readonly pointer: string
  readonly detail: string
}

export interface Problem {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** A refusal of the HTTP layer, such as 405 or 413. */
export class HttpRefusal extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail)
    this.name = 'HttpRefusal'
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** 400 `malformed` with the list of faults. */
export function malformed(faults: readonly Fault[], what = 'The request'): Refusal {
  const first = faults[0]
  const at = first === undefined || first.pointer === '' ? '' : ` at "${first.pointer}"`
  const detail = first === undefined ? `${what} is malformed.` : `${what} is malformed${at}: ${first.detail}.`
  return new Refusal('malformed', 'malformed', detail, { errors: faults })
}

/**
 * The problem document of a thrown error. An unavailable store becomes 503 `store_away`; any error that is not a
 * refusal becomes 500 `internal`. Neither reveals internals. A refusal's field `retry_after` (whole seconds) also sets
 * the Retry-After header.
 */
export function toProblem(error: unknown, requestId: string): Problem {
  if (error instanceof Refusal) {
    const status = STATUS[error.kind]
    return problem(status, error.code, error.message, requestId, headersOf(status, error.fields), error.fields)
  }
  if (error instanceof HttpRefusal) {
    return problem(error.status, error.code, error.message, requestId, error.headers)
  }
  if (error instanceof StoreUnavailable) return toProblem(STORE_UNAVAILABLE, requestId)
  const detail = 'The service failed. Try again; if the error persists, report the request_id.'
  return problem(500, 'internal', detail, requestId, {})
}

/** A refusal as one of several results in an answer: its status, code and text, and the fields that say more. */
export function problemRow(refusal: Refusal): object {
  const { type: _, title: __, request_id: ___, status, code, detail, ...fields } = toProblem(refusal, '').body
  return { status, code, detail, ...fields }
}

const STORE_UNAVAILABLE = new Refusal(
  'unavailable',
  'store_away',
  'A backing service does not answer. It is safe to send the call again with the same Idempotency-Key.',
)

function headersOf(status: number, fields: Readonly<Record<string, unknown>>): Record<string, string> {
  if (status === 401) return { 'WWW-Authenticate': 'Bearer' }
  if (status !== 429 && status !== 503) return {}
  const seconds = typeof fields.retry_after === 'number' ? fields.retry_after : RETRY_AFTER_DEFAULT_S
  return { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) }
}

function problem(
  status: number,
  code: string,
  detail: string,
  requestId: string,
  headers: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, unknown>> = {},
): Problem {
  const title = PROBLEMS[code]?.title ?? 'Refused'
  const body = { type: TYPE_PREFIX + code, title, status, detail, code, request_id: requestId, ...fields }
  return { status, code, headers, body }
}
