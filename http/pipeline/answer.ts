// Sends a route's answer or what was thrown: status, headers and a whole body at once, a stream as `ctx.body`, which
// Koa sends.

import { Readable } from 'node:stream'
import { Refusal } from '../../domain/decider.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import { connectionOf } from '../connections/http-connection.ts'
import { ANSWER_CHUNK_BYTES } from '../connections/limits.ts'
import { PROBLEM_TYPE, SECURITY_HEADERS, toProblem } from '../problem.ts'
import { type Answer, JsonText } from '../route.ts'
import { drain } from './body.ts'
import { type Context, secretsOf, templateOf, untilClosed } from './context.ts'
import { corsHeaders } from './cors.ts'
import { LINES_AS_TEXT_TYPE, LINES_TYPE } from './lines.ts'
import type { Services } from './services.ts'

const NOT_MODIFIED = 304
const JSON_TYPE = 'application/json; charset=utf-8'

interface Content {
  readonly status: number
  readonly type: string
  readonly own: readonly string[]
  readonly body: string | Buffer | Readable | null
}

/**
 * Sends what a handler returned. Throws 429 or 503 if too many large answers are unread, and errors of the look-up of
 * allowed origins; nothing is set then.
 */
export async function answer(services: Services, ctx: Context, given: Answer): Promise<void> {
  const { isShared = false } = given
  const content = contentOf(ctx, given)
  const { body } = content
  try {
    const common = commonHeaders(services, ctx)
    const headers = Array.isArray(common) ? common : await common
    // A recorded write is always answered.
    const isRefusable = ctx.req.method === 'GET' && !isShared
    if (isRefusable && isLarge(body)) {
      untilClosed(ctx, services.edge.take('answer', ctx.state.network, Buffer.byteLength(body)))
    }
    send(ctx, headers, content)
  } catch (error) {
    if (body instanceof Readable) body.destroy()
    throw error
  }
}

export async function answerProblem(services: Services, ctx: Context, error: unknown): Promise<void> {
  const content = problemOf(services, ctx, error)
  // A raw route may have set headers of its own.
  if (!ctx.res.headersSent) for (const name of ctx.res.getHeaderNames()) ctx.remove(name)
  try {
    send(ctx, await commonHeaders(services, ctx), content)
  } catch (failure) {
    // The allowed origins cannot be read: answer without CORS headers.
    send(ctx, ownCommonHeaders(services, ctx), problemOf(services, ctx, failure))
  }
}

/** Counts the problem. Logs unexpected errors and unavailable services. */
function problemOf({ recorder }: Services, ctx: Context, error: unknown): Content {
  const { id } = ctx.state
  const problem = toProblem(error, id)
  recorder.refused(problem)
  // A route may wrap an unavailable service in a refusal of its own.
  const cause = error instanceof Refusal && error.cause instanceof StoreUnavailable ? error.cause : error
  if (problem.status === 500 || cause instanceof StoreUnavailable) {
    recorder.failed(cause, id, templateOf(ctx), secretsOf(ctx.req))
  }
  const { status, headers, body } = problem
  return { status, type: PROBLEM_TYPE, own: Object.entries(headers).flat(), body: JSON.stringify(body) }
}

/**
 * The headers of every answer, with the rate limits and the audience known so far: name, value, name, value. A promise
 * only for a request with Origin.
 */
function commonHeaders(services: Services, ctx: Context): string[] | Promise<string[]> {
  const headers = ownCommonHeaders(services, ctx)
  const { origin } = ctx.req.headers
  if (origin === undefined) return headers
  return corsHeaders(services.deps, origin, ctx.state.audience).then((cors) => [...headers, ...cors])
}

function ownCommonHeaders({ isClosing }: Services, { state: { id, rateHeaders } }: Context): string[] {
  const headers = ['X-Request-Id', id, ...SECURITY_HEADERS]
  if (rateHeaders.left !== '') headers.push('RateLimit-Policy', rateHeaders.policy, 'RateLimit', rateHeaders.left)
  if (isClosing()) headers.push('Connection', 'close')
  return headers
}

/** For raw routes, which write to `ctx.res` themselves. */
export async function setCommonHeaders(services: Services, ctx: Context): Promise<void> {
  const headers = await commonHeaders(services, ctx)
  for (let at = 0; at < headers.length; at += 2) ctx.set(headers[at] ?? '', headers[at + 1] ?? '')
}

/**
 * Writes status and headers by one `writeHead`, as `ctx.set` for a dozen headers costs too much (0053), and sends the
 * body: Koa sends streams, and would look up the media type of a text that has one.
 */
function send(ctx: Context, headers: string[], { status, type, own, body }: Content): void {
  const isCut = drain(ctx.req)
  if (ctx.res.headersSent || ctx.res.destroyed) {
    // The route has begun to answer itself, or the caller has disconnected.
    ctx.respond = false
    if (body instanceof Readable) body.destroy()
    return
  }
  if (status !== NOT_MODIFIED) headers.push('Content-Type', type)
  headers.push(...own)
  if (isCut && !headers.includes('Connection')) headers.push('Connection', 'close')
  if (body !== null && !(body instanceof Readable)) headers.push('Content-Length', String(Buffer.byteLength(body)))
  ctx.res.writeHead(status, headers)
  if (body instanceof Readable) sendStream(ctx, body)
  else if (isLarge(body) && ctx.req.method !== 'HEAD') ctx.body = inChunks(body)
  else {
    ctx.respond = false
    ctx.res.end(body)
  }
}

/** The body may take long to begin: the status and the headers are sent at once. */
function sendStream(ctx: Context, body: Readable): void {
  ctx.flushHeaders()
  ctx.body = body
  if (ctx.req.method !== 'HEAD') connectionOf(ctx.req.socket)?.answersStream()
}

/** Node then holds one chunk at a time for a slow reader. A buffer is not copied: many answers may share it. */
function inChunks(body: string | Buffer): Readable {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  let at = 0
  return new Readable({
    highWaterMark: ANSWER_CHUNK_BYTES,
    read() {
      const start = at
      at += ANSWER_CHUNK_BYTES
      this.push(start < bytes.length ? bytes.subarray(start, at) : null)
    },
  })
}

function contentOf(ctx: Context, { status, body, headers, replayed = false }: Answer): Content {
  const token = ctx.state.consistencyToken
  const own: string[] = []
  let type = body instanceof Readable ? linesTypeFor(ctx) : JSON_TYPE
  if (headers !== undefined) {
    for (const [name, value] of Object.entries(headers)) {
      if (name.toLowerCase() === 'content-type') type = value
      else own.push(name, value)
    }
  }
  if (token !== null) own.push('X-Consistency-Token', token)
  if (replayed) own.push('Idempotent-Replay', 'true')
  return { status, type, own, body: status === NOT_MODIFIED ? null : serialised(body) }
}

function linesTypeFor(ctx: Context): string {
  const wantsText = ctx.accepts(LINES_TYPE) === false && ctx.accepts(LINES_AS_TEXT_TYPE) !== false
  return wantsText ? `${LINES_AS_TEXT_TYPE}; charset=utf-8` : LINES_TYPE
}

function serialised(body: unknown): string | Buffer | Readable {
  if (body instanceof Readable || Buffer.isBuffer(body)) return body
  return body instanceof JsonText ? body.text : JSON.stringify(body)
}

const isLarge = (body: Content['body']): body is string | Buffer =>
  body !== null && !(body instanceof Readable) && body.length > ANSWER_CHUNK_BYTES
