// Draws a call of an operation from its declaration and the pool: mostly a good one.

import type { Signer } from '../front-door/world.ts'
import type { Random } from '../random.ts'
import type { Document, Operation } from './document.ts'
import { type DrawnCaller, drawCaller } from './draw-caller.ts'
import { drawHeaders } from './draw-headers.ts'
import { type Drawing, drawValue } from './draw-value.ts'
import type { Challenge, KnownGame } from './pool.ts'
import { encoded, otherId, type Payload, spoiltBody, spoiltQuery, WRONG_TYPES } from './spoil.ts'
import { drawSubject, type Subject, valueIn } from './subject.ts'
import type { SubjectSources } from './subject-values.ts'

export interface Call {
  readonly operation: Operation
  /** Another method than the operation's if the path does not declare it. */
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly query: readonly string[]
  /** The ids in the path. */
  readonly ids: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly payload: Payload
  readonly caller: DrawnCaller
  readonly subject: Subject
  /** The drawn body before it was spoilt. */
  readonly body: unknown
}

export interface CallSources extends SubjectSources {
  readonly document: Document
}

const SPOILT_BODY = 0.1
const SPOILT_QUERY = 0.06
const OTHER_ID = 0.06
const WRONG_TYPE = 0.01
const UNDECLARED_METHOD = 0.004
const STREAM_LINES_MAX = 50

export function drawCall(operation: Operation, game: KnownGame, sources: CallSources): Call {
  const { random, pool, document } = sources
  const subject = drawSubject(game, operation, sources)
  const caller = drawCaller(operation, game, pool, random)
  const drawing = (optional: number): Drawing => ({
    random,
    schemas: document.schemas,
    known: (name) => valueIn(subject, name),
    optional,
  })
  const good = operation.body === null ? undefined : drawValue(operation.body.schema, '', drawing(0.4))
  const body = fitted(operation, good, { subject, caller, random })
  const query = drawQuery(operation, drawing, random)
  const [pathname, ids] = pathOf(operation, subject, sources)
  const payload = drawPayload(operation, body, random)
  const headers = drawHeaders(operation, { pathname, subject, caller, pool, random })
  const hasWrongType = payload !== undefined && random.chance(WRONG_TYPE)
  if (payload !== undefined) headers['content-type'] = hasWrongType ? random.pick(WRONG_TYPES) : 'application/json'
  const path = pathname + (query.length === 0 ? '' : `?${query.join('&')}`)
  const method =
    isDeclared('PATCH', operation, document) || !random.chance(UNDECLARED_METHOD) ? operation.method : 'PATCH'
  return { operation, method, path, ids, query, headers, payload, caller, subject, body }
}

const isDeclared = (method: string, { path }: Operation, { methods }: Document): boolean =>
  methods.get(path)?.includes(method) === true

/** A stream has a limit: else it would end with the log, or never. */
function drawQuery(operation: Operation, drawing: (optional: number) => Drawing, random: Random): string[] {
  const parameters = operation.parameters.filter((one) => one.in === 'query')
  const optional = Math.min(0.3, 1.5 / parameters.length)
  const isStream = operation.answers.get(200)?.type === 'application/x-ndjson'
  const sent: [name: string, value: unknown][] = []
  for (const { name, schema, required } of parameters) {
    if (isStream && name === 'limit') sent.push([name, 1 + random.below(STREAM_LINES_MAX)])
    else if (required || random.chance(optional)) sent.push([name, drawValue(schema, name, drawing(optional))])
  }
  const good = sent.map(([name, value]) => `${name}=${encoded(String(value))}`)
  const names = parameters.map(({ name }) => name).filter((name) => !isStream || name !== 'limit')
  return random.chance(SPOILT_QUERY) ? spoiltQuery(good, names, random) : good
}

function drawPayload({ body: declared }: Operation, body: unknown, random: Random): Payload {
  if (declared === null) return random.chance(0.03) ? spoiltBody(undefined, random) : undefined
  return random.chance(SPOILT_BODY) ? spoiltBody(body, random) : JSON.stringify(body)
}

function pathOf(
  { path }: Operation,
  subject: Subject,
  { random, pool }: SubjectSources,
): [path: string, ids: readonly string[]] {
  const ids: string[] = []
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const right = valueIn(subject, name)
    if (typeof right === 'string' && !random.chance(OTHER_ID)) {
      ids.push(right)
      return encoded(right)
    }
    const others = pool.games.filter((game) => game !== subject.game)
    return otherId(random, idOfAnother(name, random.any(others)))
  })
  return [random.chance(0.1) && filled.endsWith('/') ? filled.slice(0, -1) : filled, ids]
}

function idOfAnother(name: string, game: KnownGame | null): string | null {
  if (game === null) return null
  const ids: Readonly<Record<string, string | undefined>> = {
    game: game.id,
    leaderboard: game.leaderboards[0],
    score: game.scores[0],
    player: game.players[0]?.id,
    bucket: game.buckets[0]?.id,
    prefix: game.keys[0]?.prefix,
    upload: game.buckets[0]?.uploads[0],
  }
  return ids[name] ?? null
}

interface Fitting {
  readonly subject: Subject
  readonly caller: DrawnCaller
  readonly random: Random
}

type Body = Readonly<Record<string, unknown>>

/** Mostly makes the body one that succeeds; seldom leaves it as it was drawn. */
export function fitted({ id }: Operation, body: unknown, fitting: Fitting): unknown {
  const change = FITS[id]
  if (change === undefined || typeof body !== 'object' || body === null || fitting.random.chance(0.05)) return body
  return change(body as Body, fitting)
}

const FITS: Readonly<Record<string, (body: Body, fitting: Fitting) => Body>> = {
  redeemChallenge: (body, { subject: { challenge } }) =>
    challenge === null ? body : { ...body, ...signedAnswer(challenge.signer, challenge, body) },
  submitScore: ({ player, ...body }, { caller, subject }) =>
    caller.player === null ? { ...body, player: player ?? subject.player?.id } : body,
  createSignInTicket: ({ player, external_id, name }, { random, subject }) =>
    random.chance(0.7)
      ? { player: player ?? subject.player?.id }
      : { external_id: external_id ?? 'steam-1', ...(name !== undefined && { name }) },
  issueKey: ({ public_key, ...body }) =>
    body.algorithm === 'ed25519' && public_key !== undefined ? { ...body, public_key } : body,
  createLeaderboard: withoutEmptyRange,
  updateLeaderboard: withoutEmptyRange,
  previewRules: withoutEmptyRange,
  signInAsGuest: ({ name, guest_token }) => (guest_token === undefined ? { name } : { guest_token }),
  createBucket: ({ name, ...limits }, { random }) => (random.chance(0.7) ? { name } : { name, ...limits }),
  updateGame: ({ sign_in, ...body }, { random }) => (random.chance(0.3) ? { ...body, sign_in } : body),
  updateKey: (body, { subject: { game }, random }) =>
    random.chance(0.5) ? { permissions: [`gm:${game.id}:*`, 'lb:*:*', 'bkt:*:*', 'score:*:*', 'submit_for'] } : body,
}

function signedAnswer(signer: Signer, { requestId, nonce }: Challenge, { unix_ts, permissions = [] }: Body) {
  const asked = [...(permissions as string[])].sort().join('|')
  return { request_id: requestId, challenge: signer.sign(`${requestId}.${nonce}.${unix_ts}.${asked}`) }
}

function withoutEmptyRange({ min_score, max_score, ...body }: Body): Body {
  const isEmpty =
    typeof min_score === 'string' && typeof max_score === 'string' && Number(min_score) > Number(max_score)
  return isEmpty
    ? { ...body, min_score }
    : { ...body, ...(min_score !== undefined && { min_score }), ...(max_score !== undefined && { max_score }) }
}
