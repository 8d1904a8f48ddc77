// Parameters of an operation in the OpenAPI document: of its path, its query and its headers.

import type { Documented } from '../route.ts'
import { idNamesIn } from '../route-codes.ts'
import type { Example } from './examples.ts'
import type { Json, NamedSchemas } from './schemas.ts'
import { PREFIX } from './security.ts'

/** By the name in the path. A name that is not listed throws: describe it here. */
const IN_PATHS: Readonly<Record<string, string>> = {
  bucket: 'The id of a bucket of the caller’s game.',
  event: 'A type of event, such as `ScoreSubmitted`.',
  game: 'The id of the game. Except for the operator it is the game of the token.',
  leaderboard: 'The id of a leaderboard of the caller’s game.',
  player: 'The id of a player of the game.',
  prefix: 'The prefix of an API key, such as `sk_…` or `ck_…`.',
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
  since: '2026-11-21',
  type: 'ScoreSubmitted',
  until: '2026-11-22',
  window: 'best',
  follow: '1',
}

export function parametersOf(route: Documented, named: NamedSchemas, { parameters = {} }: Example): Json[] {
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
    if (description === undefined) throw new Error(`describe :${name} of ${path} in http/openapi/parameters.ts`)
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

function headerParameters({ needs, records, byPrefix, revalidates, refusals = [] }: Documented): Json[] {
  return [
    ...(byPrefix === true ? [{ ...header('X-API-Key', PREFIX, 'ck_k4x2m7zq5tw3nb6v7yjh2dfr'), required: true }] : []),
    ...(records ? [header('Idempotency-Key', REPEATING, '0b6f9a52-6f0e-4c55-9d38-2f1f6c1a7e11')] : []),
    ...(needs === 'nothing'
      ? []
      : [header('X-Consistency-Token', CONSISTENT, 'jtPC8bi6RslT8eVC_gz4GeLs1CIoPKse98LYrZCwqZ4D')]),
    ...(refusals.includes('precondition_failed') ? [header('If-Match', MATCHING, ETAG)] : []),
    ...(revalidates === true ? [header('If-None-Match', CHANGED, ETAG)] : []),
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
const ETAG = '"mDqAE8uLBvDDwD6JyX0dPyGTdoE"'
