// Every refusal and failure as an RFC 9457 problem document. Each code is listed here with its title and with what a
// caller does about it; the docs and the OpenAPI document are made from this list.

import { Refusal, type RefusalKind } from '../domain/decider.ts'
import { StoreAway } from '../stores/contract/faults.ts'
import { PROBLEMS } from './pipeline/codes.ts'

export const PROBLEM_TYPE = 'application/problem+json'
/** `type` of a problem document is this and the code. */
const TYPE_PREFIX = 'urn:scorebook:problem:'
/** Seconds told in Retry-After where the refusal names none. */
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

/** A place in the input (RFC 6901; a query parameter `limit` is `/limit`) and what is wrong there. */
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

/** A refusal that only HTTP knows, such as 405 or 413. */
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

/** 400 `malformed` with the places at fault. */
export function malformed(faults: readonly Fault[], what = 'The request'): Refusal {
  const first = faults[0]
  const detail =
    first === undefined ? `${what} is malformed.` : `${what} is malformed at "${first.pointer}": ${first.detail}.`
  return new Refusal('malformed', 'malformed', detail, { errors: faults })
}

/**
 * The problem document for whatever was thrown. A store that is away becomes 503 `store_away`, anything else that is no
 * refusal 500 `internal`, and neither says anything about itself. A refusal's field `retry_after` (whole seconds) also
 * becomes the Retry-After header.
 */
export function toProblem(error: unknown, requestId: string): Problem {
  if (error instanceof Refusal) {
    const status = STATUS[error.kind]
    return problem(status, error.code, error.message, requestId, headersOf(status, error.fields), error.fields)
  }
  if (error instanceof HttpRefusal) {
    return problem(error.status, error.code, error.message, requestId, error.headers)
  }
  if (error instanceof StoreAway) return toProblem(AWAY, requestId)
  const detail = 'Something failed inside the service. Try again; if it persists, report the request_id.'
  return problem(500, 'internal', detail, requestId, {})
}

const AWAY = new Refusal(
  'unavailable',
  'store_away',
  'A store does not answer. Nothing was changed, or it is safe to send this again with the same Idempotency-Key.',
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
