// A call of the API once its route is found, in the order of the contract.

import type { IncomingMessage } from 'node:http'
import type { Tally } from '../../commands/count-recorded.ts'
import type { Intent } from '../../commands/intent.ts'
import { Refusal } from '../../domain/decider.ts'
import type { Answer, Call, Caller, Route } from '../route.ts'
import { answer } from './answer.ts'
import { type BodyRoom, sendContinue } from './body.ts'
import { BEHIND_AFTER_MS } from './consistency.ts'
import { type Context, headerOf, type Middleware } from './context.ts'
import { disconnectSignal } from './disconnect-signal.ts'
import { bearerToken, checkPrefix, idempotencyKey } from './headers.ts'
import { runOnce } from './idempotency.ts'
import { readBody, readQuery } from './input.ts'
import { permissionCheck } from './permission.ts'
import type { Drawn } from './rates.ts'
import type { CountedTo, RecordedBytes } from './recorded-bytes.ts'
import { checkEncoding } from './router.ts'
import type { Services } from './services.ts'

type AnyCall = Call<unknown, unknown, Caller | null>

/** The middleware of a route of the API. Its lines are the order of the checks; beside each line is what it throws. */
export function callRoute(services: Services, route: Route): Middleware {
  const checkPermission = permissionCheck(route)
  return async (ctx) => {
    await takeNetworkRates(services, ctx, route) // 429
    await findCaller(services, ctx, route) // 401
    await takeCallerRates(services, ctx) // 429
    checkPermission(ctx) // 403 tenant_only, 403 permission_needed
    checkOtherProof(ctx, route) // 401 api_key_required
    await readInput(services, ctx, route) // 415, 413, 408, 400
    await awaitOwnWrites(services, ctx, route) // 400 consistency_token_unknown, 503 behind
    await answer(services, ctx, await handle(services, ctx, route)) // the handler's 404, 409, 412, 422, and what `handle` lists
  }
}

/** The rates of the network address that are this route's own; they are never counted by one node alone. */
function takeNetworkRates({ limiter }: Services, { state }: Context, { rates = [] }: Route): Promise<void> | undefined {
  if (limiter === null || rates.length === 0) return undefined
  const drawn = rates.map((name) => ({ name, of: state.network }))
  return limiter.take(drawn, state.rateHeaders, state.nowMs, true)
}

/** Finds who calls, and whose pages may read the answer. */
async function findCaller({ deps }: Services, { req, state, params }: Context, { needs }: Route): Promise<void> {
  if (needs !== 'nothing') {
    const token = bearerToken(req)
    if (token === null) {
      const detail = 'Send one bearer token: Authorization: Bearer <ACCESS_TOKEN>.'
      throw new Refusal('unauthenticated', 'unauthenticated', detail)
    }
    state.caller = await deps.authenticate(token, state.nowMs)
    state.audience = state.caller
  } else if (params.game !== undefined) {
    state.audience = { game: params.game }
  }
}

function takeCallerRates({ limiter }: Services, { state }: Context): Promise<void> | undefined {
  const { caller, rateHeaders, nowMs } = state
  if (limiter === null || caller === null) return undefined
  const drawn: Drawn[] = [{ name: 'key', of: caller.key }]
  if (caller.player !== null) drawn.push({ name: 'player', of: caller.player })
  return limiter.take(drawn, rateHeaders, nowMs, false)
}

/** What some routes ask for in place of a token. */
function checkOtherProof({ req }: Context, route: Route): void {
  if (route.byPrefix === true) checkPrefix(req)
  route.admits?.((name) => headerOf(req, name.toLowerCase()))
}

async function readInput(services: Services, { req, res, state }: Context, route: Route): Promise<void> {
  sendContinue(req, res)
  state.body = await readBody(route, req, bodyRoom(services, state.network))
  checkEncoding(state.path)
  state.query = readQuery(route, state.queryText)
  if (route.records) state.idempotencyKey = idempotencyKey(req)
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

/** Waits until the views have the caller's own writes, and those that X-Consistency-Token names. */
function awaitOwnWrites(
  { consistency }: Services,
  { req, state }: Context,
  { method }: Route,
): Promise<void> | undefined {
  const token = headerOf(req, 'x-consistency-token')
  return consistency.await(state.caller, token === null ? null : consistency.read(token), method === 'GET')
}

/**
 * Runs the handler in what each write passes, from outside in: the address's turn (503 busy), the Idempotency-Key (409, 422), the bytes
 * that may be recorded in a day (429 recording_limit). Then waits until this node's views have what it wrote (503 behind).
 */
async function handle(services: Services, ctx: Context, route: Route): Promise<Answer> {
  const { consistency, writes } = services
  const { caller, network } = ctx.state
  const once = () => runKeyed(services, ctx, route)
  const given = await (route.records && writes !== null ? writes.run(network, once, sizeOf(ctx.req)) : once())
  if (route.records && route.method !== 'GET') {
    const position = given.written ?? given.unchangedAt ?? null
    ctx.state.consistencyToken = await consistency.wrote(
      caller,
      position,
      maxWaitOf(given),
      given.mustBeVisible === true,
    )
  }
  return given
}

/** The handler, once under its Idempotency-Key. */
function runKeyed({ deps, recordedBytes }: Services, ctx: Context, route: Route): Promise<Answer> {
  const { params, req } = ctx
  const { query, body, idempotencyKey: key, caller, network, nowMs, id: requestId } = ctx.state
  const meaning = key === null ? [] : [route.method, route.path, params, query ?? null, body ?? null]
  return runOnce(deps, { caller, key, meaning, requestId, nowMs }, (intent) => {
    const header = (name: string) => headerOf(req, name.toLowerCase())
    const gone = () => disconnectSignal(ctx.res)
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
const maxWaitOf = ({ hasWaited, maxWaitMs }: Answer): number =>
  hasWaited === true ? 0 : (maxWaitMs ?? BEHIND_AFTER_MS)
