// What the handshake refuses, and how: malformed input, signatures of another spelling or size, challenges of another
// key, and unknown prefixes.

import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { type MadeGame, makeKey } from './game-fixtures.ts'
import { type HandshakeFixture, openHandshakeFixture, refusedWith } from './handshake-fixture.ts'
import { handshake, must, redeem, requestChallenge, type Signer, signed, type World } from './world.ts'

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
