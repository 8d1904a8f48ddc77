import { expect } from 'chai'
import fc from 'fast-check'
import { call, callRaw, type Heard } from './pipeline-calls.ts'
import { createWorld, type World } from './pipeline-world.ts'

const RUNS = { numRuns: 500 }

/** Anything that is not a success is a problem document; bad input names a place. */
function expectHonest(heard: Heard, origin: string): void {
  expect(heard.status, origin).to.be.within(200, 499)
  if (heard.status < 300) return
  expect(heard.headers.get('content-type'), origin).to.equal('application/problem+json')
  expect(heard.json.code, origin).to.be.a('string')
  if (heard.json.code === 'malformed' && heard.status === 400) {
    expect(heard.json.errors, origin).to.satisfy((errors: unknown) => Array.isArray(errors) && errors.length > 0)
  }
}

describe('Fuzz: never a 5xx, always a problem document with a place', () => {
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

  it('bodies', () =>
    fc.assert(
      fc.asyncProperty(jsonish, async (body) => {
        expectHonest(await call(`${world.url}/api/lb/b/score/`, { method: 'POST', token: 'tenant', body }), body)
      }),
      RUNS,
    ))

  it('bytes as bodies', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200, size: 'max' }), async (body) => {
        expectHonest(
          await call(`${world.url}/api/lb/b/score/`, { method: 'POST', token: 'tenant', body }),
          String(body),
        )
      }),
      RUNS,
    ))

  it('queries', () => {
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
      fc.asyncProperty(query, async (pieces) => {
        const target = `/api/lb/b/score/?${pieces.join('&')}`
        expectHonest(await call(world.url + target, { token: 'tenant' }), target)
      }),
      RUNS,
    )
  })

  it('targets, byte by byte', () => {
    const piece = fc.constantFrom(
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
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), async (pieces) => {
        const head = `${pieces.join('')} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer tenant\r\n\r\n`
        expectHonest(await callRaw(world.port, Buffer.from(`GET /${head}`, 'latin1')), head)
      }),
      RUNS,
    )
  })
})

/** fast-check's anything has values that JSON has no word for. */
function jsonOnly(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
