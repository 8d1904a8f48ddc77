// Generates the OpenAPI 3.1 document from the route table and its validation schemas, so it always matches what is served.
// Schemas with `.meta({ id })` become components of that name.

import { z } from 'zod'
import { operationOf, TAGS } from './operations.ts'
import { PROBLEMS } from './pipeline/codes.ts'
import { LINES_TYPE } from './pipeline/lines.ts'
import { PROBLEM_TYPE } from './problem.ts'
import type { Needs, Route } from './route.ts'
import { codesOf, idNamesIn } from './route-codes.ts'

type Json = Record<string, unknown>

/** The parts of a route that the document shows. */
export type Documented = Omit<Route, 'handle'>

interface DocumentInfo {
  readonly version: string
  /** Where the API is served, from configuration. */
  readonly url: string
}

const SCHEMAS = '#/components/schemas/'
const PREFIX = 'The prefix of an API key. It is public: the secret signs the challenge and is never sent.'
const SECURITY_SCHEMES = {
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
const PROBLEM_SCHEMA = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(PROBLEMS) },
    request_id: { type: 'string' },
    needed: { type: 'string', description: 'The permission that is missing.' },
    retry_after: { type: 'integer', description: 'Seconds to wait.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: { pointer: { type: 'string', format: 'json-pointer' }, detail: { type: 'string' } },
      },
    },
  },
}

/** The whole document. Throws if two schemas share a name, or a route lists an unknown problem code. */
export function openApiDocument(routes: readonly Documented[], info: DocumentInfo): Json {
  const components: Json = { Problem: PROBLEM_SCHEMA }
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Scorebook', version: info.version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: info.url }],
    tags: TAGS,
    paths,
    components: {
      schemas: components,
      securitySchemes: SECURITY_SCHEMES,
    },
    'x-problem-codes': PROBLEMS,
  }
}

function operation(route: Documented, components: Json): Json {
  const { needs, body } = route
  const sent = body && {
    required: !body.safeParse({}).success,
    content: content('application/json', body, 'input', components),
  }
  const { id, tag, description } = operationOf(route.method, route.path)
  return {
    operationId: id,
    summary: route.summary,
    ...(description !== undefined && { description }),
    ...(tag !== null && { tags: [tag] }),
    parameters: [...pathParameters(route), ...queryParameters(route, components), ...headerParameters(route)],
    ...(sent && { requestBody: sent }),
    responses: { ...answers(route, components), ...notModified(route), ...refusals(route) },
    security: securityOf(route),
    ...permissionOf(needs),
    'x-tenant-only': route.tenantOnly,
  }
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

function pathParameters({ path }: Documented): Json[] {
  return idNamesIn(path).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string', minLength: 1 } }))
}

function queryParameters({ query }: Documented, components: Json): Json[] {
  if (query === undefined) return []
  const { properties = {}, required = [] } = schemaOf(query, 'input', components) as {
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
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  })
  return [
    ...(byPrefix === true ? [{ ...header('X-API-Key', PREFIX), required: true }] : []),
    ...(records ? [header('Idempotency-Key', 'Repeating a call with the same key has one effect.')] : []),
    ...(needs === 'nothing'
      ? []
      : [header('X-Consistency-Token', 'From the answer to a write. The read includes at least that write.')]),
    ...(refusals.includes('precondition_failed')
      ? [header('If-Match', 'The ETag of the version that was read; 412 if it has changed since.')]
      : []),
    ...(revalidates === true ? [header('If-None-Match', 'An ETag that was read; 304 if it is still current.')] : []),
  ]
}

function answers({ answers, records, lines }: Documented, components: Json): Json {
  const shown: Json = {}
  const type = lines === true ? LINES_TYPE : 'application/json'
  for (const [status, schema] of Object.entries(answers)) {
    const headers = {
      'X-Request-Id': { schema: { type: 'string' } },
      ...(records && { 'X-Consistency-Token': { schema: { type: 'string' } } }),
    }
    const description =
      Number(status) === 201 ? 'Created.' : Number(status) === 202 ? 'Accepted; runs in the background.' : 'Success.'
    shown[status] = { description, headers, content: content(type, schema, 'output', components) }
  }
  return shown
}

const notModified = ({ revalidates }: Documented): Json =>
  revalidates === true ? { 304: { description: 'Not modified: If-None-Match names the current ETag. No body.' } } : {}

function refusals(route: Documented): Json {
  const byStatus = new Map<number, string[]>()
  for (const code of new Set(codesOf(route))) {
    const status = PROBLEMS[code]?.status
    if (status === undefined) throw new Error(`${route.method} ${route.path} refuses with ${code}, which is not listed`)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const shown: Json = {}
  for (const [status, codes] of byStatus) {
    const description = codes
      .map((code) => `\`${code}\`: ${PROBLEMS[code]?.title}. ${PROBLEMS[code]?.todo}`)
      .join('\n\n')
    shown[status] = { description, content: { [PROBLEM_TYPE]: { schema: { $ref: `${SCHEMAS}Problem` } } } }
  }
  return shown
}

function content(type: string, schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  return { [type]: { schema: schemaOf(schema, io, components) } }
}

/** A zod schema as JSON Schema; named schemas move to the components. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const { $schema: _dialect, $defs, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' })
  for (const [name, part] of Object.entries($defs ?? {})) keep(name, withReferences(part), components)
  const { id, ...moved } = withReferences(own) as Json
  if (typeof id !== 'string') return moved
  keep(id, moved, components)
  return { $ref: SCHEMAS + id }
}

function keep(name: string, part: unknown, components: Json): void {
  const { id: _name, ...schema } = part as Json
  const known = components[name]
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`two schemas are called ${name}`)
  }
  components[name] = schema
}

function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    name === '$ref' && typeof member === 'string' ? member.replace('#/$defs/', SCHEMAS) : withReferences(member),
  ])
  return Object.fromEntries(entries)
}
