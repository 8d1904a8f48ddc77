import { expect } from 'chai'
import { call, callRaw, type Sent } from './pipeline-calls.ts'
import { createWorld, type World } from './pipeline-world.ts'

const BAD_BODY = '{"score": 5, "score": 6}'
const SCORE = '/api/lb/b1/score/'

/** Each call has everything wrong from its row downwards, so its answer shows which check comes first. */
const ROWS: readonly (readonly [string, string, Sent, number, string])[] = [
  [
    'checks the path before the method',
    '/api/nothing/here/',
    { method: 'PATCH', token: 'nobody', body: BAD_BODY },
    404,
    'not_found',
  ],
  ['compares paths by case', '/api/LB/b1/score/', { token: 'tenant' }, 404, 'not_found'],
  ['knows no path with an empty segment', '/api/lb//score/', { token: 'tenant' }, 404, 'not_found'],
  ['knows no path with two slashes at its end', '/api/lb/b1/score//', { token: 'tenant' }, 404, 'not_found'],
  ['checks the method before the token', SCORE, { method: 'PATCH', body: BAD_BODY }, 405, 'method_not_allowed'],
  ['refuses OPTIONS without an origin', SCORE, { method: 'OPTIONS' }, 405, 'method_not_allowed'],
  ['refuses HEAD where there is no GET', '/api/lb/b1/', { method: 'HEAD' }, 405, ''],
  [
    'requires a token before everything else',
    '/api/lb/%ff/?x=1',
    { method: 'PUT', body: BAD_BODY },
    401,
    'unauthenticated',
  ],
  [
    'rejects an unknown token before the permission',
    '/api/lb/b1/',
    { method: 'PUT', token: 'nobody', body: BAD_BODY },
    401,
    'unauthenticated',
  ],
  [
    'refuses a banned player before a client key',
    '/api/lb/b1/',
    { method: 'PUT', token: 'banned' },
    403,
    'player_banned',
  ],
  [
    'refuses a client key before it checks the permission',
    '/api/lb/b1/',
    { method: 'PUT', token: 'bare', body: BAD_BODY },
    403,
    'tenant_only',
  ],
  ['refuses a client key whatever it holds', '/api/lb/b1/', { method: 'PUT', token: 'client' }, 403, 'tenant_only'],
  [
    'checks the permission before the media type',
    SCORE,
    { method: 'POST', token: 'bare', headers: { 'content-type': 'a/b' }, body: BAD_BODY },
    403,
    'permission_needed',
  ],
  [
    'checks the media type before the size',
    SCORE,
    { method: 'POST', token: 'tenant', headers: { 'content-type': 'a/b' }, body: 'x'.repeat(70_000) },
    415,
    'unsupported_media_type',
  ],
  [
    'checks the size before the JSON',
    SCORE,
    { method: 'POST', token: 'tenant', body: '{'.repeat(65_537) },
    413,
    'body_too_large',
  ],
  [
    'checks the body before the leaderboard',
    '/api/lb/none/score/',
    { method: 'POST', token: 'tenant', body: BAD_BODY },
    400,
    'malformed',
  ],
  [
    'checks the permission before the encoding of the path',
    '/api/lb/%ff/score/',
    { token: 'bare' },
    403,
    'permission_needed',
  ],
  [
    'checks the encoding of the path before the leaderboard',
    '/api/lb/%ff/score/',
    { token: 'tenant' },
    400,
    'malformed',
  ],
  [
    'looks for the leaderboard last',
    '/api/lb/none/score/',
    { method: 'POST', token: 'tenant', body: { score: '5' } },
    404,
    'leaderboard_not_found',
  ],
  [
    'compares If-Match last',
    '/api/lb/b1/',
    { method: 'PUT', token: 'tenant', headers: { 'if-match': '"old"' } },
    412,
    'precondition_failed',
  ],
]

describe('the order of checks', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world.close())

  for (const [title, path, sent, status, code] of ROWS) {
    it(`${title}: ${status} ${code}`, async () => {
      const answer = await call(world.url + path, sent)
      expect([answer.status, answer.json.code ?? '']).to.deep.equal([status, code])
      expect(answer.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/)
      if (code === '') return
      expect(answer.headers.get('content-type')).to.equal('application/problem+json')
      expect(answer.json.request_id).to.equal(answer.headers.get('x-request-id'))
      expect(answer.json.type).to.equal(`urn:scorebook:problem:${code}`)
      expect(answer.json.status).to.equal(status)
    })
  }

  it('checks the address rate before everything else', async () => {
    const none = { perSecond: 1, burst: 1 }
    const limits = { address: none, key: none, player: none, handshake: none, guest: none }
    const strict = await createWorld({ rateLimits: limits })
    try {
      expect((await call(`${strict.url}/api/nothing/`)).status).to.equal(404)
      expect((await call(`${strict.url}/api/nothing/`)).status).to.equal(429)
    } finally {
      await strict.close()
    }
  })

  it('names the methods with 405, the scheme with 401, and the permission with 403', async () => {
    const method = await call(`${world.url}${SCORE}`, { method: 'DELETE' })
    expect(method.headers.get('allow')).to.equal('GET, HEAD, POST')
    const who = await call(`${world.url}${SCORE}`)
    expect(who.headers.get('www-authenticate')).to.equal('Bearer')
    const allowed = await call(`${world.url}${SCORE}`, { token: 'bare' })
    expect(allowed.json.needed).to.equal('lb:b1:scores')
  })

  it('does not let a path spell a permission', async () => {
    for (const id of ['x%3Ay', '*', '%2A', 'a%2Fb']) {
      const answer = await call(`${world.url}/api/lb/${id}/score/`, { token: 'bare' })
      expect([answer.status, answer.json.code]).to.deep.equal([404, 'not_found'])
    }
  })

  it('serves a path with and without its closing slash, and HEAD like GET', async () => {
    for (const path of ['/api/lb/b1/score/', '/api/lb/b1/score']) {
      const answer = await call(world.url + path, { token: 'tenant' })
      expect(answer.json).to.deep.equal({ params: { leaderboard: 'b1' }, query: { limit: 20, offset: 0 } })
      const head = await call(world.url + path, { method: 'HEAD', token: 'tenant' })
      expect([head.status, head.text, head.headers.get('content-length')]).to.deep.equal([
        200,
        '',
        String(answer.text.length),
      ])
    }
  })

  it('accepts one bearer token and nothing else in Authorization', async () => {
    const bad = ['Basic dGVuYW50', 'Bearer', 'Bearer a b', 'Bearer tenant,Bearer tenant', 'tenant', 'Bearer té']
    for (const authorization of bad) {
      const text = `GET ${SCORE} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: ${authorization}\r\n\r\n`
      const answer = await callRaw(world.port, Buffer.from(text, 'latin1'))
      expect([authorization, answer.status]).to.deep.equal([authorization, 401])
    }
    const twice = `GET ${SCORE} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${'Authorization: Bearer tenant\r\n'.repeat(2)}\r\n`
    expect((await callRaw(world.port, twice)).status).to.equal(401)
  })
})
