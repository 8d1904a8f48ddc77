// One request from its first byte to its answer, in the contract's order: address rate 429 · path 404 · method 405 ·
// and for a route of the API what run-route.ts says; a raw route answers by itself.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '../../domain/decider.ts'
import type { Release } from '../connections/budget.ts'
import type { Edge } from '../connections/edge.ts'
import { HttpRefusal } from '../problem.ts'
import type { Route } from '../route.ts'
import { allHeaders, failed, respond } from './answering.ts'
import { createConsistency } from './consistency.ts'
import { isAllowed, preflightHeaders } from './cors.ts'
import type { PipelineDeps, RawRoute } from './deps.ts'
import { type Exchange, exchangeOf } from './exchange.ts'
import { badEncoding, type Entry, type Matched, type Pipeline } from './gear.ts'
import { checkHost } from './headers.ts'
import { createLargeBodies } from './large-bodies.ts'
import { NOBODY } from './network.ts'
import { createOriginHints } from './origin-hints.ts'
import { permissionCheck } from './permission.ts'
import { createLimiter } from './rates.ts'
import { createRecorder } from './record.ts'
import { createRecordedBytes, type RecordedBytes } from './recorded-bytes.ts'
import { answerReply, type Reply } from './reply.ts'
import { runRoute } from './run-route.ts'
import { createTable } from './table.ts'
import { createWrites } from './writes.ts'

export type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export interface ServeOptions {
  readonly deps: PipelineDeps
  readonly edge: Edge
  readonly routes: readonly Route[]
  readonly rawRoutes: readonly RawRoute[]
  /** True once the server finishes what runs and takes no more. */
  isClosing(): boolean
}

/** The whole pipeline. */
export function createServe({ deps, edge, routes, rawRoutes, isClosing }: ServeOptions): Serve {
  const pipeline: Pipeline = {
    deps,
    edge,
    table: createTable([...routes.map(apiEntry), ...rawRoutes.map(rawEntry)]),
    limiter: deps.rateLimits === 'off' ? null : createLimiter(deps.rateLimits, deps.rates, deps.ratesOfThisNode),
    recordedBytes: deps.rateLimits === 'off' ? null : recordedBytesOf(deps),
    writes: deps.rateLimits === 'off' ? null : createWrites(),
    largeBodies: createLargeBodies(),
    consistency: createConsistency(deps.consistency, deps.progress),
    recorder: createRecorder(deps.log, deps.metrics),
    originHints: createOriginHints(deps.log),
    isClosing,
  }
  const { recorder } = pipeline
  return async (request, response) => {
    const began = performance.now()
    const exchange = exchangeOf(request, response, deps.now(), deps.trustedProxies ?? NOBODY)
    recorder.began()
    let reply: Reply | null
    try {
      reply = await run(pipeline, exchange)
    } catch (error) {
      reply = failed(pipeline, exchange, error)
    }
    if (reply !== null) await respond(pipeline, exchange, reply)
    const { id: requestId, route, caller } = exchange
    const { statusCode: status } = response
    recorder.ended({ requestId, method: request.method ?? '', route, status, ms: performance.now() - began, caller })
  }
}

function recordedBytesOf({ rates, metrics, recordedBytesPerDay: limitOf }: PipelineDeps): RecordedBytes {
  return createRecordedBytes({ rates, limitOf, metrics })
}

function apiEntry(route: Route): Entry {
  return { kind: 'api', method: route.method, path: route.path, route, check: permissionCheck(route) }
}

function rawEntry(route: RawRoute): Entry {
  return { kind: 'raw', method: route.method, path: route.path, route }
}

/** Releases when the answer is out or the connection has closed, which it may have while something was awaited. */
function untilClosed(response: ServerResponse, release: Release): void {
  if (response.destroyed) release()
  else response.once('close', release)
}

/** Every check up to the handler, in order; null where a raw route has answered by itself. */
async function run(pipeline: Pipeline, exchange: Exchange): Promise<Reply | null> {
  const { request, nowMs, told } = exchange
  const { limiter, table, edge } = pipeline
  checkHost(request)
  if (limiter !== null) await limiter.take([{ name: 'address', of: exchange.network }], told, nowMs, false)
  untilClosed(exchange.response, edge.take('request', exchange.network))

  const match = table.find(exchange.path, request.method ?? '')
  if (match === null) throw new Refusal('not_found', 'not_found', 'Nothing is at this path.')
  const { entry } = match
  if (entry === null) return otherMethod(pipeline, exchange, match)
  exchange.route = entry.path
  if (entry.kind === 'api') return runRoute(pipeline, exchange, entry, match)
  return runRaw(pipeline, exchange, entry.route, match)
}

async function runRaw(
  pipeline: Pipeline,
  exchange: Exchange,
  route: RawRoute,
  { params, badEncoding: isBad }: Matched,
): Promise<Reply | null> {
  if (isBad) throw badEncoding()
  await findAudience(exchange, route, params)
  const { request, response, id: requestId, network } = exchange
  const headers = () => allHeaders(pipeline, exchange)
  return route.handle({ request, response, params, requestId, network, headers })
}

/** Whose origins may read what a raw route answers, where somebody's page asks. */
async function findAudience(exchange: Exchange, route: RawRoute, params: Matched['params']): Promise<void> {
  if (route.game === undefined || exchange.request.headers.origin === undefined) return
  const game = await route.game(params)
  if (game !== null) exchange.audience = { game }
}

/** A browser asks beforehand whether it may call; whoever else uses another method is told which there are. */
async function otherMethod({ deps, table, originHints }: Pipeline, exchange: Exchange, match: Matched): Promise<Reply> {
  const { request, path } = exchange
  const allowed = match.allowed()
  const { origin, 'access-control-request-method': wished } = request.headers
  if (request.method === 'OPTIONS' && origin !== undefined && wished !== undefined) {
    const entry = table.find(path, wished)?.entry
    if (entry?.kind === 'raw') await findAudience(exchange, entry.route, match.params)
    const { audience } = exchange
    const headers = await preflightHeaders(deps, origin, audience, allowed).catch(async (refusal: unknown) => {
      await originHints(origin, (other) => isAllowed(deps, other, audience))
      throw refusal
    })
    return answerReply({ status: 200, body: {}, headers }, null)
  }
  const detail = `This path takes ${allowed.join(', ')}.`
  throw new HttpRefusal(405, 'method_not_allowed', detail, { Allow: allowed.join(', ') })
}
