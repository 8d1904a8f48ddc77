// Errors: the server rejected a call (ProblemError) or could not be reached (Unreachable).

/** A JSON pointer into the request (RFC 6901; the query parameter `limit` is `/limit`) and its error. */
export interface Fault {
  readonly pointer: string
  readonly detail: string
}

/** The service answered with a problem document (RFC 9457). `code` is stable and listed in docs/errors.md. */
export class ProblemError extends Error {
  readonly status: number
  /** `no_problem_document` if something between the client and the server answered. */
  readonly code: string
  readonly detail: string
  readonly errors: readonly Fault[]
  /** Identifies the call in the server's log. */
  readonly requestId: string | null
  /** Every field of the document, such as `needed` or `server_time`. */
  readonly fields: Readonly<Record<string, unknown>>

  constructor(status: number, fields: Readonly<Record<string, unknown>>) {
    const detail = textOr(fields.detail, `The answer was HTTP ${status} without a problem document.`)
    super(detail)
    this.name = 'ProblemError'
    this.status = status
    this.code = textOr(fields.code, 'no_problem_document')
    this.detail = detail
    this.errors = Array.isArray(fields.errors) ? fields.errors.filter(isFault) : []
    this.requestId = typeof fields.request_id === 'string' ? fields.request_id : null
    this.fields = fields
  }
}

/**
 * No answer despite retries. It is unknown whether a write was recorded; repeat it to find out.
 */
export class Unreachable extends Error {
  readonly url: string

  constructor(url: string, cause: unknown) {
    super(`No answer from ${url}: ${reasonOf(cause)}`, { cause })
    this.name = 'Unreachable'
    this.url = url
  }
}

/** Parses the problem document of a rejected call. Its field `retry_after` is the wait that the server asks for. */
export async function problemOf(response: Response): Promise<ProblemError> {
  const read: unknown = await response.json().catch(() => null)
  const fields = isObject(read) ? read : {}
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN)
  return new ProblemError(response.status, retryAfter >= 0 ? { ...fields, retry_after: retryAfter } : fields)
}

/** The wait that the server asks for, in milliseconds, with jitter, so that clients do not all retry at once. */
export function askedWaitMs({ fields: { retry_after: seconds } }: ProblemError): number | null {
  return typeof seconds === 'number' ? seconds * 1_000 + Math.random() * 250 : null
}

/** The message of `fetch` is only "fetch failed"; the reason is one or two causes deeper. */
function reasonOf(failure: unknown): string {
  let deepest = failure
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause
  if (!(deepest instanceof Error)) return String(deepest)
  return deepest.message || ('code' in deepest ? String(deepest.code) : deepest.name)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isFault(value: unknown): value is Fault {
  return isObject(value) && typeof value.pointer === 'string' && typeof value.detail === 'string'
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise
}
