// The handshake in process: challenges for keys of both algorithms, and why a redeem is rejected.

import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { expect } from 'chai'
import { challenge, type HandshakeDeps, redeem } from '../../commands/handshake.ts'
import { issue, revoke } from '../../commands/key.ts'
import { loadState } from '../../commands/load-state.ts'
import { challengeMessage } from '../../credentials/signatures.ts'
import { type KeyAlgorithm, key, keyStream } from '../../domain/key.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import { refusalOf } from '../refusal-of.ts'
import { contextAt, GAME, LONG_AGO_MS, signInRig } from './sign-in/sign-in-rig.ts'

const NOW_S = LONG_AGO_MS / 1_000
const PERMISSIONS = ['lb:*:*', 'submit_for']

describe('commands: the handshake', () => {
  let rig: ReturnType<typeof signInRig>
  let deps: HandshakeDeps
  beforeEach(() => {
    rig = signInRig()
    const { transient, vault, tokens, keys } = rig.deps
    deps = { transient, vault, tokens, keys, keyOf: (prefix) => loadState(rig.deps, key, keyStream(prefix)) }
  })

  async function issued(algorithm: KeyAlgorithm = 'hmac-sha256') {
    const fresh = { game: GAME, name: 'k', kind: 'client', algorithm, permissions: PERMISSIONS } as const
    const { prefix, shown } = await issue(rig.deps, fresh, contextAt())
    return { prefix, secret: 'secret' in shown ? shown.secret : '' }
  }

  /** Signs a new challenge with a secret, as a client does. */
  async function signed(prefix: string, secret: string, { unixTs = NOW_S, permissions = [] as string[] } = {}) {
    const { request_id: requestId, nonce } = await challenge(deps, prefix, LONG_AGO_MS)
    const message = challengeMessage(requestId, nonce, unixTs, permissions)
    const signature = createHmac('sha256', secret).update(message).digest('base64url')
    return { prefix, requestId, signature, unixTs, permissions }
  }

  it('gives a challenge that says how it is signed and when it expires', async () => {
    const { prefix } = await issued()
    const { request_id, nonce, ...rest } = await challenge(deps, prefix, LONG_AGO_MS)
    expect([request_id.length, nonce.length]).to.deep.equal([24, 32])
    expect(rest).to.deep.equal({
      expires_at: '2026-01-01T00:01:00.000Z',
      algorithm: 'hmac-sha256',
      message_format: '{request_id}.{nonce}.{unix_ts}.{permissions}',
      permissions_format: "requested permissions sorted and joined with '|', or empty for all",
    })
  })

  it('names the algorithm of a key', async () => {
    const { prefix } = await issued('ed25519')
    expect((await challenge(deps, prefix, LONG_AGO_MS)).algorithm).to.equal('ed25519')
  })

  it('names one algorithm for an unknown prefix each time, and both over many prefixes', async () => {
    const algorithmOf = async (prefix: string) => (await challenge(deps, prefix, LONG_AGO_MS)).algorithm
    const prefixes = Array.from({ length: 32 }, (_, n) => `ck_${n}`)
    const first = await Promise.all(prefixes.map(algorithmOf))
    expect(await Promise.all(prefixes.map(algorithmOf))).to.deep.equal(first)
    expect(new Set(first)).to.deep.equal(new Set(['hmac-sha256', 'ed25519']))
  })

  it('names the algorithm of an unknown prefix for a revoked key', async () => {
    for (let n = 0; n < 8; n++) {
      const { prefix } = await issued()
      const unknown = (await challenge({ ...deps, keyOf: async () => null }, prefix, LONG_AGO_MS)).algorithm
      await revoke(rig.deps, prefix, GAME, contextAt())
      expect((await challenge(deps, prefix, LONG_AGO_MS)).algorithm).to.equal(unknown)
    }
  })

  it('grants a token for what was asked, and declines what the key does not hold', async () => {
    const { prefix, secret } = await issued()
    const call = await signed(prefix, secret, { permissions: ['lb:a:submit', 'gm:x'] })
    const { token, ...rest } = await redeem(deps, call, LONG_AGO_MS)
    expect(rest.permissions).to.deep.equal(['lb:a:submit'])
    expect(rest.declined).to.deep.equal(['gm:x'])
    expect(rest.expires_at).to.be.greaterThan(NOW_S)
    expect(token).to.be.a('string')
  })

  it('grants all permissions of the key if none are requested', async () => {
    const { prefix, secret } = await issued()
    const { permissions, declined } = await redeem(deps, await signed(prefix, secret), LONG_AGO_MS)
    expect([permissions, declined]).to.deep.equal([PERMISSIONS, []])
  })

  it('grants a token for the signature of an Ed25519 key, and for no other', async () => {
    const [mine, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')]
    const publicKey = mine.publicKey.export({ format: 'jwk' }).x
    const fresh = { game: GAME, name: 'k', kind: 'client', algorithm: 'ed25519', permissions: PERMISSIONS } as const
    const { prefix } = await issue(rig.deps, { ...fresh, publicKey }, contextAt())
    const signedBy = async (privateKey: KeyObject) => {
      const { request_id: requestId, nonce } = await challenge(deps, prefix, LONG_AGO_MS)
      const message = Buffer.from(challengeMessage(requestId, nonce, NOW_S, []))
      const signature = sign(null, message, privateKey).toString('base64url')
      return { prefix, requestId, signature, unixTs: NOW_S, permissions: [] }
    }
    const { permissions } = await redeem(deps, await signedBy(mine.privateKey), LONG_AGO_MS)
    expect(permissions).to.deep.equal(PERMISSIONS)
    const refusal = await refusalOf(redeem(deps, await signedBy(other.privateKey), LONG_AGO_MS))
    expect(refusal.code).to.equal('challenge_rejected')
  })

  it('rejects a second redeem of the same challenge', async () => {
    const { prefix, secret } = await issued()
    const call = await signed(prefix, secret)
    await redeem(deps, call, LONG_AGO_MS)
    const refusal = await refusalOf(redeem(deps, call, LONG_AGO_MS))
    expect([refusal.kind, refusal.code]).to.deep.equal(['unauthenticated', 'challenge_rejected'])
    expect(refusal.message).to.match(/^The challenge is .{20,}\.$/)
  })

  it('rejects a challenge that was given to another prefix', async () => {
    const [mine, other] = [await issued(), await issued()]
    const call = await signed(other.prefix, mine.secret)
    const refusal = await refusalOf(redeem(deps, { ...call, prefix: mine.prefix }, LONG_AGO_MS))
    expect(refusal.code).to.equal('challenge_rejected')
  })

  it('rejects a challenge that has expired', async () => {
    const { prefix, secret } = await issued()
    const call = await signed(prefix, secret, { unixTs: NOW_S + 60 })
    expect((await refusalOf(redeem(deps, call, LONG_AGO_MS + 60_000))).code).to.equal('challenge_rejected')
  })

  it('rejects the signature of another secret, of a revoked key, and of an unknown prefix', async () => {
    const { prefix, secret } = await issued()
    const calls = [await signed(prefix, 'other'), await signed('ck_none', 'ck_none'), await signed(prefix, prefix)]
    for (const call of calls)
      expect((await refusalOf(redeem(deps, call, LONG_AGO_MS))).code).to.equal('challenge_rejected')
    const call = await signed(prefix, secret)
    await revoke(rig.deps, prefix, GAME, contextAt())
    expect((await refusalOf(redeem(deps, call, LONG_AGO_MS))).code).to.equal('challenge_rejected')
  })

  it('rejects a key whose secret the vault lost, even where the prefix is the secret', async () => {
    const { prefix } = await issued()
    await rig.vault.destroy('key-secret', prefix)
    const refusal = await refusalOf(redeem(deps, await signed(prefix, prefix), LONG_AGO_MS))
    expect(refusal.code).to.equal('challenge_rejected')
  })

  for (const [unixTs, isTaken] of [
    [NOW_S - 61, false],
    [NOW_S - 60, true],
    [NOW_S + 60, true],
    [NOW_S + 61, false],
  ] as const) {
    it(`${isTaken ? 'accepts' : 'rejects'} a clock that is ${unixTs - NOW_S} s from the server’s`, async () => {
      const { prefix, secret } = await issued()
      const work = redeem(deps, await signed(prefix, secret, { unixTs }), LONG_AGO_MS + 999)
      if (isTaken) expect((await work).permissions).to.deep.equal(PERMISSIONS)
      else {
        const refusal = await refusalOf(work)
        expect([refusal.kind, refusal.code]).to.deep.equal(['unauthenticated', 'timestamp_out_of_range'])
        expect(refusal.message).to.match(/^unix_ts is more than 60 seconds from the server's clock\. Set your clock/)
        expect(refusal.fields).to.deep.equal({ server_time: NOW_S })
      }
    })
  }

  it('answers 503 where there is no room for a challenge, and leaves a failure of the store as it is', async () => {
    const failing = (error: Error) => ({ ...deps, transient: { ...deps.transient, put: () => Promise.reject(error) } })
    const refusal = await refusalOf(challenge(failing(new Error('full')), 'ck_x', LONG_AGO_MS))
    expect([refusal.kind, refusal.code]).to.deep.equal(['unavailable', 'store_away'])
    expect(refusal.message).to.equal('Too many challenges are waiting to be redeemed. Try again in a moment.')
    const away = new StoreUnavailable('away')
    const error = await challenge(failing(away), 'ck_x', LONG_AGO_MS).catch((reason: unknown) => reason)
    expect(error).to.equal(away)
  })
})
