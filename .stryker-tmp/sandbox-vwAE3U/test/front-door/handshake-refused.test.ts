// What the handshake refuses, and by which answer: malformed input, signatures of another spelling or size, challenges
// of another prefix, and prefixes that nobody has.

import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { type HandshakeScene, openHandshakeScene, refusedWith } from './handshake-scene.ts'
import { type MadeGame, makeKey } from './scenery.ts'
import { askChallenge, handshake, must, redeem, type Signer, signed, type World } from './world.ts'

describe('a handshake that is refused', () => {
  let world: World
  let game: MadeGame
  let hmac: Signer
  let edwards: Signer
  let both: HandshakeScene['both']
  let challengeFor: HandshakeScene['challengeFor']

  before(async () => {
    ;({ world, game, hmac, edwards, both, challengeFor } = await openHandshakeScene())
  })

  describe('malformed input keeps the challenge', () => {
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
      it(what, async () => {
        const body = signed(world, hmac, await challengeFor(hmac))
        const answer = await redeem(world, hmac.prefix, spoil(body))
        refusedWith(answer, 400, 'malformed')
        expect(answer.body.errors.map((fault: { pointer: string }) => fault.pointer)).to.include(pointer)
        must(await redeem(world, hmac.prefix, body), 200)
      })
    }

    it('128 characters and 64 permissions are taken', async () => {
      const asked = ['p'.repeat(128), ...Array.from({ length: 63 }, (_, i) => `a${i}`)]
      expect(must(await handshake(world, hmac, asked), 200).declined).to.have.length(64)
    })
  })

  it('refuses a signature of the other kind’s length', async () => {
    const body = signed(world, hmac, await challengeFor(hmac))
    const long = randomBytes(64).toString('base64url')
    refusedWith(await redeem(world, hmac.prefix, { ...body, challenge: long }), 401, 'challenge_rejected')
    const other = signed(world, edwards, await challengeFor(edwards))
    const short = randomBytes(32).toString('base64url')
    refusedWith(await redeem(world, edwards.prefix, { ...other, challenge: short }), 401, 'challenge_rejected')
  })

  it('refuses another spelling of the same bytes: a last character that is not canonical', async () => {
    for (const [, signer] of both) {
      const body = signed(world, signer, await challengeFor(signer))
      const loose = sameBytesOtherText(body.challenge)
      expect(Buffer.from(loose, 'base64url')).to.deep.equal(Buffer.from(body.challenge, 'base64url'))
      const answer = await redeem(world, signer.prefix, { ...body, challenge: loose })
      refusedWith(answer, 401, 'challenge_rejected')
    }
  })

  it('refuses S + L, which proves the same to a lenient verifier', async () => {
    const body = signed(world, edwards, await challengeFor(edwards))
    const answer = await redeem(world, edwards.prefix, { ...body, challenge: withLargeS(body.challenge) })
    refusedWith(answer, 401, 'challenge_rejected')
  })

  it('refuses another prefix’s challenge, also between keys of one game, and it is gone then', async () => {
    const challenge = await challengeFor(hmac)
    refusedWith(await redeem(world, edwards.prefix, signed(world, edwards, challenge)), 401, 'challenge_rejected')
    refusedWith(await redeem(world, hmac.prefix, signed(world, hmac, challenge)), 401, 'challenge_rejected')
  })

  it('unknown and revoked prefixes: a decoy of the same shape, the same each time, and one answer for all', async () => {
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

  it('decoys are of both kinds', async () => {
    const prefixes = Array.from(
      { length: 40 },
      (_, i) => `sk_${createHash('md5').update(String(i)).digest('hex').slice(0, 24)}`,
    )
    const asked = await Promise.all(prefixes.map((prefix) => askChallenge(world, prefix)))
    expect(new Set(asked.map(({ body }) => body.algorithm))).to.deep.equal(new Set(['hmac-sha256', 'ed25519']))
  })

  it('needs the X-API-Key header: 401 without', async () => {
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

/** The last character holds bits that nobody reads: another one that decodes the same. */
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
