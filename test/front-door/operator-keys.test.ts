// Operator keys: issued, listed and revoked by operators, but for the last one.

import { expect } from 'chai'
import nacl from 'tweetnacl'
import { makeGame } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { answerCode } from './tenant.ts'
import { ed25519Signer, handshake, hmacSigner, must, openWorld, type Signer, tokenOf, type World } from './world.ts'

const RACES = 20

describe('operator keys', () => {
  let world: World
  let operator: string

  beforeEach(async () => {
    world = await openWorld()
    operator = await tokenOf(world, world.operator)
  })
  afterEach(() => world.close())

  const issue = (body: unknown, headers = {}) =>
    world.call('POST', '/api/sys/keys/', { token: operator, body, headers })
  const list = async (token = operator) => must(await world.call('GET', '/api/sys/keys/', { token }), 200)
  const revoke = (prefix: string, token = operator, headers = {}) =>
    world.call('DELETE', `/api/sys/keys/${prefix}/`, { token, headers })
  const hmac = { name: 'Backup operator', algorithm: 'hmac-sha256' }

  async function second(): Promise<Signer> {
    // The list is in order of creation.
    world.clock.nowMs += 1
    const made = must(await issue(hmac), 201)
    return hmacSigner(made.prefix, made.secret)
  }

  it('are issued with sys:games alone, in exactly these fields, and listed without secrets', async () => {
    world.clock.nowMs += 1
    const { secret, ...key } = must(await issue(hmac), 201)
    expect(secret).to.match(/^[A-Za-z0-9_-]{43}$/)
    expect(key).to.deep.equal({
      prefix: key.prefix,
      name: 'Backup operator',
      game: null,
      kind: 'server',
      algorithm: 'hmac-sha256',
      permissions: ['sys:games'],
      created: new Date(world.clock.nowMs).toISOString(),
      revoked: false,
      last_used: null,
    })
    expect(key.prefix).to.match(/^sk_[a-z2-7]{24}$/)
    const token = await tokenOf(world, hmacSigner(key.prefix, secret))
    must(await world.call('POST', '/api/gm/', { token, body: { name: 'Made by the second' } }), 201)
    await makeGame(world)
    const page = await list()
    expect(page.keys.map(({ prefix }: Body) => prefix)).to.deep.equal([world.operator.prefix, key.prefix])
    expect({ ...page.keys[1], last_used: null }).to.deep.equal(key)
    expect({ ...page, keys: [] }).to.deep.equal({ keys: [], count: 2, offset: 0, limit: 20, next_offset: null })
  })

  it('are issued once for an Idempotency-Key, with the same secret', async () => {
    const headers = { 'idempotency-key': 'one operator' }
    const first = must(await issue(hmac, headers), 201)
    expect(must(await issue(hmac, headers), 201)).to.deep.equal(first)
    expect((await list()).count).to.equal(2)
  })

  it('may be Ed25519 pairs of the caller or of the server; weak and unfit public keys are refused', async () => {
    const pair = must(await issue({ name: 'e', algorithm: 'ed25519', public_key: null }), 201)
    expect((await handshake(world, ed25519Signer(pair.prefix, pair.private_key))).status).to.equal(200)
    const seed = nacl.randomBytes(32)
    const public_key = Buffer.from(nacl.sign.keyPair.fromSeed(seed).publicKey).toString('base64url')
    const own = must(await issue({ name: 'own', algorithm: 'ed25519', public_key }), 201)
    expect(own).to.not.have.any.keys('secret', 'private_key')
    const signer = ed25519Signer(own.prefix, Buffer.from(seed).toString('base64url'))
    expect(must(await handshake(world, signer), 200).permissions).to.deep.equal(['sys:games'])
    const weak = Buffer.alloc(32).toString('base64url')
    expect(answerCode(await issue({ name: 'w', algorithm: 'ed25519', public_key: weak }))).to.equal(
      '400 weak_public_key',
    )
    expect(answerCode(await issue({ ...hmac, public_key }))).to.equal('400 malformed')
    expect(answerCode(await issue({ ...hmac, permissions: ['lb:*:*'] }))).to.equal('400 malformed')
  })

  it('are revoked with their tokens, and stay in the list as revoked', async () => {
    const key = await second()
    const token = await tokenOf(world, key)
    expect(must(await revoke(key.prefix), 200)).to.deep.equal({ deleted: key.prefix })
    expect(answerCode(await world.call('GET', '/api/sys/keys/', { token }))).to.equal('401 token_rejected')
    expect(answerCode(await handshake(world, key))).to.equal('401 challenge_rejected')
    expect((await list()).keys.map(({ revoked }: Body) => revoked)).to.deep.equal([false, true])
    expect((await revoke(key.prefix)).status, 'again').to.equal(200)
  })

  it('keep the last one: 409 last_operator_key, until there is another', async () => {
    const refused = await revoke(world.operator.prefix)
    expect(answerCode(refused)).to.equal('409 last_operator_key')
    expect(refused.body.detail).to.include('Make another operator key, then revoke this one.')
    const revokedBefore = await second()
    must(await revoke(revokedBefore.prefix), 200)
    expect(answerCode(await revoke(world.operator.prefix))).to.equal('409 last_operator_key')
    const key = await second()
    must(await revoke(world.operator.prefix, await tokenOf(world, key)), 200)
    expect(answerCode(await revoke(key.prefix, await tokenOf(world, key)))).to.equal('409 last_operator_key')
    await world.restart()
    expect(answerCode(await revoke(key.prefix, await tokenOf(world, key)))).to.equal('409 last_operator_key')
  })

  it('are not revoked by a prefix of a game’s key or an unknown one', async () => {
    const game = await makeGame(world)
    for (const prefix of [game.server.prefix, `sk_${'a'.repeat(24)}`, 'operators']) {
      expect(answerCode(await revoke(prefix)), prefix).to.equal('404 key_not_found')
    }
    const { keys } = must(await world.call('GET', `/api/gm/${game.id}/keys/`, { token: game.token }), 200)
    expect(keys.map(({ revoked }: Body) => revoked)).to.deep.equal([false])
    const ofOperator = `/api/gm/${game.id}/keys/${world.operator.prefix}/`
    expect(answerCode(await world.call('DELETE', ofOperator, { token: operator }))).to.equal('404 key_not_found')
  })

  it('answer a repeated revocation with an Idempotency-Key as the first time', async () => {
    const key = await second()
    const headers = { 'idempotency-key': 'revoke once' }
    const answers = [await revoke(key.prefix, operator, headers), await revoke(key.prefix, operator, headers)]
    expect(answers.map((answer) => [answerCode(answer), answer.headers['idempotent-replay']])).to.deep.equal([
      ['200', undefined],
      ['200', 'true'],
    ])
  })

  it('are at most 100 at a time: 422 too_many_keys', async () => {
    for (let n = 1; n < 100; n++) must(await issue({ ...hmac, name: `k${n}` }), 201)
    const refused = await issue(hmac)
    expect([answerCode(refused), refused.body.limit]).to.deep.equal(['422 too_many_keys', 100])
    const { keys } = must(await world.call('GET', '/api/sys/keys/?limit=2', { token: operator }), 200)
    must(await revoke(keys[1].prefix), 200)
    must(await issue(hmac), 201)
  }).timeout(60_000)

  it(`lets exactly one of two revocations of the last two keys win, in ${RACES} races`, async () => {
    let left: Signer = world.operator
    for (let race = 0; race < RACES; race++) {
      const made = must(
        await world.call('POST', '/api/sys/keys/', { token: await tokenOf(world, left), body: hmac }),
        201,
      )
      const other = hmacSigner(made.prefix, made.secret)
      const tokens = [await tokenOf(world, left), await tokenOf(world, other)]
      const answers = await Promise.all([revoke(other.prefix, tokens[0]), revoke(left.prefix, tokens[1])])
      // The one that comes later is refused because it would leave none, or because its own key is revoked already.
      const won = answers.map(({ status }) => status === 200)
      expect(won.filter(Boolean), JSON.stringify(answers.map(answerCode))).to.have.length(1)
      const lost = answerCode(won[0] === true ? answers[1] : answers[0])
      expect(['409 last_operator_key', '401 token_rejected']).to.include(lost)
      left = won[0] === true ? left : other
      expect((await handshake(world, left)).status).to.equal(200)
    }
  }).timeout(60_000)
})
