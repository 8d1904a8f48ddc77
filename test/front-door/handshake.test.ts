// The handshake (docs/protocol.md, section 4): both algorithms, one winner, strict signatures, one answer for all
// errors but a wrong time.

import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { type MadeGame, makeGame, makeKey } from './game-fixtures.ts'
import type { Answered, Body } from './http-client.ts'
import { sharedWorld } from './shared.ts'
import { handshake, must, redeem, requestChallenge, type Signer, signed, type World } from './world.ts'

interface HandshakeFixture {
  readonly world: World
  readonly game: MadeGame
  readonly hmac: Signer
  readonly edwards: Signer
  /** With the names of their algorithms. */
  readonly both: readonly (readonly [string, Signer])[]
  challengeFor(signer: Signer): Promise<Body>
}

async function openHandshakeFixture(): Promise<HandshakeFixture> {
  const world = await sharedWorld()
  const game = await makeGame(world)
  const hmac = await makeKey(world, game)
  const edwards = await makeKey(world, game, { algorithm: 'ed25519' })
  return {
    ...{ world, game, hmac, edwards },
    both: [
      ['hmac-sha256', hmac],
      ['ed25519', edwards],
    ],
    challengeFor: async (signer) => must(await requestChallenge(world, signer.prefix), 200),
  }
}

function refusedWith(answer: Answered, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body.code }).to.deep.equal({ status, code })
  expect(answer.headers['content-type']).to.equal('application/problem+json')
}

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

describe('refused handshakes', () => {
  let world: World
  let game: MadeGame
  let hmac: Signer
  let edwards: Signer
  let both: HandshakeFixture['both']
  let challengeFor: HandshakeFixture['challengeFor']

  before(async () => {
    ;({ world, game, hmac, edwards, both, challengeFor } = await openHandshakeFixture())
  })

  describe('malformed redeem', () => {
    const faults: [string, (body: ReturnType<typeof signed>) => object, string][] = [
      ['no body', () => ({}), '/request_id'],
      ['a padded signature', (body) => ({ ...body, challenge: `${body.challenge}=` }), '/challenge'],
      ['base64 not made for URLs', (body) => ({ ...body, challenge: `+${body.challenge.slice(1)}` }), '/challenge'],
      ['one character less', (body) => ({ ...body, challenge: body.challenge.slice(1) }), '/challenge'],
      ['one character more', (body) => ({ ...body, challenge: `${body.challenge}A` }), '/challenge'],
      ['a space', (body) => ({ ...body, challenge: ` ${body.challenge.slice(1)}` }), '/challenge'],
      ['a number for a signature', (body) => ({ ...body, challenge: 1 }), '/challenge'],
      ['a fraction of a second', (body) => ({ ...body, unix_ts: body.unix_ts + 0.5 }), '/unix_ts'],
      ['time as text', (body) => ({ ...body, unix_ts: String(body.unix_ts) }), '/unix_ts'],
      ['an unknown field', (body) => ({ ...body, more: 1 }), '/more'],
      ['a permission twice', (body) => ({ ...body, permissions: ['a', 'a'] }), '/permissions'],
      ['permissions as text', (body) => ({ ...body, permissions: 'a' }), '/permissions'],
      ['null for permissions', (body) => ({ ...body, permissions: null }), '/permissions'],
      ['a permission with a space', (body) => ({ ...body, permissions: ['a b'] }), '/permissions/0'],
      ['an empty part', (body) => ({ ...body, permissions: ['a::b'] }), '/permissions/0'],
      ['a pipe', (body) => ({ ...body, permissions: ['a|b'] }), '/permissions/0'],
      ['a star beside letters', (body) => ({ ...body, permissions: ['lb:*x:submit'] }), '/permissions/0'],
      ['129 characters', (body) => ({ ...body, permissions: ['a'.repeat(129)] }), '/permissions/0'],
      [
        '65 permissions',
        (body) => ({ ...body, permissions: Array.from({ length: 65 }, (_, i) => `a${i}`) }),
        '/permissions',
      ],
    ]
    for (const [what, spoil, pointer] of faults) {
      it(`with ${what} is refused with 400 and leaves the challenge valid`, async () => {
        const body = signed(world, hmac, await challengeFor(hmac))
        const answer = await redeem(world, hmac.prefix, spoil(body))
        refusedWith(answer, 400, 'malformed')
        expect(answer.body.errors.map((fault: { pointer: string }) => fault.pointer)).to.include(pointer)
        must(await redeem(world, hmac.prefix, body), 200)
      })
    }

    it('accepts permissions of 128 characters, and 64 of them', async () => {
      const requested = ['p'.repeat(128), ...Array.from({ length: 63 }, (_, i) => `a${i}`)]
      expect(must(await handshake(world, hmac, requested), 200).declined).to.have.length(64)
    })
  })

  it('refuses a signature with the length of the other algorithm', async () => {
    const body = signed(world, hmac, await challengeFor(hmac))
    const long = randomBytes(64).toString('base64url')
    refusedWith(await redeem(world, hmac.prefix, { ...body, challenge: long }), 401, 'challenge_rejected')
    const other = signed(world, edwards, await challengeFor(edwards))
    const short = randomBytes(32).toString('base64url')
    refusedWith(await redeem(world, edwards.prefix, { ...other, challenge: short }), 401, 'challenge_rejected')
  })

  it('refuses a signature in non-canonical base64url that decodes to the right bytes', async () => {
    for (const [, signer] of both) {
      const body = signed(world, signer, await challengeFor(signer))
      const loose = sameBytesOtherText(body.challenge)
      expect(Buffer.from(loose, 'base64url')).to.deep.equal(Buffer.from(body.challenge, 'base64url'))
      const answer = await redeem(world, signer.prefix, { ...body, challenge: loose })
      refusedWith(answer, 401, 'challenge_rejected')
    }
  })

  it('refuses an Ed25519 signature with S + L, which a lenient verifier accepts', async () => {
    const body = signed(world, edwards, await challengeFor(edwards))
    const answer = await redeem(world, edwards.prefix, { ...body, challenge: withLargeS(body.challenge) })
    refusedWith(answer, 401, 'challenge_rejected')
  })

  it('refuses the challenge of another key, also of the same game, and uses it up', async () => {
    const challenge = await challengeFor(hmac)
    refusedWith(await redeem(world, edwards.prefix, signed(world, edwards, challenge)), 401, 'challenge_rejected')
    refusedWith(await redeem(world, hmac.prefix, signed(world, hmac, challenge)), 401, 'challenge_rejected')
  })

  it('answers unknown and revoked prefixes with a constant decoy challenge, and refuses all alike', async () => {
    const revoked = await makeKey(world, game)
    must(await world.call('DELETE', `/api/gm/${game.id}/keys/${revoked.prefix}/`, { token: game.token }), 200)
    const unknown: Signer = { prefix: 'sk_nobodyhasthisprefixatall', sign: hmac.sign }
    const genuine = Object.keys(await challengeFor(hmac))
    const wrong = await redeem(world, hmac.prefix, {
      ...signed(world, hmac, await challengeFor(hmac)),
      request_id: 'x',
    })
    for (const signer of [revoked, unknown]) {
      const decoys = [await challengeFor(signer), await challengeFor(signer)]
      for (const decoy of decoys) expect(Object.keys(decoy)).to.deep.equal(genuine)
      expect(decoys[0].algorithm).to.equal(decoys[1].algorithm)
      expect(decoys[0].nonce).to.not.equal(decoys[1].nonce)
      const answer = await redeem(world, signer.prefix, signed(world, signer, decoys[0]))
      refusedWith(answer, 401, 'challenge_rejected')
      expect({ ...answer.body, request_id: '' }).to.deep.equal({ ...wrong.body, request_id: '' })
      const late = signed(world, signer, decoys[1], [], 1)
      refusedWith(await redeem(world, signer.prefix, late), 401, 'timestamp_out_of_range')
    }
  })

  it('answers unknown prefixes with decoys of both algorithms', async () => {
    const prefixes = Array.from(
      { length: 40 },
      (_, i) => `sk_${createHash('md5').update(String(i)).digest('hex').slice(0, 24)}`,
    )
    const requested = await Promise.all(prefixes.map((prefix) => requestChallenge(world, prefix)))
    expect(new Set(requested.map(({ body }) => body.algorithm))).to.deep.equal(new Set(['hmac-sha256', 'ed25519']))
  })

  it('refuses a call without the X-API-Key header with 401', async () => {
    const answer = await world.call('POST', '/api/auth/jwt/challenge/')
    refusedWith(answer, 401, 'api_key_required')
    expect(answer.headers['www-authenticate']).to.equal('Bearer')
    const body = signed(world, hmac, await challengeFor(hmac))
    refusedWith(await world.call('POST', '/api/auth/jwt/redeem/', { body }), 401, 'api_key_required')
    refusedWith(
      await world.call('POST', '/api/auth/jwt/challenge/', { headers: { 'x-api-key': '' } }),
      401,
      'api_key_required',
    )
    must(await redeem(world, hmac.prefix, body), 200)
  })
})

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** The last character has unused bits: another one decodes to the same bytes. */
function sameBytesOtherText(text: string): string {
  const last = ALPHABET.indexOf(text.at(-1) ?? '')
  return text.slice(0, -1) + ALPHABET[last + 1]
}

/** The order of the base point (RFC 8032). */
const L = 2n ** 252n + 27742317777372353535851937790883648493n

function withLargeS(signature: string): string {
  const bytes = Buffer.from(signature, 'base64url')
  let s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + L
  for (let at = 32; at < 64; at++) {
    bytes[at] = Number(s & 0xffn)
    s >>= 8n
  }
  return bytes.toString('base64url')
}
