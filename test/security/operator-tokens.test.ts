// An adversary who has tokens of a game, or those of a revoked operator key, against every call of operators.

import { expect } from 'chai'
import { makeKey, signInGuest } from '../front-door/game-fixtures.ts'
import { answerCode } from '../front-door/tenant.ts'
import { handshake, hmacSigner, must, openWorld, tokenOf, type World } from '../front-door/world.ts'
import { goodCall, makeSampleGame, nameOf, pathOf, SAMPLES, type SampleGame, TABLE } from './samples.ts'

const ROUNDS = 20
const OPERATORS = TABLE.filter(({ needs }) => typeof needs !== 'string' && needs.permission === 'sys:games')
const HEADER = (alg: string) => encoded({ alg, typ: 'JWT' })
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('calls of operators', () => {
  let world: World
  let sampleGame: SampleGame
  let operator: string

  before(async () => {
    world = await openWorld()
    sampleGame = await makeSampleGame(world, 'game')
    operator = await tokenOf(world, world.operator)
  })
  after(() => world.close())

  const tokenOfGame = async (token: string) =>
    must(await world.call('POST', `/api/gm/${sampleGame.game.id}/token/`, { token }), 200).token as string
  async function secondOperator() {
    const body = { name: 'second', algorithm: 'hmac-sha256' }
    const { prefix, secret } = must(await world.call('POST', '/api/sys/keys/', { token: operator, body }), 201)
    return hmacSigner(prefix, secret)
  }

  /** The token with other claims, under every signature and header that the adversary can make. */
  function forged(token: string, signed: string): string[] {
    const [header = '', payload = '', signature = ''] = token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const wanted = { ...claims, sub: world.operator.prefix, game: null, permissions: ['sys:games'] }
    const changed = [wanted, { ...wanted, player: null, session: null }, { ...claims, game: null }].map(encoded)
    const others = signed.split('.')
    return changed.flatMap((text) => [
      `${header}.${text}.${signature}`,
      `${header}.${text}.${others[2]}`,
      `${header}.${text}.`,
      `${HEADER('none')}.${text}.`,
      `${HEADER('HS512')}.${text}.${signature}`,
      `${others[0]}.${others[1]}.${signature}`,
    ])
  }

  it('refuse forged tokens and those of a revoked operator key', async () => {
    const second = await secondOperator()
    const theirs = await tokenOf(world, second)
    const revoked = [theirs, await tokenOfGame(theirs)]
    must(await world.call('DELETE', `/api/sys/keys/${second.prefix}/`, { token: operator }), 200)
    const own = [sampleGame.game.token, sampleGame.client, sampleGame.guest.token, await tokenOfGame(operator)]
    const tokens = [...revoked, ...own.flatMap((token) => forged(token, revoked[0] ?? ''))]
    expect(OPERATORS).to.have.length.above(10)
    for (const route of OPERATORS) {
      const sample = SAMPLES[nameOf(route)]
      if (sample === undefined) throw new Error('no sample')
      const path = pathOf(route, (await sample.params?.(sampleGame)) ?? {})
      const sent = await goodCall(sample, sampleGame)
      for (const token of tokens) {
        const answer = await world.call(route.method, path, { ...sent, token })
        expect([nameOf(route), answerCode(answer), token]).to.deep.equal([nameOf(route), '401 token_rejected', token])
      }
    }
  }).timeout(60_000)

  it('revoke no key of a game, which its own server revokes', async () => {
    const key = await makeKey(world, sampleGame.game)
    const revoke = (token: string, prefix: string) => world.call('DELETE', `/api/sys/keys/${prefix}/`, { token })
    expect(answerCode(await revoke(operator, key.prefix))).to.equal('404 key_not_found')
    expect(answerCode(await handshake(world, key))).to.equal('200')
    for (const token of [sampleGame.game.token, await tokenOfGame(operator)]) {
      expect(answerCode(await revoke(token, world.operator.prefix))).to.equal('403 permission_needed')
    }
  })

  it('leave no valid token of a game behind when it is issued while the key is revoked', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const second = await secondOperator()
      const token = await tokenOf(world, second)
      const asking = Array.from({ length: 4 }, () =>
        world.call('POST', `/api/gm/${sampleGame.game.id}/token/`, { token }),
      )
      const revoking = world.call('DELETE', `/api/sys/keys/${second.prefix}/`, { token: operator })
      const asked = await Promise.all(asking)
      must(await revoking, 200)
      for (const { status, body } of asked) {
        if (status === 401) continue
        expect(status).to.equal(200)
        const read = await world.call('GET', `/api/gm/${sampleGame.game.id}/`, { token: body.token })
        expect(answerCode(read)).to.equal('401 token_rejected')
      }
    }
  })

  it('do not begin a session of a player through a sign-in ticket of an operator’s token', async () => {
    const path = `/api/gm/${sampleGame.game.id}/player/ticket/`
    const victim = await signInGuest(world, sampleGame.game, sampleGame.client)
    const token = await tokenOfGame(operator)
    const key = { 'idempotency-key': 'a ticket' }
    const call = (sent: object, by: string) => world.call('POST', path, { token: by, body: sent, headers: key })
    for (const body of [{ player: victim.id }, { external_id: 'mine', name: 'Mine' }]) {
      expect(answerCode(await call(body, token))).to.equal('403 operator_token')
    }
    must(await call({ player: victim.id }, sampleGame.game.token), 201)
    expect(answerCode(await call({ player: victim.id }, token)), 'nor repeat one').to.equal('403 operator_token')
  })
})
