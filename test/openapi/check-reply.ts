// Compares an answer with what the document declares for its operation.

import type { DeclaredAnswer, Operation } from './document.ts'
import type { Call } from './draw-call.ts'
import type { Reply } from './send-call.ts'
import type { Validate } from './validators.ts'

/** Problem codes of a 503 that a healthy server may answer under load. */
export const RETRYABLE = ['behind', 'busy', 'reads_busy', 'sign_in_busy', 'rankings_filling', 'server_full']

/** Returns what is wrong, or null. */
export function faultOf(call: Call, reply: Reply, validate: Validate): string | null {
  const { operation } = call
  const { status } = reply
  if (status >= 500 && status !== 503) return `a failure: ${status}`
  const declared = operation.answers.get(status)
  if (declared === undefined) return `undeclared status ${status} ${codeOf(reply)}`.trimEnd()
  const type = reply.headers['content-type']?.split(';')[0] ?? null
  if (type !== declared.type) return `content type ${type} instead of ${declared.type}`
  for (const header of declared.headers) {
    if (reply.headers[header.toLowerCase()] === undefined) return `no header ${header}`
  }
  const wrongShape = faultOfShape(declared, reply, validate)
  if (wrongShape !== null) return wrongShape
  if (status >= 400) return faultOfProblem(declared, reply)
  return status < 300 ? faultOfAccepting(call, reply, validate) : null
}

function faultOfShape(
  { type, schema }: DeclaredAnswer,
  { text, json, lines }: Reply,
  validate: Validate,
): string | null {
  if (type === null) return text === '' ? null : 'a body where none is declared'
  for (const value of lines ?? [json]) {
    if (value === undefined) return 'a body that is not JSON'
    const wrong = validate(schema, value)
    if (wrong !== null) return `not of the declared schema: ${wrong}`
  }
  return null
}

const codeOf = ({ json }: Reply): string => String((json as Readonly<Record<string, unknown>> | undefined)?.code ?? '')

function faultOfProblem({ codes }: DeclaredAnswer, reply: Reply): string | null {
  const { status, headers } = reply
  const code = codeOf(reply)
  const problem = reply.json as Readonly<Record<string, unknown>>
  if (!codes.includes(code)) return `undeclared problem code ${status} ${code}`
  if (problem.status !== status) return `status ${problem.status} in the body of a ${status}`
  if (problem.request_id !== headers['x-request-id']) return 'another request_id than X-Request-Id'
  if (status === 401 && headers['www-authenticate'] === undefined) return 'a 401 without WWW-Authenticate'
  if (status === 405 && headers.allow === undefined) return 'a 405 without Allow'
  const isRetryable = status === 429 || status === 503
  if (isRetryable && headers['retry-after'] === undefined) return `a ${status} without Retry-After`
  if (status === 503 && !RETRYABLE.includes(code)) return `a failure: 503 ${code}`
  return null
}

/** A call that the document forbids must not succeed. */
function faultOfAccepting(call: Call, reply: Reply, validate: Validate): string | null {
  const { operation, query, payload, method } = call
  if (method !== operation.method) return `accepts ${method}`
  const wrong = query.map((text) => faultOfParameter(operation, text, validate)).find((one) => one !== null)
  if (wrong !== undefined) return wrong
  const missing = operation.parameters.find(
    (one) => one.in === 'query' && one.required && !query.some((text) => text.startsWith(`${one.name}=`)),
  )
  if (missing !== undefined) return `accepts a query without ${missing.name}`
  if (operation.body === null || payload === undefined) return null
  const body = withoutRefused(JSON.parse(String(payload)), reply)
  const forbidden = body === null ? null : validate(operation.body.schema, body)
  return forbidden === null ? null : `accepts a body that the document forbids: ${forbidden}`
}

/** A body without the elements of its list that are refused one by one; null if all are. */
function withoutRefused(body: unknown, { json }: Reply): unknown {
  const { results } = json as { readonly results?: readonly { readonly status: number }[] }
  if (results === undefined) return body
  const entries = Object.entries(body as object).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? value.filter((_, nth) => (results[nth]?.status ?? 0) < 300) : value,
  ])
  return results.every(({ status }) => status >= 400) ? null : Object.fromEntries(entries)
}

function faultOfParameter({ parameters }: Operation, text: string, validate: Validate): string | null {
  const [name = '', value = ''] = text.split('=').map((part) => decodeURIComponent(part))
  const declared = parameters.find((one) => one.in === 'query' && one.name === name)
  if (declared === undefined) return `accepts an undeclared parameter "${name}"`
  const isNumber = declared.schema.type === 'integer' && /^-?(0|[1-9][0-9]*)$/.test(value)
  const wrong = validate(declared.schema, isNumber ? Number(value) : value)
  return wrong === null ? null : `accepts "${name}", which the document forbids: ${wrong}`
}
