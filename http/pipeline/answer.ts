// From a route's answer, or what was thrown, to `ctx.status`, the headers and `ctx.body`, which Koa sends.

import { Readable } from 'node:stream'
import { Refusal } from '../../domain/decider.ts'
import { StoreAway } from '../../stores/contract/faults.ts'
import { connectionOf } from '../connections/connection.ts'
import { ANSWER_PIECE_BYTES } from '../connections/limits.ts'
import { PROBLEM_TYPE, toProblem } from '../problem.ts'
import type { Answer } from '../route.ts'
import { drain } from './body.ts'
import { type Context, secretsOf, templateOf } from './context.ts'
import { corsHeaders } from './cors.ts'
import { LINES_TYPE } from './lines.ts'
import type { Services } from './services.ts'
import { untilClosed } from './until-closed.ts'

const NOT_MODIFIED = 304
const JSON_TYPE = 'application/json; charset=utf-8'

interface Content {
  readonly status: number
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
  /** Null: none. */
  readonly body: string | Buffer | Readable | null
}

/**
 * Answers with what a handler returned. Throws 429 or 503 where a large answer has no room, and what the look-up of allowed origins throws;
 * nothing is set then.
 */
export async function answer(services: Services, ctx: Context, given: Answer): Promise<void> {
  const { isShared = false } = given
  const content = contentOf(given, ctx.state.consistencyToken)
  const { body } = content
  try {
    await setCommonHeaders(services, ctx)
    // A recorded write is answered, however little room there is.
    const isRefusable = ctx.method === 'GET' && !isShared
    if (isRefusable && isLarge(body)) {
      untilClosed(ctx.res, services.edge.take('answer', ctx.state.network, Buffer.byteLength(body)))
    }
    setContent(ctx, content)
  } catch (error) {
    if (body instanceof Readable) body.destroy()
    throw error
  }
}

/** Answers with the problem document of what was thrown. Never rejects. */
export async function answerProblem(services: Services, ctx: Context, error: unknown): Promise<void> {
  const content = problemOf(services, ctx, error)
  try {
    await setCommonHeaders(services, ctx)
    setContent(ctx, content)
  } catch (failure) {
    setContent(ctx, problemOf(services, ctx, failure))
  }
}

/** Counts the problem, and logs what nobody expected and which store is unavailable. */
function problemOf({ recorder }: Services, ctx: Context, error: unknown): Content {
  const { id } = ctx.state
  const problem = toProblem(error, id)
  recorder.refused(problem)
  // A route may say in its own words what an unavailable store means for its callers.
  const cause = error instanceof Refusal && error.cause instanceof StoreAway ? error.cause : error
  if (problem.status === 500 || cause instanceof StoreAway) {
    recorder.failed(cause, id, templateOf(ctx), secretsOf(ctx.req))
  }
  const { status, headers, body } = problem
  return { status, type: PROBLEM_TYPE, headers, body: JSON.stringify(body) }
}

/** Sets the headers that depend on how far the request got; those that every answer has are set by accessLog. */
export async function setCommonHeaders({ deps, isClosing }: Services, ctx: Context): Promise<void> {
  const { told, audience } = ctx.state
  if (told.left !== '') {
    ctx.set('RateLimit-Policy', told.policy)
    ctx.set('RateLimit', told.left)
  }
  if (isClosing()) ctx.set('Connection', 'close')
  const { origin } = ctx.req.headers
  if (origin !== undefined) ctx.set(await corsHeaders(deps, origin, audience))
}

function setContent(ctx: Context, { status, type, headers, body }: Content): void {
  drain(ctx.req)
  if (ctx.headerSent || ctx.res.destroyed) {
    // The route has begun to answer by itself, or the caller is gone.
    ctx.respond = false
    if (body instanceof Readable) body.destroy()
    return
  }
  ctx.status = status
  ctx.set('Content-Type', type)
  ctx.set(headers)
  if (body instanceof Readable) setStream(ctx, body)
  else if (isLarge(body) && ctx.method !== 'HEAD') setChunks(ctx, Buffer.from(body))
  else if (status !== NOT_MODIFIED) ctx.body = body ?? ''
}

/** The body may take long to begin: the status and the headers are sent at once. */
function setStream(ctx: Context, body: Readable): void {
  ctx.body = body
  ctx.flushHeaders()
  if (ctx.method !== 'HEAD') connectionOf(ctx.req.socket)?.answersStream()
}

/** Node then holds one chunk at a time for a slow reader. */
function setChunks(ctx: Context, bytes: Buffer): void {
  let at = 0
  ctx.body = new Readable({
    highWaterMark: ANSWER_PIECE_BYTES,
    read() {
      const start = at
      at += ANSWER_PIECE_BYTES
      this.push(start < bytes.length ? bytes.subarray(start, at) : null)
    },
  })
  ctx.length = bytes.length
}

function contentOf({ status, body, headers: own = {}, replayed = false }: Answer, token: string | null): Content {
  const headers: Record<string, string> = { ...own }
  if (token !== null) headers['X-Consistency-Token'] = token
  if (replayed) headers['Idempotent-Replay'] = 'true'
  if (body instanceof Readable) return { status, type: LINES_TYPE, headers, body }
  if (status === NOT_MODIFIED) return { status, type: JSON_TYPE, headers, body: null }
  return { status, type: JSON_TYPE, headers, body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }
}

const isLarge = (body: Content['body']): body is string | Buffer =>
  body !== null && !(body instanceof Readable) && body.length > ANSWER_PIECE_BYTES
