// The comparison of an answer with the document, which would otherwise only ever find nothing.

import { expect } from 'chai'
import { faultOf } from './check-reply.ts'
import { type Operation, type RawDocument, readDocument } from './document.ts'
import type { Call } from './draw-call.ts'
import { knownGame } from './pool.ts'
import type { Reply } from './send-call.ts'
import { createValidate } from './validators.ts'

const problem = { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } }
const RAW: RawDocument = {
  paths: {
    '/api/thing/': {
      post: {
        operationId: 'makeThing',
        parameters: [{ name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 9 } }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', required: ['name'] } } },
        },
        responses: {
          200: {
            description: 'Success.',
            headers: { 'X-Request-Id': {} },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          404: { description: '`thing_not_found`: No such thing.', ...problem },
          503: { description: '`behind`: Not visible yet.\n\n`store_away`: Unavailable.', ...problem },
        },
        security: [],
        'x-tenant-only': false,
      },
    },
  },
  components: {
    schemas: {
      Thing: { type: 'object', required: ['id'], properties: { id: { type: 'string' } }, additionalProperties: false },
      Problem: { type: 'object', required: ['code'] },
    },
  },
}

describe('an answer compared with the OpenAPI document', () => {
  const document = readDocument(RAW)
  const operation = document.operations[0] as Operation
  const validate = createValidate(document.schemas)
  const game = knownGame('g', 'Game', { prefix: 'sk_a', sign: () => '' })
  const call: Call = {
    ...{ operation, method: 'POST', path: '/api/thing/', query: [], ids: [], headers: {}, payload: '{"name":"a"}' },
    caller: { kind: 'none', token: null, player: null },
    subject: { game, player: null, bucket: null, challenge: null, values: new Map() },
    body: undefined,
  }
  const reply = (status: number, json: unknown, headers = {}): Reply => {
    const type = status < 400 ? 'application/json' : 'application/problem+json'
    const all = { 'content-type': type, 'x-request-id': 'r', ...headers }
    return { status, json, headers: all, text: JSON.stringify(json), lines: null }
  }
  const refusal = (status: number, code: string, headers = {}) =>
    reply(status, { status, code, request_id: 'r' }, headers)
  const faultIn = (answer: Reply, changes: Partial<Call> = {}) => faultOf({ ...call, ...changes }, answer, validate)

  it('has no fault if status, headers, schema and code are declared', () => {
    expect(faultIn(reply(200, { id: 'a' }))).to.equal(null)
    expect(faultIn(refusal(404, 'thing_not_found'))).to.equal(null)
    expect(faultIn(refusal(503, 'behind', { 'retry-after': '1' }))).to.equal(null)
  })

  it('has a fault if the status, the content type or a header is not as declared', () => {
    expect(faultIn(refusal(500, 'internal'))).to.equal('a failure: 500')
    expect(faultIn(refusal(409, 'taken'))).to.equal('undeclared status 409 taken')
    expect(faultIn(reply(200, { id: 'a' }, { 'content-type': 'text/html' }))).to.include('content type text/html')
    expect(faultIn(reply(200, { id: 'a' }, { 'x-request-id': undefined }))).to.equal('no header X-Request-Id')
  })

  it('has a fault if the body has another shape', () => {
    expect(faultIn(reply(200, { id: 1 }))).to.include('not of the declared schema')
    expect(faultIn(reply(200, { id: 'a', more: 1 }))).to.include('not of the declared schema')
    expect(faultIn(reply(200, undefined))).to.equal('a body that is not JSON')
  })

  it('has a fault if the problem code is not declared, or no healthy server answers it', () => {
    expect(faultIn(refusal(404, 'not_found'))).to.equal('undeclared problem code 404 not_found')
    expect(faultIn(refusal(503, 'store_away', { 'retry-after': '1' }))).to.equal('a failure: 503 store_away')
    expect(faultIn(refusal(503, 'behind'))).to.equal('a 503 without Retry-After')
  })

  it('has a fault if a call that the document forbids succeeds', () => {
    const success = reply(200, { id: 'a' })
    expect(faultIn(success, { payload: '{}' })).to.include('accepts a body')
    expect(faultIn(success, { query: ['limit=10'] })).to.include('accepts "limit"')
    expect(faultIn(success, { query: ['more=1'] })).to.equal('accepts an undeclared parameter "more"')
    expect(faultIn(success, { method: 'PATCH' })).to.equal('accepts PATCH')
  })
})
