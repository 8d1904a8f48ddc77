import { expect } from 'chai'
import fc from 'fast-check'
import { sized } from '../seeds.ts'
import { type Answer, call, callRaw } from './pipeline-calls.ts'
import { createWorld, type World } from './pipeline-world.ts'

const RUNS = { numRuns: sized(200, 500) }

/** Any error is a problem document; invalid input has a pointer. */
function expectHonest(answer: Answer, origin: string): void {
  expect(answer.status, origin).to.be.within(200, 499)
  if (answer.status < 300) return
  expect(answer.headers.get('content-type'), origin).to.equal('application/problem+json')
  expect(answer.json.code, origin).to.be.a('string')
  if (answer.json.code === 'malformed' && answer.status === 400) {
    expect(answer.json.errors, origin).to.satisfy((errors: unknown) => Array.isArray(errors) && errors.length > 0)
  }
}

describe('fuzzed requests, which are never answered with a 5xx', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world.close())

  const jsonish = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc.json().map((text) => text.slice(0, -1)),
    fc.json().map((text) => `{"score":${text}}`),
    fc.json().map((text) => `{"score":"1","extra_data":${text}}`),
    fc
      .record({ score: fc.anything(), player_name: fc.string({ unit: 'binary' }) })
      .map((value) => JSON.stringify(value, jsonOnly)),
  )

  it('get a problem document with a pointer for random bodies', () =>
    fc.assert(
      fc.asyncProperty(jsonish, async (body) => {
        expectHonest(await call(`${world.url}/api/lb/b/score/`, { method: 'POST', token: 'tenant', body }), body)
      }),
      RUNS,
    ))

  it('get a problem document with a pointer for random bytes as bodies', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200, size: 'max' }), async (body) => {
        expectHonest(
          await call(`${world.url}/api/lb/b/score/`, { method: 'POST', token: 'tenant', body }),
          String(body),
        )
      }),
      RUNS,
    ))

  it('get a problem document with a pointer for random queries', () => {
    const name = fc.constantFrom(
      'limit',
      'offset',
      'player_name',
      'min_score',
      'x',
      '__proto__',
      '',
      '%',
      '%ff',
      'constructor',
    )
    const value = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.constantFrom('', '%', '%zz', '%c3%28', '+5', '1e3'),
    )
    const query = fc.array(fc.tuple(name, value).map(([left, right]) => `${left}=${right.replace(/[^!-~]|#/g, '%')}`))
    return fc.assert(
      fc.asyncProperty(query, async (parts) => {
        const target = `/api/lb/b/score/?${parts.join('&')}`
        expectHonest(await call(world.url + target, { token: 'tenant' }), target)
      }),
      RUNS,
    )
  })

  it('get a problem document with a pointer for random request targets', () => {
    const part = fc.constantFrom(
      '/',
      'api',
      'lb',
      'score',
      'b',
      '%',
      '%2f',
      '%00',
      '..',
      '?',
      '=',
      '&',
      '#',
      ';',
      'é',
      '*',
      ':',
      '@',
    )
    return fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 12 }), async (parts) => {
        const head = `${parts.join('')} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer tenant\r\n\r\n`
        expectHonest(await callRaw(world.port, Buffer.from(`GET /${head}`, 'latin1')), head)
      }),
      RUNS,
    )
  })
})

/** fast-check’s anything() includes values that JSON cannot represent. */
function jsonOnly(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
