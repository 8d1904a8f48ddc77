// A call of the API once its route is found: the middlewares of a route, in the order of the contract.

import type { IncomingMessage } from 'node:http'
import type { Intent } from '../../commands/intent.ts'
import type { Tally } from '../../commands/recorded-bytes.ts'
import { Refusal } from '../../domain/decider.ts'
import type { Answer, Call, Caller, Route } from '../route.ts'
import { answer } from './answer.ts'
import { type BodyRoom, sendContinue } from './body.ts'
import { BEHIND_AFTER_MS } from './consistency.ts'
import { type Context, headerOf, type Middleware } from './context.ts'
import { goneSignal } from './gone.ts'
import { bearerToken, checkPrefix, idempotencyKey } from './headers.ts'
import { runOnce } from './idempotency.ts'
import { readBody, readQuery } from './input.ts'
import { permissionCheck } from './permission.ts'
import type { Drawn } from './rates.ts'
import type { CountedTo, RecordedBytes } from './recorded-bytes.ts'
import { checkEncoding } from './router.ts'
import type { Services } from './services.ts'

type AnyCall = Call<unknown, unknown, Caller | null>

/** Each middleware throws the problems beside it. */
export function callMiddlewares(services: Services, route: Route): Middleware[] {
  return [
    networkRates(services, route), // 429
    authentication(services, route), // 401
    callerRates(services), // 429
    permission(route), // 403 tenant_only, 403 permission_needed
    otherProof(route), // 401 api_key_required and the like
    body(services, route), // 415, 413, 408, 400
    query(route), // 400, also for the path's encoding and the Idempotency-Key
    ownWrites(services, route), // 400 consistency_token_unknown, 503 behind
    handler(services, route), // 404, 409, 412, 422
  ]
}

const pass: Middleware = (_ctx, next) => next()

/** The rates of the network address that are this route's own; they are never counted by one node alone. */
function networkRates({ limiter }: Services, { rates = [] }: Route): Middleware {
  if (limiter === null || rates.length === 0) return pass
  return async (ctx, next) => {
    const { network, told, nowMs } = ctx.state
    const drawn = rates.map((name) => ({ name, of: network }))
    await limiter.take(drawn, told, nowMs, true)
    return next()
  }
}

/** Finds who calls, and whose pages may read the answer. */
function authentication({ deps }: Services, { needs }: Route): Middleware {
  if (needs === 'nothing') {
    return (ctx, next) => {
      const { game } = ctx.params
      if (game !== undefined) ctx.state.audience = { game }
      return next()
    }
  }
  return async (ctx, next) => {
    const token = bearerToken(ctx.req)
    if (token === null) {
      const detail = 'Send one bearer token: Authorization: Bearer <ACCESS_TOKEN>.'
      throw new Refusal('unauthenticated', 'unauthenticated', detail)
    }
    const caller = await deps.authenticate(token, ctx.state.nowMs)
    ctx.state.caller = caller
    ctx.state.audience = caller
    return next()
  }
}

function callerRates({ limiter }: Services): Middleware {
  if (limiter === null) return pass
  return async (ctx, next) => {
    const { caller, told, nowMs } = ctx.state
    if (caller === null) return next()
    const drawn: Drawn[] = [{ name: 'key', of: caller.key }]
    if (caller.player !== null) drawn.push({ name: 'player', of: caller.player })
    await limiter.take(drawn, told, nowMs, false)
    return next()
  }
}

function permission(route: Route): Middleware {
  const check = permissionCheck(route)
  return (ctx, next) => {
    const { caller } = ctx.state
    if (caller !== null) check(caller, ctx.params)
    return next()
  }
}

/** What some routes ask for in place of a token. */
function otherProof(route: Route): Middleware {
  if (route.byPrefix !== true && route.admits === undefined) return pass
  return (ctx, next) => {
    if (route.byPrefix === true) checkPrefix(ctx.req)
    route.admits?.((name) => headerOf(ctx.req, name.toLowerCase()))
    return next()
  }
}

function body(services: Services, route: Route): Middleware {
  return async (ctx, next) => {
    sendContinue(ctx.req, ctx.res)
    ctx.state.body = await readBody(route, ctx.req, bodyRoom(services, ctx.state.network))
    return next()
  }
}

function bodyRoom({ edge, largeBodies }: Services, network: string): BodyRoom {
  const take = () => edge.take('body', network)
  const parseLarge = async (parse: () => unknown) => {
    const release = take()
    try {
      return await largeBodies.parse(network, parse)
    } finally {
      release()
    }
  }
  return { take, parseLarge, timeoutMs: edge.limits.bodyTimeoutMs }
}

function query(route: Route): Middleware {
  return (ctx, next) => {
    checkEncoding(ctx.state.path)
    ctx.state.query = readQuery(route, ctx.state.queryText)
    if (route.records) ctx.state.idempotencyKey = idempotencyKey(ctx.req)
    return next()
  }
}

/** Waits until the views have the caller's own writes, and those that X-Consistency-Token names. */
function ownWrites({ consistency }: Services, { method }: Route): Middleware {
  const isRead = method === 'GET'
  return async (ctx, next) => {
    const token = headerOf(ctx.req, 'x-consistency-token')
    await consistency.await(ctx.state.caller, token === null ? null : consistency.read(token), isRead)
    return next()
  }
}

/** The handler, once under its Idempotency-Key, and its answer once this node's views have what it wrote. */
function handler(services: Services, route: Route): Middleware {
  const { consistency, writes } = services
  return async (ctx) => {
    const { caller, network } = ctx.state
    const once = () => runKeyed(services, ctx, route)
    const given = await (route.records && writes !== null ? writes.run(network, once, sizeOf(ctx.req)) : once())
    if (route.records && route.method !== 'GET') {
      const position = given.written ?? given.stood ?? null
      ctx.state.consistencyToken = await consistency.wrote(
        caller,
        position,
        patienceOf(given),
        given.mustBeSeen === true,
      )
    }
    return answer(services, ctx, given)
  }
}

function runKeyed({ deps, recordedBytes }: Services, ctx: Context, route: Route): Promise<Answer> {
  const { params, req } = ctx
  const { query, body, idempotencyKey: key, caller, network, nowMs, id: requestId } = ctx.state
  const meaning = key === null ? [] : [route.method, route.path, params, query ?? null, body ?? null]
  return runOnce(deps, { caller, key, meaning, requestId, nowMs }, (intent) => {
    const header = (name: string) => headerOf(req, name.toLowerCase())
    const gone = () => goneSignal(ctx.res)
    const ifMatch = header('if-match')
    const run = (counted: Intent) => {
      const call: AnyCall = { params, query, body, caller, intent: counted, ifMatch, network, header, gone }
      return (route.handle as (call: AnyCall) => Promise<Answer>)(call)
    }
    // A repeated call has been counted before.
    if (recordedBytes === null || caller === null || !route.records || intent.repeated) return run(intent)
    const player = route.recordsFor === undefined ? caller.player : route.recordsFor(caller, body as never)
    return counting(recordedBytes, { game: caller.game, player }, nowMs, (tally) => run({ ...intent, tally }))
  })
}

/** Counts the bytes that the handler records. */
async function counting(
  recordedBytes: RecordedBytes,
  to: CountedTo,
  nowMs: number,
  run: (tally: Tally) => Promise<Answer>,
): Promise<Answer> {
  const begun = recordedBytes.begin(to, nowMs)
  const tally = begun instanceof Promise ? await begun : begun
  try {
    return await run(tally)
  } finally {
    recordedBytes.end(to.game, tally, nowMs)
  }
}

/** In bytes, as the caller announced it. */
const sizeOf = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.POSITIVE_INFINITY

/** For how many milliseconds an answer waits for this node's views to have what it reports. */
const patienceOf = ({ waited, patienceMs }: Answer): number => (waited === true ? 0 : (patienceMs ?? BEHIND_AFTER_MS))
