// Random invalid calls to every route, for fast-check: errors in the body, its fields and bytes, in the query, the
// headers and the ids of the path.

import fc from 'fast-check'
import { nameOf, SAMPLES, TABLE } from '../security/samples.ts'
import { BAD_JSON_BODIES } from './bad-json-bodies.ts'

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
