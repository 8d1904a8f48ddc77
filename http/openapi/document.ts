// Generates the OpenAPI 3.1 document from the route table and its validation schemas, so it always matches what is
// served. Its order does not depend on the order of the table.

import { PROBLEMS } from '../problem-codes.ts'
import type { Documented, Needs } from '../route.ts'
import { answersOf, bytesOf } from './answers.ts'
import { type Example, type Examples, NO_EXAMPLES } from './examples.ts'
import { operationOf, TAGS } from './operations/all.ts'
import { INPUT_FAULT_SCHEMA, idNamesIn, PROBLEM_SCHEMA, problemExamples, refusals } from './problems.ts'
import { type Json, NamedSchemas } from './schemas.ts'

interface DocumentInfo {
  readonly version: string
  readonly url: string
}

const ABOUT = `Leaderboards with exact decimal scores, players, files and realtime rooms, on one event log.

**Authentication.** Sign a challenge with an API key (\`requestChallenge\`, \`redeemChallenge\`) and send the token as
\`Authorization: Bearer …\`. Players sign in with a token of their game and get tokens of their own.

**Repeating a call.** Send an \`Idempotency-Key\` with every call that records something. A repeated call with the same key has
one effect.

**Reading your own writes.** Send the \`X-Consistency-Token\` of the answer to a write with a read that must include it.

**Refusals** are problem documents (RFC 9457). Decide by \`code\`, which never changes its meaning.`

/** The whole document. Throws if two schemas share a name, or a route lists an unknown problem code. */
export function openApiDocument(routes: readonly Documented[], info: DocumentInfo, examples = NO_EXAMPLES): Json {
  const named = new NamedSchemas()
  named.add('Problem', PROBLEM_SCHEMA)
  named.add('InputFault', INPUT_FAULT_SCHEMA)
  const paths: Record<string, Json> = {}
  for (const route of [...routes].sort(byPathAndMethod)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, named, examples) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Scorebook',
      version: info.version,
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: info.url, description: 'This server.' }],
    tags: TAGS,
    paths,
    components: {
      schemas: named.all(),
      examples: problemExamples(routes, examples),
      securitySchemes: SECURITY_SCHEMES,
    },
    'x-problem-codes': PROBLEMS,
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE']

function byPathAndMethod(a: Documented, b: Documented): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return METHODS.indexOf(a.method) - METHODS.indexOf(b.method)
}

function operation(route: Documented, named: NamedSchemas, { operations }: Examples): Json {
  const { id, tag, description } = operationOf(route.method, route.path)
  const example = route.example ?? operations[id] ?? { answers: {} }
  const name = `${id[0]?.toUpperCase()}${id.slice(1)}`
  const body = route.list?.documented ?? route.body
  const requestBody =
    route.bytes === 'body'
      ? { required: true, content: bytesOf(named, example.body) }
      : body && {
          required: !body.safeParse({}).success,
          content: {
            'application/json': {
              schema: named.reference(body, 'input', `${name}Request`),
              ...(example.body !== undefined && { example: example.body }),
            },
          },
        }
  return {
    operationId: id,
    summary: route.summary,
    ...(description !== undefined && { description }),
    ...(tag !== null && { tags: [tag] }),
    parameters: parametersOf(route, named, example),
    ...(requestBody && { requestBody }),
    responses: { ...answersOf(route, named, `${name}Response`, example), ...refusals(route) },
    security: securityOf(route),
    ...permissionOf(route.needs),
    'x-tenant-only': route.tenantOnly,
  }
}

/** By the name in the path. A name that is not listed throws: describe it here. */
const IN_PATHS: Readonly<Record<string, string>> = {
  bucket: 'The id of a bucket of the caller’s game.',
  event: 'A type of event, such as `ScoreSubmitted`.',
  game: 'The id of the game. Except for the operator it is the game of the token.',
  leaderboard: 'The id of a leaderboard of the caller’s game, or its key.',
  player: 'The id of a player of the game.',
  prefix: 'The prefix of an API key, such as `sk_…` or `ck_…`.',
  token:
    'A signed token: the last part of the path of the link that the service answered. The link expires; its authorization is the signature.',
  score: 'The id of an entry of a leaderboard, from a list of scores or from the answer to a submission.',
  upload: 'The `upload_id` from the answer that started the upload.',
}

/** Examples of query parameters that no recorded call has. */
const IN_QUERIES: Readonly<Record<string, string | number>> = {
  after: 'beginning',
  around: 'k3vq2mzt5wx4bn6r7yjhdfga',
  as_of: '2026-11-21T07:05:01.123Z',
  board: 'b5n2k7xw3qzt6vm4rjyhdgfa',
  from: '0000000000000016',
  limit: 20,
  max_score: '2000',
  min_score: '1000.5',
  name: 'ada',
  offset: 0,
  order: 'newest',
  page: 2,
  path: '/saves/',
  player: 'k3vq2mzt5wx4bn6r7yjhdfga',
  player_name: 'ada',
  points: 50,
  recursive: '1',
  request: '0b6f9a52-6f0e-4c55-9d38-2f1f6c1a7e11',
  season: 'last',
  since: '2026-11-21',
  summary: '1',
  type: 'ScoreSubmitted',
  until: '2026-11-22',
  window: 'best',
  follow: '1',
}

function parametersOf(route: Documented, named: NamedSchemas, { parameters = {} }: Example): Json[] {
  const all = [...pathParameters(route), ...queryParameters(route, named), ...headerParameters(route)]
  return all.map((one) => {
    const name = String(one.name)
    const example = parameters[name] ?? (one.in === 'query' ? IN_QUERIES[name] : undefined)
    return example === undefined ? one : { ...one, example }
  })
}

function pathParameters({ path }: Documented): Json[] {
  return idNamesIn(path).map((name) => {
    const description = IN_PATHS[name]
    if (description === undefined) throw new Error(`describe :${name} of ${path} in http/openapi/document.ts`)
    return { name, in: 'path', required: true, description, schema: { type: 'string', minLength: 1 } }
  })
}

function queryParameters({ query }: Documented, named: NamedSchemas): Json[] {
  if (query === undefined) return []
  const { properties = {}, required = [] } = named.inline(query, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }))
}

/** Headers that prove who calls are security schemes: as parameters, generated functions would ask for them twice. */
function headerParameters({ needs, records, revalidates, bytes, refusals = [] }: Documented): Json[] {
  return [
    ...(records ? [header('Idempotency-Key', REPEATING, '0b6f9a52-6f0e-4c55-9d38-2f1f6c1a7e11')] : []),
    ...(needs === 'nothing'
      ? []
      : [header('X-Consistency-Token', CONSISTENT, 'jtPC8bi6RslT8eVC_gz4GeLs1CIoPKse98LYrZCwqZ4D')]),
    ...(refusals.includes('precondition_failed') ? [header('If-Match', MATCHING, ETAG)] : []),
    ...(revalidates === true ? [header('If-None-Match', CHANGED, ETAG)] : []),
    ...(bytes === 'answer' ? [header('Range', RANGE, 'bytes=0-1023'), header('If-Range', UNCHANGED, ETAG)] : []),
  ]
}

function header(name: string, description: string, example: string): Json {
  return { name, in: 'header', required: false, description, schema: { type: 'string' }, example }
}

const REPEATING =
  'Any text of yours, new for each call: repeating the call with the same key has one effect, for 48 hours.'
const CONSISTENT = 'From the answer to a write. The read includes at least that write.'
const MATCHING = 'The ETag of the version that was read; 412 if it has changed since.'
const CHANGED = 'An ETag that was read; 304 if it is still current.'
const RANGE = 'One range of bytes. Several ranges are answered with the whole file.'
const UNCHANGED = 'An ETag that was read: `Range` counts only if it is still current.'
const ETAG = '"mDqAE8uLBvDDwD6JyX0dPyGTdoE"'

const PREFIX = 'The prefix of an API key. It is public: the secret signs the challenge and is never sent.'

const SECURITY_SCHEMES: Json = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token that `redeemChallenge` or a player sign-in returns.',
  },
  keyPrefix: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: PREFIX },
  realtimeSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Realtime-Secret',
    description: 'The secret that this service shares with rooms in other processes: REALTIME_SECRET.',
  },
}

function securityOf({ needs, byPrefix, admits }: Documented): Json[] {
  if (byPrefix === true) return [{ keyPrefix: [] }]
  if (admits !== undefined) return [{ realtimeSecret: [] }]
  return needs === 'nothing' ? [] : [{ bearer: [] }]
}

function permissionOf(needs: Needs): Json {
  if (typeof needs === 'string') return {}
  return { 'x-permission': needs.permission, ...(needs.or !== undefined && { 'x-permission-or': needs.or }) }
}
