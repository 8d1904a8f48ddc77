// The OpenAPI document that the route table serves, without a server.

import type { Call } from '../../http/route.ts'
import { TABLE } from '../security/samples.ts'
import type { Schema } from './document.ts'

export interface ServedExample {
  readonly value: unknown
}

export interface ServedContent {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>
}

export interface ServedOperation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly description?: string
    readonly example?: unknown
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, ServedContent>> }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description?: string
        readonly headers?: Readonly<Record<string, object>>
        readonly content?: Readonly<Record<string, ServedContent>>
        readonly 'x-problem-codes'?: readonly string[]
      }
    >
  >
}

export interface ServedDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, ServedOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly examples: Readonly<Record<string, ServedExample>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

export async function servedDocument(): Promise<ServedDocument> {
  const route = TABLE.find(({ path }) => path === '/api/openapi.json')
  if (route === undefined) throw new Error('the table has no OpenAPI document')
  const call: Pick<Call, 'header'> = { header: () => null }
  const { body } = await route.handle(call as Call<never, never, never>)
  return JSON.parse(String(body))
}

export interface NamedOperation extends ServedOperation {
  /** `METHOD path`, with `{name}` parts. */
  readonly route: string
}

export function operationsOf({ paths }: Pick<ServedDocument, 'paths'>): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, route: `${method.toUpperCase()} ${path}` })),
  )
}
