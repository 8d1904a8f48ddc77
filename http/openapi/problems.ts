// How the OpenAPI document shows refusals: which problem codes a route can return, one answer per status with all of
// them, and an example of each code.

import { PROBLEM_TYPE, TYPE_PREFIX } from '../problem.ts'
import { PROBLEMS } from '../problem-codes.ts'
import type { Documented } from '../route.ts'
import type { Examples } from './examples.ts'
import { type Json, SCHEMA_PATH } from './schemas.ts'

const EXAMPLE_PATH = '#/components/examples/'

export const PROBLEM_SCHEMA: Json = {
  type: 'object',
  description: 'A refusal as a problem document (RFC 9457). `code` never changes its meaning; texts may change.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: '`urn:scorebook:problem:` and the code.' },
    title: { type: 'string', description: 'What went wrong, in a few words.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What went wrong in this call, and what to do.' },
    code: {
      type: 'string',
      description: 'The problem code. Later versions may answer codes that `x-problem-codes` does not list.',
    },
    request_id: { type: 'string', description: 'Identifies the call in the logs of the service.' },
    needed: { type: 'string', description: 'The permission that is missing.' },
    retry_after: { type: 'integer', description: 'Seconds to wait.' },
    policy: { type: 'string', description: 'The rate limit that was exceeded.' },
    server_time: {
      type: 'integer',
      description: 'The time of the server in Unix seconds, if the clock of the caller is wrong.',
    },
    etag: { type: 'string', description: 'The current ETag.' },
    leaderboard: { type: 'string', description: 'The id of the leaderboard that has the key.' },
    errors: {
      type: 'array',
      description: 'Each fault of the input, at most 20.',
      items: { $ref: `${SCHEMA_PATH}InputFault` },
    },
  },
}

export const INPUT_FAULT_SCHEMA: Json = {
  type: 'object',
  description: 'What is wrong with one part of the input.',
  required: ['pointer', 'detail'],
  properties: {
    pointer: {
      type: 'string',
      format: 'json-pointer',
      description: 'Where: a JSON pointer; `/limit` is also the query parameter `limit`.',
    },
    detail: { type: 'string', description: 'What is wrong there.' },
  },
}

const RETRY_AFTER: Json = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } }

/** Headers that every refusal of a status has. */
const HEADERS: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': { description: 'The authentication scheme.', schema: { type: 'string' } } },
  405: { Allow: { description: 'The methods of the path.', schema: { type: 'string' } } },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
}

/** Of refusals by 409, only `upload_running` has a header. */
const headersOf = (status: number, codes: readonly string[]): Json | undefined =>
  codes.includes('upload_running') ? RETRY_AFTER : HEADERS[status]

/** Answers by status. Throws if the route lists an unknown code. */
export function refusals(route: Documented): Json {
  const byStatus = new Map<number, string[]>()
  for (const code of [...new Set(codesOf(route))].sort()) {
    const status = PROBLEMS[code]?.status
    if (status === undefined) throw new Error(`${route.method} ${route.path} refuses with ${code}, which is not listed`)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, refusal(status, codes)]))
}

function refusal(status: number, codes: readonly string[]): Json {
  const description = codes.map((code) => `\`${code}\`: ${PROBLEMS[code]?.title}. ${PROBLEMS[code]?.todo}`).join('\n\n')
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: EXAMPLE_PATH + code }]))
  return {
    description,
    ...(headersOf(status, codes) !== undefined && { headers: headersOf(status, codes) }),
    content: { [PROBLEM_TYPE]: { schema: { $ref: `${SCHEMA_PATH}Problem` }, examples } },
    'x-problem-codes': codes,
  }
}

/** An example of each code that one of the routes refuses with, for the components. */
export function problemExamples(routes: readonly Documented[], { problems }: Examples): Json {
  const codes = [...new Set(routes.flatMap(codesOf))].sort()
  return Object.fromEntries(codes.map((code) => [code, problemExample(code, problems[code])]))
}

function problemExample(code: string, recorded: Json | undefined): Json {
  const { status, title, todo } = PROBLEMS[code] ?? { status: 500, title: '', todo: '' }
  const general = { type: TYPE_PREFIX + code, title, status, detail: `${title}. ${todo}`, code, request_id: REQUEST_ID }
  return { summary: title, value: recorded ?? general }
}

const REQUEST_ID = 'd9165a53-fcf8-4aa6-a53b-10db4c8c1095'

/** Problem codes that any route can return, beyond its own. */
const OF_EVERY_CALL = [
  ...['malformed', 'not_found', 'method_not_allowed', 'rate_limited', 'internal', 'store_away', 'server_full'],
  ...['request_timeout', 'headers_too_large'],
]
/** The same of those whose bodies and answers are JSON. */
const OF_JSON = [
  // Any call may send X-Consistency-Token, also one that needs no authentication.
  ...['consistency_token_unknown', 'behind'],
  // Any call may send a body, also one that needs none.
  ...['body_too_large', 'unsupported_media_type'],
]
/** By a name in the path: nothing of the caller's game has that id. */
const OF_IDS: Readonly<Record<string, string>> = {
  game: 'game_not_found',
  leaderboard: 'leaderboard_not_found',
  score: 'score_not_found',
  player: 'player_not_found',
  prefix: 'key_not_found',
  bucket: 'bucket_not_found',
}
const OF_PREFIXES = ['api_key_required']
const OF_SECRETS = ['unauthenticated']
const OF_TOKENS = ['unauthenticated', 'token_rejected', 'player_banned']
const OF_RECORDS = [
  ...['idempotency_in_progress', 'idempotency_key_reused', 'recording_limit'],
  ...['busy', 'log_unavailable', 'clock_behind'],
]
/** Another caller may delete the game after this call was admitted and before it is recorded. */
const OF_RECORDS_OF_A_GAME = ['game_not_found']

/** The names of the ids in a path: `/api/gm/:game/` has `game`. */
export const idNamesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** The problem codes that a route can return; some may be listed twice. */
function codesOf(route: Documented): string[] {
  const { path, needs, tenantOnly, refusesOperatorTokens, records, byPrefix, admits, bytes, refusals = [] } = route
  return [
    ...OF_EVERY_CALL,
    ...(bytes === undefined ? OF_JSON : []),
    ...idNamesIn(path).flatMap((name) => OF_IDS[name] ?? []),
    ...(byPrefix === true ? OF_PREFIXES : []),
    ...(admits === undefined ? [] : OF_SECRETS),
    ...(needs === 'nothing' ? [] : OF_TOKENS),
    ...(tenantOnly ? ['tenant_only'] : []),
    ...(refusesOperatorTokens === true ? ['operator_token'] : []),
    ...(typeof needs === 'string' ? [] : ['permission_needed']),
    ...(records ? OF_RECORDS : []),
    ...(records && idNamesIn(path).length > 0 ? OF_RECORDS_OF_A_GAME : []),
    ...refusals,
  ]
}
