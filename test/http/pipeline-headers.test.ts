// The headers of every answer: security, request ids, CORS, and what is refused before a route is looked for.

import { expect } from 'chai'
import type { RawRoute } from '../../http/pipeline/router.ts'
import { openRoute } from '../../http/route.ts'
import { call, callRaw } from './pipeline-calls.ts'
import { createWorld, type World } from './pipeline-world.ts'

const SCORE = '/api/lb/b1/score/'
const ONE = 'https://one.example'
const TWO = 'https://two.example'

const LINK: RawRoute = {
  method: 'GET',
  path: '/api/files/local/:token/',
  handle: async () => ({ status: 200, body: {} }),
}

const OPEN = openRoute({
  method: 'POST',
  path: '/api/open/',
  summary: 'Takes no body.',
  needs: 'nothing',
  tenantOnly: false,
  records: false,
  answers: {},
  handle: async () => ({ status: 200, body: {} }),
})

describe('response headers', () => {
  let world: World
  before(async () => {
    world = await createWorld({ rawRoutes: [LINK], routes: [OPEN] })
  })
  after(() => world.close())

  it('include the same security headers in every answer of the API', async () => {
    const answers = [
      await call(world.url + SCORE, { token: 'tenant' }),
      await call(`${world.url}/api/nothing/`),
      await call(world.url + SCORE, { method: 'POST', token: 'tenant', body: '{' }),
      await callRaw(world.port, 'nonsense\r\n\r\n'),
    ]
    for (const { headers } of answers) {
      const values = ['cache-control', 'x-content-type-options', 'content-security-policy', 'vary'].map((name) =>
        headers.get(name),
      )
      expect(values).to.deep.equal(['no-store', 'nosniff', "default-src 'none'", 'Origin'])
      expect(headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/)
      expect(headers.get('access-control-allow-credentials')).to.equal(null)
    }
  })

  it('include a unique request id of the server', async () => {
    const sent = { token: 'tenant', headers: { 'x-request-id': 'mine' } }
    const ids = [await call(world.url + SCORE, sent), await call(world.url + SCORE, sent)].map(({ headers }) =>
      headers.get('x-request-id'),
    )
    expect(new Set([...ids, 'mine']).size).to.equal(3)
  })

  const ALLOWED: readonly (readonly [string, string | null, string, string | null])[] = [
    ['an origin of the caller’s game', 'client', ONE, ONE],
    ['an origin of another game', 'client', TWO, null],
    ['an origin of nobody', 'client', 'https://evil.example', null],
    ['an origin with the operator’s token', 'operator', ONE, null],
    ['an origin of some game with a dead token', 'nobody', TWO, TWO],
    ['an origin of nobody without a token', null, 'null', null],
  ]
  for (const [title, token, origin, expected] of ALLOWED) {
    it(`name ${expected ?? 'no origin'} in CORS for ${title}`, async () => {
      const answer = await call(world.url + SCORE, { token, headers: { origin } })
      expect(answer.headers.get('access-control-allow-origin')).to.equal(expected)
    })
  }

  it('answer a CORS preflight for an origin that any game allows', async () => {
    const preflight = (origin: string, path = SCORE) =>
      call(world.url + path, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } })
    const answer = await preflight(TWO)
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).to.deep.equal([200, TWO])
    expect(answer.headers.get('access-control-allow-methods')).to.equal('GET, HEAD, POST')
    for (const name of [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'X-API-Key',
      'X-Consistency-Token',
    ]) {
      expect(answer.headers.get('access-control-allow-headers')?.split(', ')).to.include(name)
    }
    const evil = await preflight('https://evil.example')
    expect([evil.status, evil.json.code, evil.headers.get('access-control-allow-origin')]).to.deep.equal([
      403,
      'origin_not_allowed',
      null,
    ])
    expect((await preflight(ONE, '/api/nothing/')).status).to.equal(404)
  })

  const MANY = Array.from({ length: 70 }, (_, n) => `x-h${n}`)
  const ASKED: readonly (readonly [string, string, string])[] = [
    ['headers of an engine', 'authorization,user-agent, X-Unity-Version', 'authorization, user-agent, X-Unity-Version'],
    ['names that are none', 'a b, , x-ok,é, "q", x:y, x-ok', 'x-ok'],
    ['more than 64 names', MANY.join(','), MANY.slice(0, 64).join(', ')],
  ]
  for (const [what, asked, expected] of ASKED) {
    it(`answer a preflight with the valid header names that it asks for: ${what}`, async () => {
      const lines = ['access-control-request-method: GET', `access-control-request-headers: ${asked}`, `origin: ${TWO}`]
      const bytes = `OPTIONS ${SCORE} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${lines.join('\r\n')}\r\n\r\n`
      const answer = await callRaw(world.port, Buffer.from(bytes, 'latin1'))
      expect([answer.status, answer.headers.get('access-control-allow-headers')]).to.deep.equal([200, expected])
    })
  }

  it('allow the method of a preflight, also one that the path does not have, whose 405 the page can then read', async () => {
    const headers = { origin: TWO, 'access-control-request-method': 'PATCH' }
    const answer = await call(world.url + SCORE, { method: 'OPTIONS', headers })
    expect(answer.headers.get('access-control-allow-methods')).to.equal('GET, HEAD, POST, PATCH')
    expect(answer.headers.get('allow')).to.equal('GET, HEAD, POST')
    const called = await call(world.url + SCORE, { method: 'PATCH', headers: { origin: TWO } })
    expect([called.status, called.headers.get('access-control-allow-origin')]).to.deep.equal([405, TWO])
  })

  const ONCE = [
    'Content-Type: application/json',
    `Origin: ${ONE}`,
    'X-API-Key: sk_a',
    'Idempotency-Key: k',
    'If-Match: "a"',
    'If-None-Match: "a"',
    'X-Consistency-Token: t',
    'X-Realtime-Secret: s',
    'Range: bytes=0-1',
    'If-Range: "a"',
  ]
  const PLACES: readonly (readonly [string, string, string])[] = [
    ['a read', `GET ${SCORE}`, 'Authorization: Bearer tenant\r\n'],
    ['a write without a body', 'POST /api/lb/b1/slow/', 'Authorization: Bearer tenant\r\nContent-Length: 0\r\n'],
    ['an open call', 'POST /api/open/', 'Content-Length: 0\r\n'],
    ['the link of a file', 'GET /api/files/local/t', ''],
    ['a preflight', `OPTIONS ${SCORE}`, `Access-Control-Request-Method: GET\r\n`],
  ]
  for (const header of ONCE) {
    const [name = ''] = header.split(':')
    it(`refuse ${name} that is sent twice with 400, on every call`, async () => {
      for (const [place, target, rest] of PLACES) {
        const isOrigin = name === 'Origin'
        const origin = place === 'a preflight' && !isOrigin ? `Origin: ${ONE}\r\n` : ''
        const twice = `${header}\r\n${header.replace(name, name.toUpperCase())}\r\n`
        const bytes = `${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${rest}${origin}${twice}\r\n`
        const { status, json, headers } = await callRaw(world.port, bytes)
        const errors = [{ pointer: '', detail: `the header ${name.toLowerCase()} is sent more than once` }]
        expect([place, status, json.code, json.errors]).to.deep.equal([place, 400, 'malformed', errors])
        if (isOrigin) expect(headers.get('access-control-allow-origin')).to.equal(null)
      }
    })
  }

  it('refuse two Authorization headers with 401, before a header that is sent twice', async () => {
    const twice = 'Authorization: Bearer tenant\r\n'.repeat(2) + 'Idempotency-Key: k\r\n'.repeat(2)
    const { status, json } = await callRaw(
      world.port,
      `GET ${SCORE} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${twice}\r\n`,
    )
    expect([status, json.code]).to.deep.equal([401, 'unauthenticated'])
  })

  const headers = (count: number) => 'X: y\r\n'.repeat(count)
  const BROKEN: readonly (readonly [string, string, number, string])[] = [
    ['two Host headers', `GET ${SCORE} HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n`, 400, 'malformed'],
    ['no Host header', `GET ${SCORE} HTTP/1.1\r\nConnection: close\r\n\r\n`, 400, 'malformed'],
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'malformed'],
    [
      'two lengths',
      `POST ${SCORE} HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
      400,
      'malformed',
    ],
    [
      'a length and chunks',
      `POST ${SCORE} HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'malformed',
    ],
    [
      'headers beyond 16 KiB',
      `GET ${SCORE} HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      '101 headers',
      `GET /api/x/ HTTP/1.1\r\nHost: a\r\n${headers(99)}Connection: close\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'more headers than Node keeps',
      `GET /api/x/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers(2_500)}\r\n`,
      431,
      'headers_too_large',
    ],
    ['100 headers', `GET /api/x/ HTTP/1.1\r\nHost: a\r\n${headers(98)}Connection: close\r\n\r\n`, 404, 'not_found'],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 405, 'method_not_allowed'],
    [
      'an unknown expectation',
      'GET /api/x/ HTTP/1.1\r\nHost: a\r\nExpect: magic\r\nConnection: close\r\n\r\n',
      404,
      'not_found',
    ],
    ['a target with a host', 'GET http://b/api/x/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404, 'not_found'],
    ['a target of *', 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404, 'not_found'],
  ]
  it('count headers that are too large by their problem code', async () => {
    await callRaw(world.port, `GET ${SCORE} HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
    const lines = (await world.metrics.metrics()).split('\n')
    expect(lines).to.include('scorebook_http_unreadable_total{code="headers_too_large"} 1')
  })

  for (const [title, bytes, status, code] of BROKEN) {
    it(`answer ${title} with ${status} ${code}, as a problem document`, async () => {
      const answer = await callRaw(world.port, bytes)
      expect([answer.status, answer.json.code]).to.deep.equal([status, code])
      expect(answer.headers.get('content-type')).to.equal('application/problem+json')
      expect(answer.json.request_id).to.equal(answer.headers.get('x-request-id'))
    })
  }
})
