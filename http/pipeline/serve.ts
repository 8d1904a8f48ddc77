// One request from its first byte to its answer, in the contract's order: address rate 429 · path 404 · method 405 · 401 ·
// tenant_only · permission 403 · 415, 413, 400 · and then the handler with its own 404, 412, 409, 422.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '../../domain/decider.ts'
import { StoreAway } from '../../stores/contract/faults.ts'
import { HttpRefusal, malformed, toProblem } from '../problem.ts'
import type { Answer, Call, Caller, Route } from '../route.ts'
import { drain, sendContinue } from './body.ts'
import { BEHIND_AFTER_MS, createConsistency } from './consistency.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import type { PipelineDeps, RawRoute } from './deps.ts'
import { type Exchange, exchangeOf, headerOf, secretsOf } from './exchange.ts'
import { goneSignal } from './gone.ts'
import { bearerToken, checkHost, checkPrefix, idempotencyKey } from './headers.ts'
import { runOnce } from './idempotency.ts'
import { readBody, readQuery } from './input.ts'
import { NOBODY } from './network.ts'
import { type CheckPermission, permissionCheck } from './permission.ts'
import { createLimiter, type Drawn } from './rates.ts'
import { createRecorder } from './record.ts'
import { answerReply, GUARD, letGo, problemReply, type Reply, send } from './reply.ts'
import { createTable, type Match } from './table.ts'

/** A route made ready once, at start. */
type Entry =
  | {
      readonly kind: 'api'
      readonly method: Route['method']
      readonly path: string
      readonly route: Route
      readonly check: CheckPermission
    }
  | { readonly kind: 'raw'; readonly method: Route['method']; readonly path: string; readonly route: RawRoute }

export type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** The whole pipeline. `isClosing` tells that the server finishes what runs and takes no more. */
export function createServe(
  deps: PipelineDeps,
  routes: readonly Route[],
  rawRoutes: readonly RawRoute[],
  isClosing: () => boolean,
): Serve {
  const table = createTable<Entry>([
    ...routes.map(
      (route): Entry => ({ kind: 'api', method: route.method, path: route.path, route, check: permissionCheck(route) }),
    ),
    ...rawRoutes.map((route): Entry => ({ kind: 'raw', method: route.method, path: route.path, route })),
  ])
  const limiter = deps.rateLimits === 'off' ? null : createLimiter(deps.rateLimits, deps.rates, deps.ratesOfThisNode)
  const consistency = createConsistency(deps.consistency, deps.progress)
  const recorder = createRecorder(deps.log, deps.metrics)

  /** Every check up to the handler, in order; null where a raw route has answered by itself. */
  async function run(exchange: Exchange): Promise<Reply | null> {
    const { request, response, nowMs, told } = exchange
    checkHost(request)
    if (limiter !== null) await limiter.take([{ name: 'address', of: exchange.network }], told, nowMs, false)

    const match = table.find(exchange.path, request.method ?? '')
    if (match === null) throw new Refusal('not_found', 'not_found', 'Nothing is at this path.')
    if (match.entry === null) return otherMethod(exchange, match)
    exchange.route = match.entry.path
    if (match.entry.kind === 'api') return runRoute(exchange, match.entry.route, match.entry.check, match)

    if (match.badEncoding) throw badEncoding()
    await findAudience(exchange, match.entry.route, match.params)
    const { id: requestId, network } = exchange
    const headers = () => allHeaders(exchange)
    return match.entry.route.handle({ request, response, params: match.params, requestId, network, headers })
  }

  /** Whose origins may read what a raw route answers, where somebody's page asks. */
  async function findAudience(exchange: Exchange, route: RawRoute, params: Match<Entry>['params']): Promise<void> {
    if (route.game === undefined || exchange.request.headers.origin === undefined) return
    const game = await route.game(params)
    if (game !== null) exchange.audience = { game }
  }

  async function otherMethod(exchange: Exchange, match: Match<Entry>): Promise<Reply> {
    const { request, path } = exchange
    const allowed = match.allowed()
    const { origin, 'access-control-request-method': wished } = request.headers
    if (request.method === 'OPTIONS' && origin !== undefined && wished !== undefined) {
      const entry = table.find(path, wished)?.entry
      if (entry?.kind === 'raw') await findAudience(exchange, entry.route, match.params)
      const headers = await preflightHeaders(deps, origin, exchange.audience, allowed)
      return answerReply({ status: 200, body: {}, headers }, null)
    }
    const detail = `This path takes ${allowed.join(', ')}.`
    throw new HttpRefusal(405, 'method_not_allowed', detail, { Allow: allowed.join(', ') })
  }

  async function runRoute(
    exchange: Exchange,
    route: Route,
    check: CheckPermission,
    match: Match<Entry>,
  ): Promise<Reply> {
    const { request } = exchange
    if (route.needs !== 'nothing') {
      exchange.caller = await authenticated(exchange)
      exchange.audience = exchange.caller
    } else if (match.params.game !== undefined) {
      exchange.audience = { game: match.params.game }
    }
    const { caller } = exchange
    const limited = limitCaller(exchange, route)
    if (limited !== undefined) await limited
    if (caller !== null) check(caller, match.params)

    if (route.byPrefix === true) checkPrefix(request)
    route.admits?.((name) => headerOf(request, name.toLowerCase()))
    sendContinue(request, exchange.response)
    const body = await readBody(route, request)
    if (match.badEncoding) throw badEncoding()
    const query = readQuery(route, exchange.queryText)
    const key = route.records ? idempotencyKey(request) : null
    const sent = readToken(request)
    const isRead = route.method === 'GET'
    const reached = consistency.await(caller, sent, isRead)
    if (reached !== undefined) await reached

    const meaning = key === null ? [] : [route.method, route.path, match.params, query ?? null, body ?? null]
    const keyed = { caller, key, meaning, requestId: exchange.id, nowMs: exchange.nowMs }
    const answer = await runOnce(deps, keyed, (intent) => {
      const call: Call<unknown, unknown, Caller | null> = {
        params: match.params,
        query,
        body,
        caller,
        intent,
        ifMatch: headerOf(request, 'if-match'),
        network: exchange.network,
        header: (name) => headerOf(request, name.toLowerCase()),
        gone: () => goneSignal(exchange.response),
      }
      return (route.handle as (call: Call<unknown, unknown, Caller | null>) => Promise<Answer>)(call)
    })
    if (!route.records || isRead) return answerReply(answer, null)
    const place = answer.written ?? answer.stood ?? null
    const { mustBeSeen = false } = answer
    return answerReply(answer, await consistency.wrote(caller, place, patienceOf(answer), mustBeSeen))
  }

  function authenticated({ request, nowMs }: Exchange): Promise<Caller> {
    const token = bearerToken(request)
    if (token !== null) return deps.authenticate(token, nowMs)
    const detail = 'Send one bearer token: Authorization: Bearer <ACCESS_TOKEN>.'
    throw new Refusal('unauthenticated', 'unauthenticated', detail)
  }

  function limitCaller({ caller, network, told, nowMs }: Exchange, route: Route): Promise<void> | undefined {
    if (limiter === null) return undefined
    const drawn: Drawn[] = (route.rates ?? []).map((name) => ({ name, of: network }))
    const mustBeShared = drawn.length > 0
    if (caller !== null) drawn.push({ name: 'key', of: caller.key })
    if (caller !== null && caller.player !== null) drawn.push({ name: 'player', of: caller.player })
    return drawn.length === 0 ? undefined : limiter.take(drawn, told, nowMs, mustBeShared)
  }

  function readToken(request: IncomingMessage) {
    const token = headerOf(request, 'x-consistency-token')
    return token === null ? null : consistency.read(token)
  }

  /** The problem for what was thrown; what nobody expected is logged, and which store is away. */
  function failed({ request, id, route }: Exchange, error: unknown): Reply {
    const problem = toProblem(error, id)
    // A route that says in words of its own what an absent store means for its callers.
    const why = error instanceof Refusal && error.cause instanceof StoreAway ? error.cause : error
    if (problem.status === 500 || why instanceof StoreAway) recorder.failed(why, id, route, secretsOf(request))
    return problemReply(problem)
  }

  /** Headers that every answer carries, as far as this request got. */
  function commonHeaders({ id, told }: Exchange): string[] {
    const headers = ['X-Request-Id', id, ...GUARD]
    if (told.left !== '') headers.push('RateLimit-Policy', told.policy, 'RateLimit', told.left)
    if (isClosing()) headers.push('Connection', 'close')
    return headers
  }

  async function allHeaders(exchange: Exchange): Promise<string[]> {
    const { origin } = exchange.request.headers
    const common = commonHeaders(exchange)
    if (origin !== undefined) common.push(...(await corsHeaders(deps, origin, exchange.audience)))
    return common
  }

  async function respond(exchange: Exchange, reply: Reply): Promise<void> {
    const { request, response, audience } = exchange
    const common = commonHeaders(exchange)
    try {
      const { origin } = request.headers
      if (origin !== undefined) common.push(...(await corsHeaders(deps, origin, audience)))
      const sending = send(request, response, reply, common)
      if (sending !== undefined) await sending
    } catch (error) {
      letGo(reply)
      send(request, response, failed(exchange, error), common)
    }
    drain(request)
  }

  return async (request, response) => {
    const began = performance.now()
    const exchange = exchangeOf(request, response, deps.now(), deps.trustedProxies ?? NOBODY)
    recorder.began()
    let reply: Reply | null
    try {
      reply = await run(exchange)
    } catch (error) {
      reply = failed(exchange, error)
    }
    if (reply !== null) await respond(exchange, reply)
    const { id: requestId, route, caller } = exchange
    const { statusCode: status } = response
    recorder.ended({ requestId, method: request.method ?? '', route, status, ms: performance.now() - began, caller })
  }
}

/** How long an answer waits yet for this node's views to have what it tells of. */
const patienceOf = ({ waited, patienceMs }: Answer): number => (waited === true ? 0 : (patienceMs ?? BEHIND_AFTER_MS))

function badEncoding(): Refusal {
  return malformed([{ pointer: '', detail: 'the path is not percent-encoded UTF-8' }], 'The path')
}
