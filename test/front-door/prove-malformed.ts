// Sends malformed calls and checks every answer: never a 5xx, always a problem document with a pointer, only codes that
// the route declares, and for a success the declared shape.

import fc from 'fast-check'
import { PROBLEMS } from '../../http/problem-codes.ts'
import type { Route } from '../../http/route.ts'
import { goodCall, makeSampleGame, nameOf, pathOf, SAMPLES, type SampleGame, TABLE } from '../security/samples.ts'
import { signInGuest } from './game-fixtures.ts'
import type { Answered, Sent } from './http-client.ts'
import { BAD_JSON_BODIES } from './odd-json.ts'
import { openWorld, tokenOf, type World } from './world.ts'

export type Caller = 'right' | 'client' | 'player' | 'none' | 'garbage'

export interface Spoilt {
  /** Index in the route table. */
  readonly route: number
  readonly caller: Caller
  readonly body: MalformedBody
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** Replaces the ids in the path, as encoded in the URL; null: the valid id. */
  readonly ids: readonly (string | null)[]
  readonly slash: boolean
}

export type MalformedBody =
  | { readonly kind: 'good' }
  | { readonly kind: 'none' }
  | { readonly kind: 'raw'; readonly raw: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** The valid body with fields removed, added or changed. */
  | {
      readonly kind: 'changed'
      readonly drop: number | null
      readonly put: readonly (readonly [field: string, value: unknown])[]
    }

const FIELDS = [
  ...['name', 'description', 'ordering', 'secondary_ordering', 'unique', 'min_score', 'max_score', 'score'],
  ...['secondary_score', 'extra_data', 'player_name', 'player', 'permissions', 'kind', 'algorithm', 'public_key'],
  ...[
    'cors_origins',
    'sign_in',
    'realtime',
    'fixed_rooms',
    'external_id',
    'guest_token',
    'refresh_token',
    'everywhere',
  ],
  ...['path', 'size', 'content_type', 'sha256', 'rules', 'child_rules', 'apply_to_existing', 'max_bytes', 'max_files'],
  ...['request_id', 'challenge', 'unix_ts', '__proto__', 'constructor', 'toString', '', 'a/b~c', 'é'],
]

const PARAMETERS = [
  ...[
    'limit',
    'offset',
    'page',
    'order',
    'since',
    'until',
    'window',
    'path',
    'recursive',
    'player_name',
    'min_score',
    'max_score',
    'player',
  ],
  ...['from', 'type', 'board', 'around', 'name', 'as_of', '__proto__', 'constructor', 'x', ''],
]

const oddText = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      'a',
      '0',
      '-0',
      '1e9',
      '1.5',
      '01',
      '-1',
      'null',
      'true',
      '\u0000',
      '\ud800',
      '\u202e',
      '\u2028',
      'e\u0301',
    ],
    ...[
      '../..',
      '%00',
      '*',
      'lb:*:*',
      'sys:games',
      ':',
      '2026-02-30',
      '2026-01-01',
      '2026-01-01T00:00:00Z',
      'best',
      'desc',
    ],
    ...[
      '9'.repeat(31),
      '9'.repeat(400),
      'x'.repeat(65),
      'x'.repeat(5_000),
      'sk_a',
      "' OR 1=1 --",
      '{{7*7}}',
      'https://a.example',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

const oddValue = fc.oneof(
  oddText,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e300, -0, 9_007_199_254_740_991, [], {}, [[]], [null], {
    '': null,
  }),
  fc.integer(),
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(oddText, { maxLength: 4 }),
)

const body: fc.Arbitrary<MalformedBody> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'good' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'none' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('changed' as const),
      drop: fc.option(fc.nat(6)),
      put: fc.array(fc.tuple(fc.constantFrom(...FIELDS), oddValue), { maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }).map((raw) => ({ kind: 'raw' as const, raw })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        ...BAD_JSON_BODIES,
        '['.repeat(30_000),
        `{"score":"${'9'.repeat(65_000)}"}`,
        `{"a":"${'x'.repeat(66_000)}"}`,
        '{"score":1}',
        '{"score":"1","extra_data":[[[[]]]]}',
      )
      .map((raw) => ({ kind: 'raw' as const, raw })),
  },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => ({ kind: 'bytes' as const, bytes })),
  },
)

const encoded = oddText.map((text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?')))

const badlyEncoded = fc.constantFrom(
  '%',
  '%zz',
  '%ff',
  '%C0%80',
  '%ED%A0%80',
  '%2F',
  '%2e%2e',
  '+',
  '%00',
  '%250',
  '~',
  'a%20b',
)

const oddUrlPart = fc.oneof({ weight: 3, arbitrary: encoded }, { weight: 1, arbitrary: badlyEncoded })

/** An empty one would make it the path of another route. */
const oddId = oddUrlPart.filter((text) => text !== '')

const parameter = fc
  .tuple(fc.constantFrom(...PARAMETERS), fc.option(oddUrlPart))
  .map(([name, value]) => (value === null ? name : `${name}=${value}`))

const query = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.array(parameter, { minLength: 1, maxLength: 3 }).map((list) => `?${list.join('&')}`) },
)

const printable = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
  size: 'max',
})

/** Most calls with these headers pass them. */
const lightHeaders = fc.record(
  {
    'if-match': fc.oneof(fc.constantFrom('*', '"x"', 'W/"x"', '"a", "b"', ''), printable),
    'idempotency-key': fc.oneof(fc.constantFrom('k1', 'k2', 'k3'), printable),
    origin: fc.oneof(fc.constantFrom('null', 'https://a.example', '*'), printable),
    range: fc.constant('bytes=0-1'),
    accept: fc.constantFrom('text/html', ''),
    'content-type': fc.constantFrom('application/json', 'application/json; charset=utf-8'),
  },
  { requiredKeys: [] },
)

const heavyHeaders = fc.record(
  {
    'content-type': fc.oneof(fc.constantFrom('application/json; charset=latin1', 'text/plain', '*/*', ''), printable),
    'content-encoding': fc.constantFrom('gzip', 'identity', 'br', 'x'),
    'idempotency-key': fc.constantFrom('', 'x'.repeat(256)),
    'x-consistency-token': fc.oneof(fc.constantFrom('', 'x', 'AAAA'), printable),
    'x-api-key': fc.oneof(fc.constantFrom('', 'sk_x', 'x'.repeat(200)), printable),
    authorization: fc.oneof(fc.constantFrom('Bearer', 'Bearer ', 'Basic eDp5', 'Bearer a b'), printable),
  },
  { requiredKeys: [] },
)

const headers = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: lightHeaders },
  { weight: 1, arbitrary: heavyHeaders },
)

export const spoilt: fc.Arbitrary<Spoilt> = fc.record({
  route: fc.nat(TABLE.length - 1),
  caller: fc.oneof(
    { weight: 8, arbitrary: fc.constant<Caller>('right') },
    { weight: 1, arbitrary: fc.constantFrom<Caller>('client', 'player', 'none', 'garbage') },
  ),
  body,
  query,
  headers: headers.map((all) => ({ ...all })),
  ids: fc
    .tuple(fc.option(oddId, { freq: 4 }), fc.option(oddId, { freq: 4 }))
    .map((ids) => ids.map((id, i) => (i === 0 ? mostlyValid(id) : id))),
  slash: fc.boolean(),
})

/** A call that is in every run, as it is rarely drawn: few bodies are too large and few routes take one. */
export const TOO_LARGE: Spoilt = {
  route: TABLE.findIndex(({ method, path }) => method === 'POST' && path === '/api/lb/:leaderboard/score/'),
  caller: 'right',
  body: { kind: 'raw', raw: `{"a":"${'x'.repeat(66_000)}"}` },
  query: '',
  headers: {},
  ids: [null, null],
  slash: true,
}

/** An invalid id prevents all later checks, so most calls have the valid one. */
function mostlyValid(id: string | null): string | null {
  return id !== null && id.length % 3 === 0 ? id : null
}

/** The body to send, or undefined for none. */
export function bodyOf(wanted: MalformedBody, good: unknown): { body?: unknown; raw?: string | Buffer } {
  switch (wanted.kind) {
    case 'good':
      return good === undefined ? {} : { body: good }
    case 'none':
      return {}
    case 'raw':
      return { raw: wanted.raw }
    case 'bytes':
      return { raw: Buffer.from(wanted.bytes) }
    case 'changed': {
      const entries = Object.entries(good ?? {}).filter((_, i) => i !== wanted.drop)
      const changed = new Map<string, unknown>([...entries, ...wanted.put])
      const pairs = [...changed].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      return { raw: `{${pairs.join(',')}}` }
    }
  }
}

export const sampleOf = (route: number) => {
  const at = TABLE[route]
  const sample = at === undefined ? undefined : SAMPLES[nameOf(at)]
  if (at === undefined || sample === undefined) throw new Error(`no sample of route ${route}`)
  return { route: at, sample }
}

/** Codes that any route may answer. */
const OF_EVERY_CALL = ['malformed', 'not_found', 'body_too_large', 'unsupported_media_type']

const OF_TOKENS = ['unauthenticated', 'token_rejected', 'tenant_only', 'permission_needed', 'consistency_token_unknown']
const OF_KEYS = ['idempotency_key_reused', 'idempotency_in_progress']

const OF_IDS: Readonly<Record<string, string>> = {
  game: 'game_not_found',
  leaderboard: 'leaderboard_not_found',
  bucket: 'bucket_not_found',
  score: 'score_not_found',
  prefix: 'key_not_found',
  player: 'player_not_found',
}

const PROBLEM_FIELDS = ['type', 'title', 'status', 'detail', 'code', 'request_id']

export interface MalformedProof {
  readonly tried: number
  readonly seed: number
  /** The first wrong answer, shrunk; null if there is none. */
  readonly report: string | null
  /** Status -> number of answers. */
  readonly statuses: Readonly<Record<number, number>>
}

export async function proveMalformed({ requests, seed }: { requests: number; seed: number }): Promise<MalformedProof> {
  const world = await openWorld()
  const statuses: Record<number, number> = {}
  try {
    let sampleGame = await makeSampleGame(world, 'sample')
    const operator = await tokenOf(world, world.operator)
    const property = fc.asyncProperty(spoilt, async (one) => {
      const answer = await send(world, sampleGame, operator, one)
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      const fault = faultOf(sampleOf(one.route).route, answer)
      if (fault !== null) throw new Error(`${fault}: ${answer.status} ${answer.text}`)
      if (answer.status === 200 && answer.body?.signed_out !== undefined) {
        sampleGame = { ...sampleGame, guest: await signInGuest(world, sampleGame.game, sampleGame.client) }
      }
    })
    const details = await fc.check(property, { numRuns: requests, seed, examples: [[TOO_LARGE]] })
    if (!details.failed) return { tried: requests, seed, report: null, statuses }
    const message = details.errorInstance instanceof Error ? details.errorInstance.message : ''
    const report = `seed ${seed}, path ${details.counterexamplePath}: ${message}\n${JSON.stringify(details.counterexample, null, 1)}`
    return { tried: details.numRuns, seed, report, statuses }
  } finally {
    await world.close()
  }
}

async function send(world: World, sampleGame: SampleGame, operator: string, one: Spoilt): Promise<Answered> {
  const { route, sample } = sampleOf(one.route)
  // A restorable build of the views takes seconds to create, operator keys are few, and malformed calls are answered
  // alike without them.
  const params = route.path.startsWith('/api/sys/')
    ? { prefix: 'sk_unknown' }
    : ((await sample.params?.(sampleGame)) ?? {})
  const spoiltParams = Object.fromEntries(Object.entries(params).map(([name, id], i) => [name, one.ids[i] ?? id]))
  const good: Sent = await goodCall(sample, sampleGame)
  const path = pathOf(route, spoiltParams)
  const token = tokenFor(one.caller, route, { sampleGame, operator, asPlayer: sample.asPlayer === true })
  const sent: Sent = { headers: { ...good.headers, ...one.headers }, ...bodyOf(one.body, good.body) }
  const at = one.slash ? path : path.replace(/\/$/, '')
  return world.call(
    route.method,
    at + (at.includes('?') ? one.query.replace('?', '&') : one.query),
    token === undefined ? sent : { ...sent, token },
  )
}

interface Tokens {
  readonly sampleGame: SampleGame
  readonly operator: string
  readonly asPlayer: boolean
}

function tokenFor(caller: Caller, { needs }: Route, { sampleGame, operator, asPlayer }: Tokens): string | undefined {
  switch (caller) {
    case 'none':
      return undefined
    case 'garbage':
      return 'garbage'
    case 'client':
      return sampleGame.client
    case 'player':
      return sampleGame.guest.token
    case 'right':
      if (needs === 'nothing') return undefined
      if (needs !== 'token' && needs.permission === 'sys:games') return operator
      return asPlayer ? sampleGame.guest.token : sampleGame.game.token
  }
}

/** The fault of an answer, or null. */
function faultOf(route: Route, { status, body, headers, text }: Answered): string | null {
  if (status >= 500) return 'a server error'
  if (status < 400) {
    const shape = route.answers[status]
    if (shape === undefined) return 'an undeclared status'
    const bodies =
      route.lines === true
        ? text
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line))
        : [body]
    const results = bodies.map((one) => shape.safeParse(one))
    const wrong = results.find(({ success }) => !success)
    return wrong === undefined ? null : `not of the declared shape: ${wrong.error?.message}`
  }
  if (headers['content-type'] !== 'application/problem+json') return 'not a problem document'
  if (PROBLEM_FIELDS.some((field) => body?.[field] === undefined || body[field] === '')) return 'a field is missing'
  if (body.status !== status || headers['x-request-id'] !== body.request_id) return 'status or request id differ'
  if (!declared(route).includes(body.code)) return 'an undeclared code'
  if (PROBLEMS[body.code]?.status !== status || PROBLEMS[body.code]?.title !== body.title)
    return 'a code of another status or title'
  if (status !== 400 || body.code === 'consistency_token_unknown') return null
  return hasPointers(body.errors) ? null : 'no pointer is given'
}

function declared({ path, needs, records, refusals = [] }: Route): string[] {
  const ofIds = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => OF_IDS[name] ?? '')
  const ofTokens = needs === 'nothing' ? ['consistency_token_unknown'] : OF_TOKENS
  const ofHandshake = path.startsWith('/api/auth/') ? ['api_key_required'] : []
  return [...OF_EVERY_CALL, ...ofTokens, ...(records ? OF_KEYS : []), ...ofIds, ...ofHandshake, ...refusals]
}

function hasPointers(errors: unknown): boolean {
  if (!Array.isArray(errors) || errors.length === 0) return false
  return errors.every(({ pointer, detail }) => /^(\/|$)/.test(pointer) && typeof detail === 'string' && detail !== '')
}
