import { expect } from 'chai'
import { createTokenSeal } from '../../credentials/sealed-token.ts'
import { type Answer, call, type Sent } from './pipeline-calls.ts'
import { createWorld, type World } from './pipeline-world.ts'

describe('Idempotency-Key', () => {
  let world: World
  beforeEach(async () => {
    world = await createWorld()
  })
  afterEach(() => world.close())

  const submit = (key: string, sent: Sent = {}, board = 'b1') =>
    call(`${world.url}/api/lb/${board}/score/`, {
      method: 'POST',
      token: 'tenant',
      body: { score: '1' },
      ...sent,
      headers: { 'idempotency-key': key, ...sent.headers },
    })

  it('marks the replay of the same call', async () => {
    expect((await submit('k')).headers.get('idempotent-replay')).to.equal(null)
    expect((await submit('k', { body: ' { "score" : "1.0" } ' })).headers.get('idempotent-replay')).to.equal('true')
  })

  it('refuses another call with the same key, with another body or path', async () => {
    await submit('k')
    for (const answer of [await submit('k', { body: { score: '2' } }), await submit('k', {}, 'b2')]) {
      expect([answer.status, answer.json.code]).to.deep.equal([422, 'idempotency_key_reused'])
    }
  })

  it('is scoped to the API key and the player', async () => {
    await submit('k')
    const answer = await submit('k', { token: 'client', body: { score: '2' } })
    expect([answer.status, answer.headers.get('idempotent-replay')]).to.deep.equal([201, null])
  })

  it('accepts 1 to 255 printable ASCII characters on calls that record', async () => {
    for (const key of ['', 'a'.repeat(256), 'caf\u00e9', 'a\tb']) {
      const answer = await submit(key)
      expect([key, answer.status, answer.json.code]).to.deep.equal([key, 400, 'malformed'])
    }
    expect((await submit('a'.repeat(255))).status).to.equal(201)
    const ignored = await call(`${world.url}/api/auth/jwt/redeem/`, {
      method: 'POST',
      headers: { 'idempotency-key': 'a'.repeat(256) },
      body: { request_id: 'r' },
    })
    expect(ignored.status).to.equal(200)
  })

  it('runs one of 20 simultaneous calls, and answers 409 to the others', async () => {
    const slow = () =>
      call(`${world.url}/api/lb/b1/slow/`, { method: 'POST', token: 'tenant', headers: { 'idempotency-key': 'k' } })
    const first = slow()
    await world.gate.entered
    const others = await Promise.all(Array.from({ length: 19 }, slow))
    world.gate.open()
    expect((await first).status).to.equal(200)
    expect(others.map(({ status, json }) => `${status} ${json.code}`)).to.deep.equal(
      Array(19).fill('409 idempotency_in_progress'),
    )
    expect(world.runs).to.deep.equal({ max: 1, now: 0, total: 1 })
    expect((await slow()).status).to.equal(200)
    expect(world.runs.max).to.equal(1)
  })

  it('frees the key of a refused call', async () => {
    for (let time = 0; time < 2; time++) expect((await submit('k', {}, 'none')).status).to.equal(404)
  })
})

describe('consistency tokens', () => {
  let world: World
  beforeEach(async () => {
    world = await createWorld()
  })
  afterEach(() => world.close())

  const url = (board: string) => `${world.url}/api/lb/${board}/score/`
  const write = (board = 'b1', token = 'tenant') => call(url(board), { method: 'POST', token, body: { score: '1' } })
  const read = (consistency: string | null, token: string): Promise<Answer> =>
    call(url('b1'), { token, headers: consistency === null ? {} : { 'x-consistency-token': consistency } })
  const tokenOf = (answer: Answer) => answer.headers.get('x-consistency-token') ?? ''

  it('are answered to writes and not to reads, opaque and URL-safe', async () => {
    const tokens = [tokenOf(await write()), tokenOf(await write()), tokenOf(await write('same'))]
    for (const token of tokens) expect(token).to.match(/^[A-Za-z0-9_-]{144}$/)
    // Two equal tokens of one position cannot be distinguished.
    expect(new Set(tokens).size).to.equal(3)
    expect(tokenOf(await read(null, 'tenant'))).to.equal('')
  })

  it('make a read wait for that write, or answer 503 behind', async () => {
    world.reached.set('g1', '004')
    const token = tokenOf(await write())
    const late = await read(token, 'client')
    expect([late.status, late.json.code, late.headers.get('retry-after')]).to.deep.equal([503, 'behind', '1'])
    world.reached.set('g1', '005')
    expect((await read(token, 'client')).status).to.equal(200)
  })

  it('are also answered to a write that changed nothing, for the known position', async () => {
    world.reached.set('g1', '003')
    const token = tokenOf(await write('same'))
    expect((await read(token, 'client')).status).to.equal(200)
    world.reached.set('g1', '002')
    expect((await read(token, 'client')).json.code).to.equal('behind')
  })

  it('are not needed by a caller (key and player) for its own writes, for which others do not wait', async () => {
    world.reached.set('g1', '004')
    await write('b1', 'client')
    expect((await read(null, 'client')).json.code).to.equal('behind')
    expect((await read(null, 'tenant')).status).to.equal(200)
    expect((await write('b1', 'client')).status).to.equal(201)
  })

  it('are refused when they are invalid, altered, or of another installation', async () => {
    const token = tokenOf(await write())
    const [own, other] = [createTokenSeal(new Uint8Array(32)), createTokenSeal(new Uint8Array(32).fill(1))]
    const bent = `${token.slice(0, 60)}${token[60] === 'A' ? 'B' : 'A'}${token.slice(61)}`
    const readable = Buffer.from('sum\nhere\ng1\n005').toString('base64url')
    const bad = [
      'x',
      'not base64!',
      'a'.repeat(600),
      bent,
      token.slice(4),
      readable,
      other.seal('g1\n005'),
      own.seal('g1'),
    ]
    for (const one of bad) {
      const answer = await read(one, 'tenant')
      expect([one, answer.status, answer.json.code]).to.deep.equal([one, 400, 'consistency_token_unknown'])
    }
  })
})
