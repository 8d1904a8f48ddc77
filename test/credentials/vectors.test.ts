// The published vectors of the handshake, against four implementations: the service's own check, the client library
// (WebCrypto), tweetnacl and jose; and, as far as a request can carry them, against the service itself.

import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { CompactSign, importJWK } from 'jose'
import nacl from 'tweetnacl'
import { challengeMessage as clientMessage, signerOf } from '../../clients/javascript/signing.ts'
import {
  challengeMessage,
  ed25519Pair,
  isSoundPublicKey,
  verifyEd25519,
  verifyHmac,
} from '../../credentials/signatures.ts'
import { fromBase64url } from '../../credentials/text.ts'
import { makeGame, makeKey } from '../front-door/game-fixtures.ts'
import { openWorld, redeem, requestChallenge, signed, type World } from '../front-door/world.ts'

interface Signed {
  readonly name: string
  readonly secret?: string
  readonly private_key?: string
  readonly public_key?: string
  readonly request_id: string
  readonly nonce: string
  readonly unix_ts: number
  readonly permissions: readonly string[]
  readonly message: string
  readonly signature: string
  readonly redeem_body: object
}

interface Refused {
  readonly name: string
  readonly algorithm: 'hmac-sha256' | 'ed25519'
  readonly secret?: string
  readonly public_key?: string
  readonly message: string
  readonly signature: string
  readonly status: 400 | 401
}

interface Vectors {
  readonly keys: {
    readonly 'hmac-sha256': { readonly secret: string }
    readonly ed25519: readonly { readonly private_key: string; readonly public_key: string }[]
  }
  readonly 'hmac-sha256': readonly Signed[]
  readonly ed25519: readonly Signed[]
  readonly refused: readonly Refused[]
  readonly refused_permissions: readonly { readonly why: string; readonly permissions: readonly string[] }[]
  readonly weak_public_keys: readonly { readonly why: string; readonly public_key: string }[]
}

const vectors: Vectors = JSON.parse(readFileSync(new URL('../../docs/vectors/handshake.json', import.meta.url), 'utf8'))
const bytes = (text: string | undefined, length: number): Uint8Array => {
  const found = fromBase64url(text ?? '', length)
  if (found === null) throw new Error(`${text} is not the base64url of ${length} bytes`)
  return found
}

describe('the handshake’s vectors', () => {
  const all = [...vectors['hmac-sha256'], ...vectors.ed25519]

  it('cover both kinds of key', () => {
    expect(vectors['hmac-sha256']).to.have.length.at.least(6)
    expect(vectors.ed25519).to.have.length.at.least(6)
    expect(vectors.refused).to.have.length.at.least(20)
    expect(vectors.weak_public_keys).to.have.length.at.least(12)
  })

  for (const vector of all) {
    it(`${vector.secret === undefined ? 'ed25519' : 'hmac-sha256'}: ${vector.name}`, async () => {
      const { request_id: requestId, nonce, unix_ts: unixTs, permissions, message, signature } = vector
      for (const make of [challengeMessage, clientMessage]) {
        expect(make(requestId, nonce, unixTs, permissions)).to.equal(message)
        expect(make(requestId, nonce, unixTs, [...permissions].reverse())).to.equal(message)
      }
      const { secret, private_key: privateKey = '' } = vector
      const sign = await signerOf(secret === undefined ? { prefix: 'sk_', privateKey } : { prefix: 'sk_', secret })
      expect(await sign(message)).to.equal(signature)
      const proof = { request_id: requestId, challenge: signature, unix_ts: unixTs }
      const body = permissions.length === 0 ? proof : { ...proof, permissions }
      expect(vector.redeem_body).to.deep.equal(body)

      if (secret !== undefined) {
        expect(createHmac('sha256', secret).update(message).digest('base64url')).to.equal(signature)
        expect(verifyHmac(secret, message, signature)).to.equal(true)
        return
      }
      const publicKey = bytes(vector.public_key, 32)
      expect(verifyEd25519(publicKey, message, signature)).to.equal(true)
      expect(nacl.sign.detached.verify(Buffer.from(message), bytes(signature, 64), publicKey)).to.equal(true)
      const pair = nacl.sign.keyPair.fromSeed(bytes(privateKey, 32))
      expect(nacl.sign.detached(Buffer.from(message), pair.secretKey)).to.deep.equal(bytes(signature, 64))
    })
  }

  for (const { name, algorithm, secret, public_key: publicKey, message, signature } of vectors.refused) {
    it(`${algorithm} refuses: ${name}`, () => {
      const proves =
        secret === undefined
          ? verifyEd25519(bytes(publicKey, 32), message, signature)
          : verifyHmac(secret, message, signature)
      expect(proves).to.equal(false)
    })
  }

  it('include a signature with S + L, which a lenient verifier accepts', () => {
    const found = vectors.refused.find(({ name }) => name.startsWith('S + L'))
    if (found === undefined) throw new Error('there is none')
    const lenient = nacl.sign.detached.verify(
      Buffer.from(found.message),
      bytes(found.signature, 64),
      bytes(found.public_key, 32),
    )
    expect(lenient).to.equal(true)
  })

  it('hold sound public keys of their private keys, and weak ones', () => {
    for (const { private_key: seed, public_key: publicKey } of vectors.keys.ed25519) {
      expect(ed25519Pair(bytes(seed, 32)).publicKey).to.deep.equal(bytes(publicKey, 32))
      expect(isSoundPublicKey(bytes(publicKey, 32))).to.equal(true)
    }
    for (const { why, public_key: publicKey } of vectors.weak_public_keys) {
      expect(isSoundPublicKey(bytes(publicKey, 32)), `${why} ${publicKey}`).to.equal(false)
    }
  })

  it('use keys that jose takes as JWKs, and whose signatures over other bytes are ours too', async () => {
    const payload = Buffer.from('{"any":"bytes"}')
    const { secret } = vectors.keys['hmac-sha256']
    const octets = { kty: 'oct', k: Buffer.from(secret).toString('base64url') }
    const jws = await new CompactSign(payload)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(await importJWK(octets, 'HS256'))
    expect(verifyHmac(secret, ...split(jws))).to.equal(true)
    for (const { private_key: d, public_key: x } of vectors.keys.ed25519) {
      const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', d, x }, 'EdDSA')
      const signedByJose = await new CompactSign(payload).setProtectedHeader({ alg: 'EdDSA' }).sign(key)
      expect(verifyEd25519(bytes(x, 32), ...split(signedByJose))).to.equal(true)
    }
  })

  describe('at the service', () => {
    let world: World
    before(async () => {
      world = await openWorld()
    })
    after(() => world.close())

    it('refuses each malformed signature with its listed status, and uses up the challenge only if the status is 401', async () => {
      const game = await makeGame(world)
      for (const algorithm of ['hmac-sha256', 'ed25519'] as const) {
        const key = await makeKey(world, game, { algorithm })
        for (const { name, signature, status } of vectors.refused.filter((one) => one.algorithm === algorithm)) {
          const { body: challenge } = await requestChallenge(world, key.prefix)
          const good = signed(world, key, challenge)
          const bad = await redeem(world, key.prefix, { ...good, challenge: signature })
          expect(bad.status, name).to.equal(status)
          expect(bad.body.code, name).to.equal(status === 400 ? 'malformed' : 'challenge_rejected')
          expect((await redeem(world, key.prefix, good)).status, name).to.equal(status === 400 ? 200 : 401)
        }
      }
    })

    it('names the malformed permission in its refusal, and does not use up the challenge', async () => {
      const key = await makeKey(world, await makeGame(world))
      for (const { why, permissions } of vectors.refused_permissions) {
        const { body: challenge } = await requestChallenge(world, key.prefix)
        const bad = await redeem(world, key.prefix, signed(world, key, challenge, permissions))
        expect([bad.status, bad.body.code], why).to.deep.equal([400, 'malformed'])
        expect(bad.body.errors[0].pointer, why).to.match(/^\/permissions/)
        expect((await redeem(world, key.prefix, signed(world, key, challenge))).status, why).to.equal(200)
      }
    })

    it('accepts permissions in any order, and refuses weak public keys', async () => {
      const game = await makeGame(world)
      const key = await makeKey(world, game)
      for (const { name, permissions } of vectors['hmac-sha256']) {
        const { body: challenge } = await requestChallenge(world, key.prefix)
        expect((await redeem(world, key.prefix, signed(world, key, challenge, permissions))).status, name).to.equal(200)
      }
      for (const { why, public_key: publicKey } of vectors.weak_public_keys) {
        const body = { name: 'weak', kind: 'server', algorithm: 'ed25519', public_key: publicKey }
        const answer = await world.call('POST', `/api/gm/${game.id}/keys/`, { token: game.token, body })
        expect([answer.status, answer.body.code], why).to.deep.equal([400, 'weak_public_key'])
      }
    })
  })
})

/** A compact JWS as what was signed and the signature. */
function split(jws: string): [message: string, signature: string] {
  const end = jws.lastIndexOf('.')
  return [jws.slice(0, end), jws.slice(end + 1)]
}
