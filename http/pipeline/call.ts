// Runs an API call after routing: all checks in the documented order, then the handler.

import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  BEHIND_AFTER_MS,
  type BegunPart,
  type CommandContext,
  type CommitPosition,
} from '../../commands/command-context.ts'
import type { CallUsage } from '../../commands/count-recorded.ts'
import { Refusal } from '../../domain/decider.ts'
import { NO_BOARD } from '../../queries/board-key.ts'
import { BODY_MAX_BYTES } from '../connections/limits.ts'
import type { Answer, Call, Caller, Part, Route } from '../route.ts'
import { answer } from './answer.ts'
import { awaitCallsBefore, findNamed } from './board-key.ts'
import { type BodyRoom, sendContinue } from './body.ts'
import type { Consistency } from './consistency.ts'
import type { Context, Middleware } from './context.ts'
import { bearerToken, checkPrefix, checkSentOnce, headerOf, idempotencyKey } from './headers.ts'
import { claimed, type IdempotencyDeps, type KeyedCall, runOnce, unkeyed } from './idempotency.ts'
import { readBody, readQuery } from './input.ts'
import { type CheckPermission, permissionCheck } from './permission.ts'
import type { Drawn } from './rates.ts'
import type { CountedTo, RecordedBytes } from './recorded-bytes.ts'
import { checkEncoding } from './router.ts'
import type { Services } from './services.ts'

type AnyCall = Call<unknown, unknown, Caller | null>

/** The middleware of an API route. Its lines are the order of the checks, with what each throws. */
export function callRoute(services: Services, route: Route): Middleware {
  const checkPermission = permissionCheck(route)
  return async (ctx) => {
    await takeNetworkRates(services, ctx, route) // 429
    await findCaller(services, ctx, route) // 401
    await takeCallerRates(services, ctx) // 429
    if (ctx.state.match.boardKey !== null) await findKeyed(services, ctx, route) // 503 behind
    checkPermission(ctx) // 403 tenant_only, operator_token, permission_needed
    checkOtherProof(ctx, route) // 401 api_key_required
    await readInput(services, ctx, route) // 415, 413, 408, 400
    await awaitOwnWrites(services, ctx, route) // 400 consistency_token_unknown, 503 behind
    if (ctx.state.keyed !== null) await awaitCallsBefore(services.deps.progress, ctx.state, ctx.state.keyed) // 503 behind
    await answer(services, ctx, await handle(services, ctx, route, checkPermission)) // the handler's 404, 409, 412, 422, and what `handle` lists
  }
}

/**
 * The extra rates of this route per network address. They need the shared store: no fallback to this node's own count.
 */
function takeNetworkRates({ limiter }: Services, { state }: Context, { rates = [] }: Route): Promise<void> | undefined {
  if (limiter === null || rates.length === 0) return undefined
  const drawn = rates.map((name) => ({ name, of: state.network }))
  return limiter.take(drawn, state.rateHeaders, state.nowMs, true)
}

/** Authenticates the caller, and sets whose pages may read the answer. */
async function findCaller({ deps }: Services, { req, state, params }: Context, { needs }: Route): Promise<void> {
  if (needs !== 'nothing') {
    const token = bearerToken(req)
    if (token === null) {
      const detail = 'The bearer token is missing. Send it once: Authorization: Bearer <ACCESS_TOKEN>.'
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
  return limiter.take(bucketsOf(caller), rateHeaders, nowMs, false)
}

function bucketsOf({ key, player }: Caller): Drawn[] {
  const drawn: Drawn[] = [{ name: 'key', of: key }]
  if (player !== null) drawn.push({ name: 'player', of: player })
  return drawn
}

/** Takes what the call counts beyond one. The call itself is admitted; later ones may be refused for longer. */
function takeWeight({ limiter }: Services, { state }: Context, { weight }: Route): Promise<void> | undefined {
  const { caller, body, network, rateHeaders, nowMs } = state
  if (limiter === null || caller === null || weight === undefined) return undefined
  const more = weight(body as never) - 1
  if (more <= 0) return undefined
  return limiter.spend([{ name: 'address', of: network }, ...bucketsOf(caller)], more, rateHeaders, nowMs)
}

/** Puts the leaderboard's id in place of its key, once this node's views include the caller's own changes of keys. */
async function findKeyed({ deps, consistency }: Services, ctx: Context, { method }: Route): Promise<void> {
  const { caller, match } = ctx.state
  await consistency.await(caller, knownPosition(consistency, ctx.req), method === 'GET')
  ctx.state.keyed = await findNamed(deps, caller, match.boardKey ?? '')
  ctx.params = { ...ctx.params, leaderboard: ctx.state.keyed?.board ?? NO_BOARD }
}

/** Null for a token that is refused with 400 after the permission is checked. */
function knownPosition(consistency: Consistency, req: IncomingMessage): CommitPosition | null {
  try {
    return sentPosition(consistency, req)
  } catch {
    return null
  }
}

/** Checks what some routes require instead of a token. */
function checkOtherProof({ req }: Context, route: Route): void {
  if (route.byPrefix === true) checkPrefix(req)
  route.admits?.((name) => headerOf(req, name.toLowerCase()))
}

async function readInput(services: Services, { req, res, state }: Context, route: Route): Promise<void> {
  sendContinue(req, res)
  state.body = await readBody(route, req, bodyRoom(services, route, { res, network: state.network }))
  checkSentOnce(req)
  checkEncoding(state.path)
  state.query = readQuery(route, state.queryText)
  if (route.records) state.idempotencyKey = idempotencyKey(req)
}

interface FromWhere {
  readonly res: ServerResponse
  readonly network: string
}

function bodyRoom({ edge, largeBodies }: Services, { list }: Route, { res, network }: FromWhere): BodyRoom {
  // A larger body counts as several.
  const take = (bytes: number) => edge.take('body', network, Math.ceil(bytes / BODY_MAX_BYTES))
  const parseLarge: BodyRoom['parseLarge'] = async (parse, bytes) => {
    const release = take(bytes)
    // A long list takes many times its bytes until the call has ended.
    const isHeld = list !== undefined && !res.closed
    if (isHeld) res.once('close', release)
    try {
      return await parse((work) => largeBodies.parse(network, work))
    } finally {
      if (!isHeld) release()
    }
  }
  return { take, parseLarge, timeoutMs: edge.limits.bodyTimeoutMs }
}

/** Waits until this node's views include the caller's own writes and the one that X-Consistency-Token names. */
function awaitOwnWrites(
  { consistency }: Services,
  { req, state }: Context,
  { method }: Route,
): Promise<void> | undefined {
  return consistency.await(state.caller, sentPosition(consistency, req), method === 'GET')
}

function sentPosition(consistency: Consistency, req: IncomingMessage): CommitPosition | null {
  const token = headerOf(req, 'x-consistency-token')
  return token === null ? null : consistency.read(token)
}

/**
 * Runs the handler inside the limits on writes, from outside in: concurrent writes per address (503 busy),
 * Idempotency-Key (409, 422), recorded bytes per day (429 recording_limit). Then waits until this node's views include
 * the write (503 behind).
 */
async function handle(
  services: Services,
  ctx: Context,
  route: Route,
  checkPermission: CheckPermission,
): Promise<Answer> {
  const { consistency, writes } = services
  const { caller, network } = ctx.state
  const once = async () => {
    await takeWeight(services, ctx, route)
    return runKeyed(services, ctx, route, checkPermission)
  }
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

/** Runs the handler at most once per Idempotency-Key, which belongs to the path as it was sent. */
function runKeyed(
  { deps, movedKeys, recordedBytes, consistency }: Services,
  ctx: Context,
  route: Route,
  checkPermission: CheckPermission,
): Promise<Answer> {
  const { req } = ctx
  const { match, keyed: board, query, body, idempotencyKey: key, caller, network, nowMs, id: requestId } = ctx.state
  const game = caller?.game ?? null
  const isKeyed = match.boardKey !== null && game !== null
  const seeing = isKeyed ? movedKeys.of({ game, key: match.boardKey, board }) : deps
  // Each part of a call has a meaning of its own.
  const sent = route.inParts ? null : (body ?? null)
  const meaning = key === null ? [] : [route.method, route.path, match.params, query ?? null, sent]
  return runOnce(seeing, { caller, key, meaning, requestId, nowMs }, (context, recorded) => {
    if (match.boardKey !== null && recorded?.board != null) {
      // The key may name another leaderboard since.
      ctx.params = { ...ctx.params, leaderboard: recorded.board }
      checkPermission(ctx)
    }
    const { params } = ctx
    const header = (name: string) => headerOf(req, name.toLowerCase())
    const gone = () => disconnectSignal(ctx.res)
    const requiredPosition = () => consistency.latest(caller, sentPosition(consistency, req))
    const ifMatch = header('if-match')
    const run = (counted: CommandContext) => {
      const call: AnyCall = {
        params,
        query,
        body,
        caller,
        context: counted,
        ifMatch,
        network,
        header,
        gone,
        requiredPosition,
        beginPart: (part) => beginPart({ deps, movedKeys, recordedBytes }, { caller, requestId, nowMs }, part),
      }
      return (route.handle as (call: AnyCall) => Promise<Answer>)(call)
    }
    // A repeated call was counted the first time.
    if (recordedBytes === null || caller === null || !route.records || route.inParts || context.repeated)
      return run(context)
    const player = route.recordsFor === undefined ? caller.player : route.recordsFor(caller, body as never)
    return counting(recordedBytes, { game: caller.game, player }, nowMs, (usage) => run({ ...context, usage }))
  })
}

type PartServices = Pick<Services, 'deps' | 'movedKeys' | 'recordedBytes'>

/** As `Call.beginPart`. */
function beginPart(
  { deps, movedKeys, recordedBytes }: PartServices,
  of: Pick<KeyedCall, 'caller' | 'requestId' | 'nowMs'>,
  { key, meaning, player, boardKey }: Part,
): BegunPart | Promise<BegunPart> {
  const call = { ...of, key, meaning }
  const { caller, nowMs } = of
  const counted = (begun: BegunPart): BegunPart | Promise<BegunPart> => {
    if (recordedBytes === null || caller === null || begun.context.repeated) return begun
    const { game } = caller
    const withUsage = (usage: CallUsage): BegunPart => ({
      ...begun,
      context: { ...begun.context, usage },
      end() {
        recordedBytes.end(game, usage, nowMs)
        return begun.end()
      },
    })
    const usage = recordedBytes.begin({ game, player }, nowMs)
    return usage instanceof Promise ? usage.then(withUsage) : withUsage(usage)
  }
  if (key === null) return counted({ context: unkeyed(deps, call), recorded: null, end: () => undefined })
  const game = caller?.game ?? null
  if (boardKey === null || game === null) return beginKeyed(deps, call, key, counted)
  const seeing = movedKeys.of({ game, ...boardKey })
  if (boardKey.board === null) return beginKeyed(seeing, call, key, counted)
  const callsBefore = awaitCallsBefore(deps.progress, { caller, idempotencyKey: key }, boardKey.board)
  return callsBefore.then(() => beginKeyed(seeing, call, key, counted))
}

async function beginKeyed(
  deps: IdempotencyDeps,
  call: KeyedCall,
  key: string,
  counted: (begun: BegunPart) => BegunPart | Promise<BegunPart>,
): Promise<BegunPart> {
  const { context, recorded, release } = await claimed(deps, call, key)
  try {
    return await counted({ context, recorded, end: release })
  } catch (error) {
    await release()
    throw error
  }
}

/** Counts the bytes that the handler records. */
async function counting<Result>(
  recordedBytes: RecordedBytes,
  to: CountedTo,
  nowMs: number,
  run: (usage: CallUsage) => Promise<Result>,
): Promise<Result> {
  const pending = recordedBytes.begin(to, nowMs)
  const usage = pending instanceof Promise ? await pending : pending
  try {
    return await run(usage)
  } finally {
    recordedBytes.end(to.game, usage, nowMs)
  }
}

/** The announced body size in bytes; infinite for a chunked body. */
const sizeOf = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.POSITIVE_INFINITY

/** Milliseconds to wait until this node's views include the write. */
const maxWaitOf = ({ hasWaited, maxWaitMs }: Answer): number =>
  hasWaited === true ? 0 : (maxWaitMs ?? BEHIND_AFTER_MS)

/** Aborts when the connection closes before the answer went out. */
function disconnectSignal(response: ServerResponse): AbortSignal {
  const going = new AbortController()
  const end = () => {
    if (!response.writableFinished) going.abort(new Refusal('unavailable', 'reads_busy', 'The caller disconnected.'))
  }
  if (response.destroyed) end()
  else response.once('close', end)
  return going.signal
}
