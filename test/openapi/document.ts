// Reads an OpenAPI document into a list of operations: what each takes, and what each may answer.

export type Schema = { readonly [keyword: string]: unknown }

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
}

export interface DeclaredAnswer {
  /** Media type; null if no content is declared. */
  readonly type: string | null
  /** Of an answer in lines: of each line. */
  readonly schema: Schema
  /** Names of response headers. */
  readonly headers: readonly string[]
  /** Problem codes that the description lists; empty for a success. */
  readonly codes: readonly string[]
}

const PROOFS = ['bearer', 'keyPrefix', 'realtimeSecret'] as const

/** Names of security schemes. */
export type Proof = (typeof PROOFS)[number]

export interface Operation {
  readonly id: string
  readonly method: string
  /** With `{name}` parts. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: { readonly required: boolean; readonly schema: Schema } | null
  readonly answers: ReadonlyMap<number, DeclaredAnswer>
  readonly proof: Proof | null
  readonly permission: string | null
  readonly isTenantOnly: boolean
  /** Every problem code of the operation. */
  readonly codes: readonly string[]
}

export interface Document {
  readonly operations: readonly Operation[]
  readonly schemas: Readonly<Record<string, Schema>>
  /** Methods that each path declares, in capitals. */
  readonly methods: ReadonlyMap<string, readonly string[]>
}

interface RawAnswer {
  readonly description: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

interface RawOperation {
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: { readonly 'application/json': { readonly schema: Schema } }
  }
  readonly responses: Readonly<Record<string, RawAnswer>>
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly 'x-permission'?: string
  readonly 'x-tenant-only': boolean
}

type Schemas = Readonly<Record<string, Schema>>

export interface RawDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export function readDocument({ paths, components }: RawDocument): Document {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, raw]) => !hasBytes(raw))
      .map(([method, raw]) => operationOf({ method: method.toUpperCase(), path, raw }, components.schemas)),
  )
  const methods = new Map(
    Object.entries(paths).map(([path, all]) => [path, Object.keys(all).map((method) => method.toUpperCase())]),
  )
  return { operations, schemas: components.schemas, methods }
}

/** The bytes of files are no calls that are drawn: test/files/ has them. */
const hasBytes = ({ requestBody, responses }: RawOperation): boolean =>
  [requestBody?.content, responses['200']?.content].some((content) => 'application/octet-stream' in (content ?? {}))

interface RawCall {
  readonly method: string
  readonly path: string
  readonly raw: RawOperation
}

function operationOf({ method, path, raw }: RawCall, schemas: Schemas): Operation {
  const answers = new Map(
    Object.entries(raw.responses).map(([status, answer]) => [Number(status), declaredAnswer(answer, schemas)]),
  )
  const [scheme] = raw.security.flatMap(Object.keys)
  return {
    id: raw.operationId,
    method,
    path,
    parameters: raw.parameters,
    body: raw.requestBody === undefined ? null : bodyOf(raw.requestBody),
    answers,
    proof: PROOFS.find((proof) => proof === scheme) ?? null,
    permission: raw['x-permission'] ?? null,
    isTenantOnly: raw['x-tenant-only'],
    codes: [...answers.values()].flatMap(({ codes }) => codes),
  }
}

const bodyOf = ({ required, content }: NonNullable<RawOperation['requestBody']>) => ({
  required,
  schema: content['application/json'].schema,
})

function declaredAnswer({ description, headers = {}, content = {} }: RawAnswer, schemas: Schemas): DeclaredAnswer {
  const [type = null] = Object.keys(content)
  return {
    type,
    schema: type === null ? {} : eachOf(content[type]?.schema ?? {}, schemas),
    headers: Object.keys(headers),
    codes: [...description.matchAll(/^`([a-z0-9_]+)`: /gm)].map(([, code = '']) => code),
  }
}

interface Lines {
  readonly contentSchema?: { readonly items: Schema }
}

function eachOf(schema: Schema, schemas: Schemas): Schema {
  const name = String(schema.$ref).replace('#/components/schemas/', '')
  return (schemas[name] as Lines | undefined)?.contentSchema?.items ?? schema
}
