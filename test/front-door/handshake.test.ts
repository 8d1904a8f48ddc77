// The handshake of section 2 of the contract: both algorithms, one winner, strict signatures, one answer for all errors
// but a wrong time.

import { expect } from 'chai'
import { type MadeGame, makeKey } from './game-fixtures.ts'
import { type HandshakeFixture, openHandshakeFixture, refusedWith } from './handshake-fixture.ts'
import { handshake, must, redeem, type Signer, signed, type World } from './world.ts'

const RACERS = 64

describe('over HTTP: the handshake', () => {
  let world: World
  let game: MadeGame
  let hmac: Signer
  let both: HandshakeFixture['both']
  let challengeFor: HandshakeFixture['challengeFor']

  before(async () => {
    ;({ world, game, hmac, both, challengeFor } = await openHandshakeFixture())
  })

  it('answers a challenge of exactly these fields', async () => {
    for (const [algorithm, signer] of both) {
      const { request_id, nonce, ...rest } = await challengeFor(signer)
      expect(rest).to.deep.equal({
        expires_at: new Date(world.clock.nowMs + 60_000).toISOString(),
        algorithm,
        message_format: '{request_id}.{nonce}.{unix_ts}.{permissions}',
        permissions_format: "requested permissions sorted and joined with '|', or empty for all",
      })
      expect(request_id).to.match(/^[A-Za-z0-9_-]{20,}$/)
      expect(nonce).to.match(/^[A-Za-z0-9_-]{20,}$/)
    }
  })

  it('answers a token for an hour with all permissions of the key, in exactly these fields', async () => {
    for (const [, signer] of both) {
      const { token, ...rest } = must(await handshake(world, signer), 200)
      expect(token).to.be.a('string')
      expect(rest).to.deep.equal({
        expires_at: Math.floor(world.clock.nowMs / 1000) + 3600,
        permissions: [`gm:${game.id}:*`, 'lb:*:*', 'bkt:*:*', 'score:*:*', 'submit_for'],
        declined: [],
      })
      const path = `/api/gm/${game.id}/`
      expect((await world.call('GET', path, { token })).status).to.equal(200)
    }
  })

  it('accepts permissions in any order, and verifies them sorted by code unit', async () => {
    const requested = ['lb:x:submit', 'lb:X:submit', 'lb:-:submit', 'lb:_:submit']
    const challenge = await challengeFor(hmac)
    const body = signed(world, hmac, challenge, requested)
    expect([...requested].sort()).to.deep.equal(['lb:-:submit', 'lb:X:submit', 'lb:_:submit', 'lb:x:submit'])
    const token = must(await redeem(world, hmac.prefix, { ...body, permissions: [...requested].reverse() }), 200)
    expect([...token.permissions].sort()).to.deep.equal([...requested].sort())
  })

  it('grants each requested permission that is covered, and declines the rest, wildcards included', async () => {
    const key = await makeKey(world, game, {
      permissions: ['lb:*:submit', 'lb:b1:details', 'submit_for', 'lb:*:*:deep'],
    })
    const requested = [
      'lb:b7:submit',
      'lb:*:submit',
      'lb:b1:*',
      'lb:b2:details',
      'submit_for',
      'lb:b:c:deep',
      'lb:b',
      'sys:games',
    ]
    const { permissions, declined } = must(await handshake(world, key, requested), 200)
    expect([...permissions].sort()).to.deep.equal(['lb:*:submit', 'lb:b7:submit', 'lb:b:c:deep', 'submit_for'].sort())
    expect([...declined].sort()).to.deep.equal(['lb:b', 'lb:b1:*', 'lb:b2:details', 'sys:games'].sort())
  })

  it('answers a token without permissions when every requested one is declined', async () => {
    const { token, permissions, declined } = must(await handshake(world, hmac, ['gm:other:details']), 200)
    expect({ permissions, declined }).to.deep.equal({ permissions: [], declined: ['gm:other:details'] })
    const refused = await world.call('GET', `/api/gm/${game.id}/`, { token })
    expect([refused.status, refused.body.needed]).to.deep.equal([403, `gm:${game.id}:details`])
  })

  it('grants all permissions for an empty list', async () => {
    const body = { ...signed(world, hmac, await challengeFor(hmac)), permissions: [] }
    expect(must(await redeem(world, hmac.prefix, body), 200).permissions).to.have.length(5)
  })

  it('refuses a list of permissions other than the signed one', async () => {
    const body = signed(world, hmac, await challengeFor(hmac), ['lb:a:submit'])
    refusedWith(await redeem(world, hmac.prefix, { ...body, permissions: ['lb:b:submit'] }), 401, 'challenge_rejected')
  })

  it('rejects a second redeem of the same challenge with 401', async () => {
    for (const [, signer] of both) {
      const body = signed(world, signer, await challengeFor(signer))
      must(await redeem(world, signer.prefix, body), 200)
      refusedWith(await redeem(world, signer.prefix, body), 401, 'challenge_rejected')
    }
  })

  it('uses a challenge up before it checks the signature', async () => {
    for (const [, signer] of both) {
      const right = signed(world, signer, await challengeFor(signer))
      const flipped = (right.challenge.startsWith('A') ? 'B' : 'A') + right.challenge.slice(1)
      refusedWith(await redeem(world, signer.prefix, { ...right, challenge: flipped }), 401, 'challenge_rejected')
      refusedWith(await redeem(world, signer.prefix, right), 401, 'challenge_rejected')
    }
  })

  it('uses a challenge up before it checks the time', async () => {
    const challenge = await challengeFor(hmac)
    const late = signed(world, hmac, challenge, [], Math.floor(world.clock.nowMs / 1000) - 61)
    refusedWith(await redeem(world, hmac.prefix, late), 401, 'timestamp_out_of_range')
    refusedWith(await redeem(world, hmac.prefix, signed(world, hmac, challenge)), 401, 'challenge_rejected')
  })

  it('checks the time before the signature', async () => {
    const challenge = await challengeFor(hmac)
    const body = signed(world, hmac, challenge, [], Math.floor(world.clock.nowMs / 1000) + 61)
    const flipped = (body.challenge.startsWith('A') ? 'B' : 'A') + body.challenge.slice(1)
    refusedWith(await redeem(world, hmac.prefix, { ...body, challenge: flipped }), 401, 'timestamp_out_of_range')
  })

  it('accepts timestamps up to 60 seconds off, both ways, and answers others with the time of the server', async () => {
    const now = Math.floor(world.clock.nowMs / 1000)
    for (const [offset, status] of [
      [-60, 200],
      [60, 200],
      [-61, 401],
      [61, 401],
    ] as const) {
      const body = signed(world, hmac, await challengeFor(hmac), [], now + offset)
      const answer = await redeem(world, hmac.prefix, body)
      expect([offset, answer.status]).to.deep.equal([offset, status])
      if (status === 401) expect(answer.body).to.include({ code: 'timestamp_out_of_range', server_time: now })
    }
  })

  it('accepts a challenge for one minute', async () => {
    const [kept, lost] = [await challengeFor(hmac), await challengeFor(hmac)]
    world.clock.nowMs += 59_999
    must(await redeem(world, hmac.prefix, signed(world, hmac, kept)), 200)
    world.clock.nowMs += 1
    refusedWith(await redeem(world, hmac.prefix, signed(world, hmac, lost)), 401, 'challenge_rejected')
  })

  it('accepts a challenge request with no body or {}, and nothing else', async () => {
    const headers = { 'x-api-key': hmac.prefix }
    const path = '/api/auth/jwt/challenge/'
    expect((await world.call('POST', path, { headers, body: {} })).status).to.equal(200)
    refusedWith(await world.call('POST', path, { headers, body: { a: 1 } }), 400, 'malformed')
    expect((await world.call('POST', '/api/auth/jwt/challenge', { headers })).status).to.equal(200)
  })

  it(`lets exactly one of ${RACERS} simultaneous redeems of one challenge win`, async () => {
    for (const [, signer] of both) {
      const body = signed(world, signer, await challengeFor(signer))
      const answers = await Promise.all(Array.from({ length: RACERS }, () => redeem(world, signer.prefix, body)))
      const codes = answers.map((answer) => answer.body.code ?? answer.status)
      expect(codes.filter((code) => code === 200)).to.have.length(1)
      expect(codes.filter((code) => code === 'challenge_rejected')).to.have.length(RACERS - 1)
    }
  })
})
