// Generates the OpenAPI 3.1 document from the route table and its validation schemas, so it always matches what is
// served. Its order does not depend on the order of the table.

import { PROBLEMS } from '../pipeline/codes.ts'
import type { Documented } from '../route.ts'
import { answersOf, notModified } from './answers.ts'
import { type Examples, NO_EXAMPLES } from './examples.ts'
import { operationOf, TAGS } from './operations/all.ts'
import { parametersOf } from './parameters.ts'
import { PROBLEM_SCHEMA, problemExamples, refusals } from './problems.ts'
import { type Json, NamedSchemas } from './schemas.ts'
import { permissionOf, SECURITY_SCHEMES, securityOf } from './security.ts'

interface DocumentInfo {
  readonly version: string
  /** Where the API is served, from configuration. */
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
  const example = operations[id] ?? { answers: {} }
  const name = `${id[0]?.toUpperCase()}${id.slice(1)}`
  const { body } = route
  const requestBody = body && {
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
    responses: { ...answersOf(route, named, `${name}Response`, example), ...notModified(route), ...refusals(route) },
    security: securityOf(route),
    ...permissionOf(route.needs),
    'x-tenant-only': route.tenantOnly,
  }
}
