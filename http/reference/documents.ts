// The parts of the OpenAPI and AsyncAPI documents that the reference shows.

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: Schema
  /** Of a text: what it is made of. */
  readonly contentSchema?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
}

export interface Content {
  readonly schema: Schema
  readonly example?: unknown
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
}

export interface Response {
  readonly description: string
  readonly content?: Readonly<Record<string, Content>>
  readonly 'x-problem-codes'?: readonly string[]
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, Response>>
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly 'x-permission'?: string
  readonly 'x-permission-or'?: string
  readonly 'x-tenant-only': boolean
}

interface Problem {
  readonly status: number
  readonly title: string
  readonly todo: string
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>
  }
  readonly 'x-problem-codes': Readonly<Record<string, Problem>>
}

export interface Message {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly payload: Schema
  readonly examples?: readonly { readonly payload: unknown }[]
}

export interface AsyncApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly operations: Readonly<
    Record<string, { readonly reply?: { readonly messages: readonly { readonly $ref: string }[] } }>
  >
  readonly components: { readonly messages: Readonly<Record<string, Message>> }
}

export interface EventType extends Schema {
  readonly title: string
  readonly description: string
}

export interface Documents {
  readonly openApi: OpenApi
  readonly asyncApi: AsyncApi
  readonly events: readonly EventType[]
}
