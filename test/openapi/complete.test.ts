// The OpenAPI document is a product: it has every operation with its description, and valid examples. A new
// route fails here until it has an entry in http/openapi/operations/ and an example (`npm run record:examples`).

import { expect } from 'chai'
import { openApiDocument } from '../../http/openapi/document.ts'
import { LISTED_ROUTES } from '../../http/openapi/operations/all.ts'
import { PROBLEMS } from '../../http/problem-codes.ts'
import { TABLE } from '../security/samples.ts'
import type { Schema } from './document.ts'
import {
  type NamedOperation,
  operationsOf,
  type ServedContent,
  type ServedDocument,
  servedDocument,
} from './served-document.ts'
import { createValidate, type Validate } from './validators.ts'

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '' && value.trim() === value

describe('the served OpenAPI document', () => {
  let document: ServedDocument
  let operations: NamedOperation[]
  let validate: Validate
  before(async () => {
    document = await servedDocument()
    operations = operationsOf(document)
    validate = createValidate(document.components.schemas)
  })

  /** The operations of which `isWrong` is true. */
  const those = (isWrong: (operation: NamedOperation) => boolean) =>
    operations.filter(isWrong).map(({ route }) => route)

  it('describes every route of the table, and the routes that a setting switches off', () => {
    const served = TABLE.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    const described = operations.map(({ route }) => route)
    expect(described).to.include.members(served)
    expect(described.filter((route) => !served.includes(route))).to.deep.equal([
      'GET /api/files/local/{token}/',
      'PUT /api/files/local/{token}/',
      'POST /api/rt/redeem/',
    ])
    const listed = LISTED_ROUTES.map((route) => route.replace(/:(\w+)/g, '{$1}'))
    expect(listed.toSorted(), 'http/openapi/operations/ describes no other route').to.deep.equal(described.toSorted())
  })

  it('has a summary, a description and one described tag for every operation', () => {
    const tags = new Set(document.tags.map(({ name }) => name))
    expect(
      those(({ summary }) => !isText(summary)),
      'no summary: state it in the route',
    ).to.deep.equal([])
    const undescribed = those(({ description }) => !isText(description))
    expect(undescribed, 'no description: state it in http/openapi/operations/').to.deep.equal([])
    expect(those(({ tags: [tag = '', ...more] = [] }) => !tags.has(tag) || more.length > 0)).to.deep.equal([])
    expect(document.tags.filter(({ description }) => !isText(description))).to.deep.equal([])
  })

  it('has a description and an example of every parameter', () => {
    const bare = operations.flatMap(({ route, parameters }) =>
      parameters
        .filter(({ description, example }) => !isText(description) || example === undefined)
        .map(({ name }) => `${route}: ${name}`),
    )
    expect(
      bare,
      'describe it by .meta({ description }), and give an example in http/openapi/document.ts',
    ).to.deep.equal([])
  })

  it('has an example of every body and of every successful answer', () => {
    const bare = operations.flatMap((operation) =>
      contentsOf(operation)
        .filter(({ what, content }) => !what.startsWith('refusal') && content.example === undefined)
        .map(({ what }) => `${operation.route}: ${what}`),
    )
    expect(bare, 'run `npm run record:examples`').to.deep.equal([])
  })

  it('has examples that are valid by their schemas', () => {
    const examples = operations.flatMap((operation) => [
      ...operation.parameters.map(({ name, ...content }) => ({ what: name, content })),
      ...contentsOf(operation),
    ])
    const wrong = examples.flatMap(({ what, content: { schema, example } }) => {
      const fault = example === undefined ? null : validate(schema, example)
      return fault === null ? [] : [`${what}: ${fault}`]
    })
    expect(wrong).to.deep.equal([])
    const problems = Object.entries(document.components.examples).map(([code, { value }]) => {
      return [code, validate({ $ref: '#/components/schemas/Problem' }, value)]
    })
    expect(problems.filter(([, fault]) => fault !== null)).to.deep.equal([])
  })

  it('has examples and defaults inside of schemas that are valid', () => {
    const wrong: string[] = []
    visitSchemas(document, (schema) => {
      const { examples = [], default: byDefault, ...own } = schema as { examples?: unknown[]; default?: unknown }
      for (const value of byDefault === undefined ? examples : [...examples, byDefault]) {
        const fault = validate(own, value)
        if (fault !== null) wrong.push(`${JSON.stringify(own)}: ${fault}`)
      }
    })
    expect(wrong).to.deep.equal([])
  })

  it('names every schema of a body and of an answer in PascalCase', () => {
    const unnamed = operations.flatMap((operation) =>
      contentsOf(operation)
        .filter(({ content }) => !/^#\/components\/schemas\/[A-Z][A-Za-z0-9]*$/.test(String(content.schema.$ref)))
        .map(({ what }) => `${operation.route}: ${what}`),
    )
    expect(unnamed).to.deep.equal([])
  })

  it('has summaries that fit into a list: at most 60 characters', () => {
    expect(those(({ summary = '' }) => summary.length > 60)).to.deep.equal([])
  })

  it('sends no header both by a security scheme and by a parameter', () => {
    const schemes = Object.values(document.components.securitySchemes) as { readonly name?: string }[]
    const proofs = ['Authorization', ...schemes.flatMap(({ name = [] }) => name)].map((name) => name.toLowerCase())
    expect(proofs).to.include('x-api-key')
    expect(those(({ parameters }) => parameters.some(({ name }) => proofs.includes(name.toLowerCase())))).to.deep.equal(
      [],
    )
  })

  it('answers each media type that generators do not know as text too', () => {
    const known = /^(?:application\/(?:[a-z.-]+\+)?json|application\/octet-stream|text\/plain)$/
    const unknown = operations.flatMap(({ route, responses }) =>
      Object.entries(responses)
        .map(([status, { content = {} }]) => ({ what: `${route}: ${status}`, types: Object.keys(content) }))
        .filter(({ types }) => types.length > 0 && !types.some((type) => known.test(type)))
        .map(({ what }) => what),
    )
    expect(unknown).to.deep.equal([])
  })

  it('names every object and every enumeration in a list or a choice, and every enumeration that occurs twice', () => {
    const unnamed: string[] = []
    const enumerations = new Map<string, string[]>()
    const visit = (schema: Schema, at: string, isPart: boolean): void => {
      const { properties = {}, items, anyOf = [], enum: values } = schema as Visited
      if (values !== undefined) enumerations.set(values.join(), [...(enumerations.get(values.join()) ?? []), at])
      if (isPart && (values !== undefined || Object.keys(properties).length > 0)) unnamed.push(at)
      for (const [name, field] of Object.entries(properties)) visit(field, `${at}.${name}`, false)
      for (const choice of anyOf) visit(choice, at, true)
      if (items !== undefined) visit(items, `${at}[]`, true)
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name, false)
    const named = 'generated clients name it by its place: give it a name by .meta({ id })'
    expect(unnamed, named).to.deep.equal([])
    expect(
      [...enumerations.values()].filter((places) => places.length > 1),
      named,
    ).to.deep.equal([])
  })

  it('has the format int64 for every integer that may exceed 32 bits', () => {
    const narrow: string[] = []
    visitSchemas(document, (schema) => {
      const {
        type,
        maximum = Number.POSITIVE_INFINITY,
        format,
      } = schema as { type: string; maximum?: number; format?: string }
      if (type === 'integer' && maximum !== Number.POSITIVE_INFINITY && maximum > 2 ** 31 - 1 !== (format === 'int64'))
        narrow.push(JSON.stringify(schema))
    })
    expect(narrow).to.deep.equal([])
  })

  it('uses every named schema, and every example of a problem', () => {
    const text = JSON.stringify({ paths: document.paths, components: document.components })
    const unused = (kind: string, names: string[]) =>
      names.filter((name) => !text.includes(`"$ref":"#/components/${kind}/${name}"`))
    expect(unused('schemas', Object.keys(document.components.schemas))).to.deep.equal([])
    expect(unused('examples', Object.keys(document.components.examples))).to.deep.equal([])
  })

  it('lists the problem codes of every refusal, each with its status and an example', () => {
    const wrong = operations.flatMap(({ route, responses }) =>
      Object.entries(responses)
        .filter(([status]) => Number(status) >= 400)
        .filter(([status, answer]) => {
          const codes = answer['x-problem-codes'] ?? []
          const examples = Object.values(answer.content?.['application/problem+json']?.examples ?? {})
          const isRight = codes.length > 0 && codes.every((code) => PROBLEMS[code]?.status === Number(status))
          const isShown = codes.every((code) => answer.description?.includes(`\`${code}\``))
          return !isRight || !isShown || !isReferredTo(codes, examples)
        })
        .map(([status]) => `${route}: ${status}`),
    )
    expect(wrong).to.deep.equal([])
  })

  it('describes the links to the local file store as bytes, and Retry-After of an upload that is running', () => {
    const { get, put } = document.paths['/api/files/local/{token}/'] ?? {}
    const types = (content: object | undefined) => Object.keys(content ?? {})
    expect([types(get?.responses['200']?.content), types(get?.responses['206']?.content)]).to.deep.equal([
      ['application/octet-stream'],
      ['application/octet-stream'],
    ])
    expect(types(put?.requestBody?.content)).to.deep.equal(['application/octet-stream'])
    expect(put?.responses['409']?.['x-problem-codes']).to.deep.equal(['already_stored', 'upload_running'])
    const withRetryAfter = operations.filter(({ responses }) => 'Retry-After' in (responses['409']?.headers ?? {}))
    expect(withRetryAfter.map(({ route }) => route)).to.deep.equal(['PUT /api/files/local/{token}/'])
    expect([get?.parameters.map(({ name }) => name), put?.parameters.map(({ name }) => name)]).to.deep.equal([
      ['token', 'If-None-Match', 'Range', 'If-Range'],
      ['token'],
    ])
  })

  it('is the same for every order of the routes', () => {
    const info = { version: '1', url: 'http://localhost' }
    const text = (routes: typeof TABLE) => JSON.stringify(openApiDocument(routes, info))
    expect(text(TABLE.toReversed())).to.equal(text(TABLE))
    expect(Object.keys(document.paths)).to.deep.equal(Object.keys(document.paths).toSorted())
    expect(Object.keys(document.components.schemas)).to.deep.equal(Object.keys(document.components.schemas).toSorted())
  })
})

interface Visited {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
}

interface Described {
  readonly what: string
  readonly content: ServedContent
}

function contentsOf({ requestBody, responses }: NamedOperation): Described[] {
  const bodies = Object.values(requestBody?.content ?? {}).map((content) => ({ what: 'body', content }))
  const answers = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.values(content).map((one) => ({
      what: `${Number(status) < 400 ? 'answer' : 'refusal'} ${status}`,
      content: one,
    })),
  )
  return [...bodies, ...answers]
}

const isReferredTo = (codes: readonly string[], examples: readonly { readonly $ref: string }[]): boolean =>
  examples.map(({ $ref }) => $ref.replace('#/components/examples/', '')).join() === codes.join()

function visitSchemas(value: unknown, onSchema: (schema: Schema) => void): void {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && typeof value.type === 'string' && !('in' in value)) onSchema(value as Schema)
  for (const [name, member] of Object.entries(value))
    if (name !== 'example' && name !== 'value') visitSchemas(member, onSchema)
}
