// How much one call of many submissions may bring, and how it counts at the rates and at the recorded bytes.

import { request } from 'node:http'
import { expect } from 'chai'
import { MANY_MAX_BYTES } from '../../http/routes/many-submissions.ts'
import { keyToken, type MadeGame, makeBoard, makePlayer } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { must, openWorld, type World } from './world.ts'

/** So slow that nothing is regained during a test: the clock stands still. */
const limit = { perSecond: 10, burst: 200 }
const wide = { perSecond: 1_000, burst: 10_000 }

describe('the limits of many submissions in one call', () => {
  let world: World
  let game: MadeGame
  let tenant: Tenant
  let board: string
  let player: string

  before(async () => {
    world = await openWorld({ rateLimits: { address: wide, key: limit, player: limit, handshake: wide, guest: wide } })
  })
  beforeEach(async () => {
    tenant = await openTenant(world)
    game = tenant.game
    board = await makeBoard(world, game)
    player = await makePlayer(world, game)
  })
  after(() => world.close())

  const path = () => `/api/gm/${game.id}/scores/`
  const list = (length: number, more: object = {}) =>
    Array.from({ length }, (_, n) => ({ leaderboard: board, player, score: String(n), ...more }))
  const send = (submissions: unknown) => world.call('POST', path(), { token: game.token, body: { submissions } })
  const sendRaw = (raw: string, headers: Record<string, string> = {}) =>
    world.call('POST', path(), { token: game.token, raw, headers })
  /** What is left of a bucket, as the header RateLimit says. */
  const leftIn = (header: unknown, policy: string) =>
    Number(new RegExp(`"${policy}";r=([0-9]+)`).exec(String(header))?.[1])
  const left = async () => {
    const { headers } = await tenant.get(`/api/lb/${board}/`)
    return { address: leftIn(headers.ratelimit, 'address'), key: leftIn(headers.ratelimit, 'key') }
  }

  it('a call counts at the rates of key and address as one per 20 submissions, rounded up', async () => {
    for (const [length, counted] of [
      [1, 1],
      [20, 1],
      [21, 2],
      [500, 25],
    ] as const) {
      const before = await left()
      const answer = await send(list(length))
      must(answer, 200)
      const after = await left()
      const { ratelimit } = answer.headers
      expect([leftIn(ratelimit, 'key'), leftIn(ratelimit, 'address')]).to.deep.equal([after.key + 1, after.address + 1])
      // Reading what is left counts as one.
      expect([before.key - after.key - 1, before.address - after.address - 1], `${length}`).to.deep.equal([
        counted,
        counted,
      ])
    }
  })

  it('a call is admitted where one is left, and the rest is taken from what comes', async () => {
    for (let { key } = await left(); key > 1; { key } = await left());
    must(await send(list(500)), 200)
    const refused = await send(list(1))
    expect([answerCode(refused), refused.body.policy]).to.deep.equal(['429 rate_limited', 'key'])
    // 24 below zero: one more comes after 2.5 s, at 10 a second.
    expect(refused.body.retry_after).to.equal(3)
    world.clock.nowMs += 2_500
    must(await send(list(1)), 200)
  })

  /** A token of a server key with the player signed in. */
  const signedIn = async (token: string, of: string): Promise<string> => {
    const made = must(await tenant.post(`/api/gm/${game.id}/player/ticket/`, { player: of }), 201)
    const body = { ticket: made.ticket }
    return must(await world.call('POST', `/api/gm/${game.id}/player/ticket/redeem/`, { token, body }), 200).token
  }

  it('a call of a signed-in player is refused where the rate of the player is used up, by any key', async () => {
    const own = await signedIn(game.token, player)
    const otherKey = await signedIn(await keyToken(world, game), player)
    const sendAs = (token: string, length: number) =>
      world.call('POST', path(), { token, body: { submissions: list(length) } })
    // 8 × 25 of 200.
    for (let n = 0; n < 8; n++) must(await sendAs(otherKey, 500), 200)
    const refused = await sendAs(own, 1)
    expect([answerCode(refused), refused.body.policy]).to.deep.equal(['429 rate_limited', 'player'])
    must(await send(list(1)), 200)
  })

  it('a submission of the signed-in player is refused by itself where their bytes of the day are recorded', async () => {
    const other = await makePlayer(world, game, 'Bob')
    const token = await signedIn(game.token, player)
    const sendAs = async (submissions: unknown): Promise<Body[]> =>
      must(await world.call('POST', path(), { token, body: { submissions } }), 200).results
    // 16 times 1 MiB and more.
    for (let n = 0; n < 16; n++) await sendAs(list(126, { extra_data: 'x'.repeat(7_900) }))
    const [own, others] = await sendAs([...list(1), { ...list(1)[0], player: other }])
    expect(own).to.deep.include({ status: 429, code: 'recording_limit', of: 'player' })
    expect(own?.retry_after).to.be.a('number').above(0)
    expect(others?.status).to.equal(201)
  })

  it('each submission is refused by itself with 429 and retry_after where the bytes of the game are recorded', async () => {
    const body = { recorded_bytes_per_day: 1_048_576 }
    must(await world.call('PUT', `/api/gm/${game.id}/limits/`, { token: tenant.operator, body }), 200)
    // Nodes know a limit for 10 s.
    world.clock.nowMs += 10_000
    const first: Body[] = must(await send(list(126, { extra_data: 'x'.repeat(7_900) })), 200).results
    expect(first.map(({ status }) => status)).to.deep.equal([201, ...Array(125).fill(200)])
    const again: Body[] = must(await send([...list(2), { ...list(1)[0], score: 'x' }]), 200).results
    expect(again.map(({ status, code }) => `${status} ${code}`)).to.deep.equal([
      '429 recording_limit',
      '429 recording_limit',
      '400 malformed',
    ])
    const [one] = again
    expect(one).to.deep.include({ of: 'game' })
    expect(one?.retry_after).to.be.a('number').above(0)
    expect(one?.detail).to.be.a('string')
    world.clock.nowMs += one?.retry_after * 1_000
    expect(must(await send(list(1)), 200).results[0].status).to.equal(200)
  })

  const padded = (bytes: number) => {
    const text = JSON.stringify({ submissions: list(1) })
    return text + ' '.repeat(bytes - Buffer.byteLength(text))
  }

  it('a body of 1 MiB is accepted, and one byte more is 413', async () => {
    expect(MANY_MAX_BYTES).to.equal(1_048_576)
    expect(must(await sendRaw(padded(1_048_576)), 200).results[0].status).to.equal(201)
    const refused = await sendRaw(padded(1_048_577), { connection: 'close' })
    expect(answerCode(refused)).to.equal('413 body_too_large')
    expect(refused.body.detail).to.equal('The body must be at most 1048576 bytes. Split the list.')
  })

  it('a large body of one score is still 413 on calls that take no list', async () => {
    const single = await world.call('POST', `/api/lb/${board}/score/`, {
      token: game.token,
      raw: padded(65_537),
    })
    expect(answerCode(single)).to.equal('413 body_too_large')
  })

  const sendChunked = (text: string) =>
    new Promise<{ status: number; code?: string; detail?: string }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${game.token}`, 'content-type': 'application/json' }
      const outgoing = request(
        { port: world.port, method: 'POST', path: path(), headers, agent: false },
        (incoming) => {
          let answer = ''
          incoming.on('data', (chunk) => {
            answer += chunk
          })
          incoming.on('end', () => {
            const { code, detail } = JSON.parse(answer)
            resolve({ status: incoming.statusCode ?? 0, code, detail })
          })
        },
      )
      outgoing.on('error', reject)
      // Several writes: Node then sends the body in chunks.
      outgoing.write(text.slice(0, 1_000))
      outgoing.end(text.slice(1_000))
    })

  it('a body in chunks is accepted up to 64 KiB, and above 413 that asks for a Content-Length', async () => {
    expect((await sendChunked(padded(65_536))).status).to.equal(200)
    expect(await sendChunked(padded(65_537))).to.deep.equal({
      status: 413,
      code: 'body_too_large',
      detail: 'The body must be at most 65536 bytes. With a Content-Length it may have 1048576: send one.',
    })
  })
})
