// A call of the API once its route is found, in the contract's order: the network's rates 429 · 401 · rates 429 · tenant_only · permission 403 ·
// 415, 413, 400 · and then the handler with its own 404, 412, 409, 422.

import type { IncomingMessage } from 'node:http'
import type { Intent, Written } from '../../commands/intent.ts'
import { Refusal } from '../../domain/decider.ts'
import type { Answer, Call, Caller, Route } from '../route.ts'
import { type BodyRoom, sendContinue } from './body.ts'
import { BEHIND_AFTER_MS } from './consistency.ts'
import { type Exchange, headerOf } from './exchange.ts'
import { type ApiEntry, badEncoding, type Matched, type Pipeline } from './gear.ts'
import { goneSignal } from './gone.ts'
import { bearerToken, checkPrefix, idempotencyKey } from './headers.ts'
import { runOnce } from './idempotency.ts'
import { readBody, readQuery } from './input.ts'
import type { Drawn } from './rates.ts'
import type { RecordedBytes } from './recorded-bytes.ts'
import { answerReply, type Reply } from './reply.ts'

type AnyCall = Call<unknown, unknown, Caller | null>

/** What a call sent besides who sent it. */
interface Sent {
  readonly params: Matched['params']
  readonly query: unknown
  readonly body: unknown
  readonly key: string | null
}

export async function runRoute(
  pipeline: Pipeline,
  exchange: Exchange,
  { route, check }: ApiEntry,
  match: Matched,
): Promise<Reply> {
  const { request } = exchange
  const { params } = match
  const isLimited = limitNetwork(pipeline, exchange, route)
  if (isLimited !== undefined) await isLimited
  await findCaller(pipeline, exchange, route, params)
  const { caller } = exchange
  const limited = limitCaller(pipeline, exchange)
  if (limited !== undefined) await limited
  if (caller !== null) check(caller, params)

  if (route.byPrefix === true) checkPrefix(request)
  route.admits?.((name) => headerOf(request, name.toLowerCase()))
  sendContinue(request, exchange.response)
  const body = await readBody(route, request, bodyRoom(pipeline, exchange))
  if (match.badEncoding) throw badEncoding()
  const query = readQuery(route, exchange.queryText)
  const key = route.records ? idempotencyKey(request) : null
  const reached = pipeline.consistency.await(caller, readToken(pipeline, request), route.method === 'GET')
  if (reached !== undefined) await reached

  return handled(pipeline, exchange, route, { params, query, body, key })
}

function bodyRoom({ edge, largeBodies }: Pipeline, { network }: Exchange): BodyRoom {
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

/** Who calls, and whose pages may read the answer. */
async function findCaller(
  pipeline: Pipeline,
  exchange: Exchange,
  route: Route,
  { game }: Matched['params'],
): Promise<void> {
  if (route.needs !== 'nothing') {
    exchange.caller = await authenticated(pipeline, exchange)
    exchange.audience = exchange.caller
  } else if (game !== undefined) {
    exchange.audience = { game }
  }
}

function authenticated({ deps }: Pipeline, { request, nowMs }: Exchange): Promise<Caller> {
  const token = bearerToken(request)
  if (token !== null) return deps.authenticate(token, nowMs)
  const detail = 'Send one bearer token: Authorization: Bearer <ACCESS_TOKEN>.'
  throw new Refusal('unauthenticated', 'unauthenticated', detail)
}

/** The rates of the network address that are this route's own; they are never counted by one node alone. */
function limitNetwork(
  { limiter }: Pipeline,
  { network, told, nowMs }: Exchange,
  { rates = [] }: Route,
): Promise<void> | undefined {
  if (limiter === null || rates.length === 0) return undefined
  const drawn = rates.map((name) => ({ name, of: network }))
  return limiter.take(drawn, told, nowMs, true)
}

function limitCaller({ limiter }: Pipeline, { caller, told, nowMs }: Exchange): Promise<void> | undefined {
  if (limiter === null) return undefined
  const drawn: Drawn[] = []
  if (caller !== null) drawn.push({ name: 'key', of: caller.key })
  if (caller !== null && caller.player !== null) drawn.push({ name: 'player', of: caller.player })
  return drawn.length === 0 ? undefined : limiter.take(drawn, told, nowMs, false)
}

function readToken({ consistency }: Pipeline, request: IncomingMessage): Written | null {
  const token = headerOf(request, 'x-consistency-token')
  return token === null ? null : consistency.read(token)
}

/** The handler, once under its Idempotency-Key, and its answer once what it wrote can be read. */
async function handled(
  { deps, consistency, recordedBytes, writes }: Pipeline,
  exchange: Exchange,
  route: Route,
  { params, query, body, key }: Sent,
): Promise<Reply> {
  const { request, caller, network } = exchange
  const meaning = key === null ? [] : [route.method, route.path, params, query ?? null, body ?? null]
  const keyed = { caller, key, meaning, requestId: exchange.id, nowMs: exchange.nowMs }
  const work = (intent: Intent) => {
    const header = (name: string) => headerOf(request, name.toLowerCase())
    const gone = () => goneSignal(exchange.response)
    const ifMatch = header('if-match')
    const run = (counted: Intent) => {
      const call: AnyCall = { params, query, body, caller, intent: counted, ifMatch, network, header, gone }
      return (route.handle as (call: AnyCall) => Promise<Answer>)(call)
    }
    return counting(recordedBytes, exchange, route, body, intent, run)
  }
  const once = () => runOnce(deps, keyed, work)
  const answer = await (route.records && writes !== null ? writes.run(network, once, sizeOf(request)) : once())
  if (!route.records || route.method === 'GET') return answerReply(answer, null)
  const place = answer.written ?? answer.stood ?? null
  const { mustBeSeen = false } = answer
  return answerReply(answer, await consistency.wrote(caller, place, patienceOf(answer), mustBeSeen))
}

/** In bytes, as it was announced. */
const sizeOf = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.POSITIVE_INFINITY

/** Runs the handler while what it records is counted. A repeated call has been counted before. */
async function counting(
  recordedBytes: RecordedBytes | null,
  { caller, nowMs }: Exchange,
  route: Route,
  body: unknown,
  intent: Intent,
  run: (intent: Intent) => Promise<Answer>,
): Promise<Answer> {
  if (recordedBytes === null || caller === null || !route.records || intent.repeated) return run(intent)
  const { game } = caller
  const player = route.recordsFor === undefined ? caller.player : route.recordsFor(caller, body as never)
  const begun = recordedBytes.begin({ game, player }, nowMs)
  const tally = begun instanceof Promise ? await begun : begun
  try {
    return await run({ ...intent, tally })
  } finally {
    recordedBytes.end(game, tally, nowMs)
  }
}

/** How long an answer waits yet for this node's views to have what it tells of. */
const patienceOf = ({ waited, patienceMs }: Answer): number => (waited === true ? 0 : (patienceMs ?? BEHIND_AFTER_MS))
