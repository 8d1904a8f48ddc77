import { expect } from 'chai'
import { etagOf } from '../../http/pipeline/etag.ts'
import { call } from './pipeline-calls.ts'
import { createWorld, type World } from './pipeline-world.ts'

describe('logs and metrics of a request', () => {
  let world: World
  beforeEach(async () => {
    world = await createWorld()
  })
  afterEach(() => world.close())

  it('have one line with the template of the route, the key and the player', async () => {
    const answer = await call(`${world.url}/api/lb/secret-board/score/?player_name=hush`, { token: 'client' })
    expect(world.lines).to.have.length(1)
    const { ms, time, pid, hostname, level, ...line } = JSON.parse(world.lines[0] ?? '')
    expect(line).to.deep.equal({
      request_id: answer.headers.get('x-request-id'),
      method: 'GET',
      route: '/api/lb/:leaderboard/score/',
      status: 200,
      key: 'ck_a',
      player: 'p1',
      msg: 'request',
    })
    expect(ms).to.be.a('number')
  })

  it('never contain tokens, bodies, queries or unknown paths', async () => {
    const marker = 'planted-secret'
    const headers = {
      'x-api-key': marker,
      'idempotency-key': marker,
      'x-consistency-token': marker,
      'x-realtime-secret': marker,
    }
    const calls: readonly [string, object][] = [
      [`/api/${marker}/`, { token: marker, headers }],
      [`/api/lb/${marker}/score/?player_name=${marker}`, { token: marker, headers }],
      [`/api/lb/${marker}/score/?${marker}=1`, { token: 'tenant' }],
      ['/api/lb/b/score/', { method: 'POST', token: 'tenant', body: { score: marker, [marker]: 1 } }],
      ['/api/boom/x/', { token: 'tenant', headers }],
    ]
    for (const [path, sent] of calls) await call(world.url + path, sent)
    expect(world.lines.join('')).not.to.include(marker)
    expect(await world.metrics.metrics()).not.to.include(marker)
  })

  it('contain an unexpected error without the token, which is not shown to the caller', async () => {
    const answer = await call(`${world.url}/api/boom/x/`, { token: 'tenant' })
    expect(answer.json).to.deep.equal({
      type: 'urn:scorebook:problem:internal',
      title: 'Internal error',
      status: 500,
      detail: 'The service failed. Try again; if the error persists, report the request_id.',
      code: 'internal',
      request_id: answer.headers.get('x-request-id'),
    })
    const failure = JSON.parse(world.lines[0] ?? '')
    expect(failure.request_id).to.equal(answer.json.request_id)
    expect(failure.failure).to.include('database password hunter2 for Bearer [redacted]')
  })

  it('name an unavailable store, which is not shown to the caller', async () => {
    const answer = await call(`${world.url}/api/boom/unavailable/`, { token: 'tenant' })
    expect([answer.status, answer.json.code]).to.deep.equal([503, 'store_away'])
    expect(JSON.stringify(answer.json)).not.to.include('MongoDB')
    const { request_id, msg, failure } = JSON.parse(world.lines[0] ?? '')
    expect([request_id, msg]).to.deep.equal([answer.json.request_id, 'a backing service is unavailable'])
    expect(failure).to.include('The MongoDB at db.example')
  })

  it('count problem answers by their code, and no other answers', async () => {
    await call(`${world.url}/api/lb/b1/score/`, { token: 'client' })
    await call(`${world.url}/api/nothing/`, {})
    await call(`${world.url}/api/nothing/`, {})
    await call(`${world.url}/api/boom/unavailable/`, { token: 'tenant' })
    const lines = (await world.metrics.metrics())
      .split('\n')
      .filter((line) => line.startsWith('scorebook_refused_total'))
    expect(lines.sort()).to.deep.equal([
      'scorebook_refused_total{code="not_found",policy=""} 2',
      'scorebook_refused_total{code="store_away",policy=""} 1',
    ])
  })

  it('measure by route, method and class of status', async () => {
    await call(`${world.url}/api/lb/b1/score/`, { token: 'client' })
    await call(`${world.url}/api/nothing/`, { method: 'PATCH' })
    const text = await world.metrics.metrics()
    const count = 'scorebook_http_request_duration_seconds_count'
    expect(text).to.include(`${count}{method="GET",route="/api/lb/:leaderboard/score/",status="2xx"} 1`)
    expect(text).to.include(`${count}{method="PATCH",route="-",status="4xx"} 1`)
  })
})

describe('ETags', () => {
  it('are strong, equal for equal content, and honoured by If-Match', async () => {
    const now = etagOf({ name: 'now' })
    expect(now).to.match(/^"[A-Za-z0-9_-]{27}"$/)
    expect(etagOf({ b: 1, a: 2 })).to.equal(etagOf({ a: 2, b: 1 }))
    const world = await createWorld()
    const put = (ifMatch: string) =>
      call(`${world.url}/api/lb/b1/`, { method: 'PUT', token: 'tenant', headers: { 'if-match': ifMatch } })
    try {
      const statuses = []
      for (const sent of [now, '*', `"other", ${now}`, `W/${now}`, '"other"', 'bare'])
        statuses.push((await put(sent)).status)
      expect(statuses).to.deep.equal([200, 200, 200, 412, 412, 412])
    } finally {
      await world.close()
    }
  })
})
