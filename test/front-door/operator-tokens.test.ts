// An operator's token of a game: what it may, when it ends, and that nothing made with it outlives it.

import { expect } from 'chai'
import { DEFAULT_RATE_LIMITS } from '../../runtime/rate-limits.ts'
import { closeRoomClients, connected } from '../realtime/rooms-fixture.ts'
import { type MadeGame, makeBoard, makeGame, makePlayer } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { openLines } from './lines.ts'
import { answerCode } from './tenant.ts'
import { handshake, hmacSigner, must, openWorld, type Signer, tokenOf, type World } from './world.ts'

const HOUR_S = 3_600
const EXTRA_BYTES = 8_000
/** So many submissions with that much extra data have more than 1 MiB. */
const MIB_OF_SUBMISSIONS = 2 ** 20 / EXTRA_BYTES
const REFUSED = '403 operator_token'
const REJECTED = '401 token_rejected'

describe('an operator’s token of a game', () => {
  let world: World
  let game: MadeGame
  let operator: string

  before(async () => {
    world = await openWorld()
    game = await makeGame(world)
  })
  after(async () => {
    closeRoomClients()
    await world.close()
  })
  beforeEach(async () => {
    operator = await tokenOf(world, world.operator)
  })

  const ask = (token: string, body?: unknown, of = game.id) =>
    world.call('POST', `/api/gm/${of}/token/`, body === undefined ? { token } : { token, body })
  const tokenFor = async (of = game.id) => must(await ask(operator, undefined, of), 200).token as string
  const post = (path: string, token: string, body?: unknown) =>
    world.call('POST', path, body === undefined ? { token } : { token, body })

  async function makeOperator(): Promise<Signer> {
    const made = must(await post('/api/sys/keys/', operator, { name: 'second', algorithm: 'hmac-sha256' }), 201)
    return hmacSigner(made.prefix, made.secret)
  }
  const revoke = async (prefix: string) =>
    must(await world.call('DELETE', `/api/sys/keys/${prefix}/`, { token: operator }), 200)

  it('has the default permissions of a server key, in exactly the fields of a Token', async () => {
    const answer = must(await ask(operator), 200)
    expect(answer).to.deep.equal({
      token: answer.token,
      expires_at: Math.floor(world.clock.nowMs / 1_000) + HOUR_S,
      permissions: [`gm:${game.id}:*`, 'lb:*:*', 'bkt:*:*', 'score:*:*', 'submit_for'],
      declined: [],
    })
    expect(must(await ask(operator, {}), 200).permissions).to.deep.equal(answer.permissions)
    expect(must(await ask(operator, { permissions: [] }), 200).permissions).to.deep.equal(answer.permissions)
  })

  it('carries the permissions asked for, and declines what no server key of the game can have', async () => {
    const other = await makeGame(world)
    const granted = [`gm:${game.id}:players`, 'lb:*:scores', 'gm:*:details', 'anything']
    const declined = ['sys:games', 'sys:*', `gm:${other.id}:details`, `x:${other.id}`]
    const answer = must(await ask(operator, { permissions: [...declined, ...granted] }), 200)
    expect([answer.permissions, answer.declined]).to.deep.equal([granted, declined])
    const players = await world.call('GET', `/api/gm/${game.id}/players/`, { token: answer.token })
    expect(players.status).to.equal(200)
    const boards = await world.call('GET', `/api/gm/${game.id}/lb/`, { token: answer.token })
    expect([answerCode(boards), boards.body.needed]).to.deep.equal(['403 permission_needed', `gm:${game.id}:boards`])
  })

  it('is refused when its permissions are not a list of permissions', async () => {
    for (const permissions of [null, 'lb:*:*', ['lb::x'], ['a', 'a'], [1]]) {
      expect(answerCode(await ask(operator, { permissions })), JSON.stringify(permissions)).to.equal('400 malformed')
    }
    expect(answerCode(await ask(operator, { permission: [] }))).to.equal('400 malformed')
  })

  it('is issued for existing games only', async () => {
    expect(answerCode(await ask(operator, undefined, 'a'.repeat(24)))).to.equal('404 game_not_found')
    const doomed = await makeGame(world, 'doomed')
    const token = await tokenFor(doomed.id)
    const path = `/api/gm/${doomed.id}/`
    expect((await world.call('GET', path, { token })).status).to.equal(200)
    must(await world.call('DELETE', path, { token: operator, body: { name: 'doomed' } }), 202)
    expect(answerCode(await world.call('GET', path, { token })), 'of the deleted game').to.equal(REJECTED)
    expect(answerCode(await ask(operator, undefined, doomed.id))).to.equal('404 game_not_found')
  })

  it('reads, configures and submits like a server key; events name the operator key', async () => {
    const token = await tokenFor()
    const board = must(await post(`/api/gm/${game.id}/lb/`, token, { name: 'B', ordering: 'desc' }), 201).id
    const player = must(await post(`/api/gm/${game.id}/players/`, token, { name: 'Ada' }), 201).id
    must(await post(`/api/lb/${board}/score/`, token, { score: '5', player }), 201)
    const lines = await openLines(world.port, `/api/gm/${game.id}/events/?type=ScoreSubmitted`, token)
    const [event] = (await lines.all()).filter(({ type }: Body) => type === 'ScoreSubmitted')
    expect([event.meta.actor, event.meta.game]).to.deep.equal([world.operator.prefix, game.id])
  })

  it('sees nothing of another game', async () => {
    const other = await makeGame(world)
    const board = await makeBoard(world, other)
    const player = await makePlayer(world, other)
    const token = await tokenFor()
    const answers = [
      await world.call('GET', `/api/gm/${other.id}/`, { token }),
      await world.call('GET', `/api/lb/${board}/`, { token }),
      await post(`/api/lb/${board}/score/`, token, { score: '1', player }),
      await world.call('GET', `/api/gm/${other.id}/players/${player}/`, { token }),
    ]
    expect(answers.map(({ status }) => status)).to.deep.equal([403, 404, 404, 403])
    const everywhere = must(await ask(operator, { permissions: ['gm:*:details'] }), 200).token
    expect(answerCode(await world.call('GET', `/api/gm/${other.id}/`, { token: everywhere }))).to.equal(
      '404 game_not_found',
    )
  })

  it('is issued to the operator only: no token of a game gets one, whatever its permissions', async () => {
    const wide = { name: 'wide', kind: 'server', algorithm: 'hmac-sha256', permissions: ['*:*', '*:*:*', '*'] }
    const made = must(await post(`/api/gm/${game.id}/keys/`, operator, wide), 201)
    const own = await tokenFor()
    const everything = must(await ask(operator, { permissions: ['*:*', '*:*:*', '*'] }), 200).token
    for (const token of [game.token, await tokenOf(world, hmacSigner(made.prefix, made.secret)), own, everything]) {
      const refused = [
        await ask(token),
        await post('/api/gm/', token, { name: 'Mine' }),
        await world.call('GET', '/api/sys/keys/', { token }),
        await post('/api/sys/keys/', token, { name: 'Mine', algorithm: 'hmac-sha256' }),
        await world.call('DELETE', `/api/sys/keys/${world.operator.prefix}/`, { token }),
        await world.call('DELETE', `/api/gm/${game.id}/`, { token, body: { name: 'Quest' } }),
      ]
      expect(new Set(refused.map(({ status, body }) => `${status} ${body.needed}`))).to.deep.equal(
        new Set(['403 sys:games']),
      )
    }
  })

  it('signs no player in, and makes, changes and revokes no key', async () => {
    const path = `/api/gm/${game.id}`
    const login = { login: 'ada', password: 'correct horse' }
    const keys = must(await world.call('GET', `${path}/keys/`, { token: game.token }), 200).keys
    const { prefix } = keys[0]
    for (const permissions of [[], ['*:*:*'], [`gm:${game.id}:details`]]) {
      const { token } = must(await ask(operator, { permissions }), 200)
      const calls: [string, string, unknown?][] = [
        ['POST', '/player/guest/'],
        ['POST', '/player/register/', login],
        ['POST', '/player/password/', login],
        ['POST', '/player/code/', { email: 'ada@example.com' }],
        ['POST', '/player/code/verify/', { email: 'ada@example.com', code: '123456' }],
        ['POST', '/player/ticket/', { external_id: 'ada' }],
        ['POST', '/player/ticket/redeem/', { ticket: 'x' }],
        ['POST', '/keys/', { name: 'k', kind: 'server', algorithm: 'hmac-sha256', permissions: [] }],
        ['PUT', `/keys/${prefix}/`, { permissions: [] }],
        ['DELETE', `/keys/${prefix}/`],
      ]
      for (const [method, at, body] of calls) {
        const answer = await world.call(method, path + at, body === undefined ? { token } : { token, body })
        expect(answerCode(answer), `${method} ${at}`).to.equal(REFUSED)
      }
    }
    expect(must(await world.call('GET', `${path}/keys/`, { token: await tokenFor() }), 200).keys).to.deep.equal(keys)
  })

  it('ends with the token that asked for it', async () => {
    const askedAt = Math.floor(world.clock.nowMs / 1_000)
    world.clock.nowMs += 50 * 60_000
    const { token, expires_at: expiresAt } = must(await ask(operator), 200)
    expect(expiresAt).to.equal(askedAt + HOUR_S)
    const read = async () => answerCode(await world.call('GET', `/api/gm/${game.id}/`, { token }))
    world.clock.nowMs = expiresAt * 1_000 - 1
    expect(await read()).to.equal('200')
    world.clock.nowMs = expiresAt * 1_000
    expect(await read()).to.equal(REJECTED)
  })

  it('ends at once, with all made with it, when the operator key is revoked', async () => {
    const second = await makeOperator()
    const asked = must(await ask(await tokenOf(world, second)), 200)
    const { token } = asked
    must(
      await world.call('PUT', `/api/gm/${game.id}/`, {
        token,
        body: { realtime: { enabled: true, require_player: false } },
      }),
      200,
    )
    const ticket = async () => must(await post(`/api/gm/${game.id}/rt/ticket/`, token), 201).ticket as string
    const seated = await connected({ ticket: await ticket(), port: world.port })
    const unused = await ticket()
    const { code } = must(await post('/api/console/link/', token), 201)
    const linked = must(await post('/api/console/link/', token), 201)
    const inConsole = must(await world.call('POST', '/api/console/redeem/', { body: { code } }), 200)
    expect(inConsole.expires_at).to.equal(asked.expires_at)
    expect(answerCode(await ask(inConsole.token))).to.equal('403 permission_needed')
    expect(answerCode(await post(`/api/gm/${game.id}/player/guest/`, inConsole.token))).to.equal(REFUSED)

    await revoke(second.prefix)
    for (const ended of [token, inConsole.token]) {
      expect(answerCode(await world.call('GET', `/api/gm/${game.id}/`, { token: ended }))).to.equal(REJECTED)
    }
    expect((await seated.next('closing')).code).to.equal('revoked')
    await seated.over
    const refused = await connected({ ticket: unused, port: world.port }).catch((failure) => failure)
    expect(refused).to.be.instanceOf(Error)
    const late = await world.call('POST', '/api/console/redeem/', { body: { code: linked.code } })
    expect(answerCode(late)).to.equal('401 sign_in_rejected')
    expect(answerCode(await handshake(world, second))).to.equal('401 challenge_rejected')
    await world.restart()
    expect(answerCode(await world.call('GET', `/api/gm/${game.id}/`, { token }))).to.equal(REJECTED)
  })
})

describe('what an operator’s token of a game records', () => {
  it('counts as the game’s, up to its limit of recorded bytes', async () => {
    const fast = { perSecond: 1_000_000, burst: 1_000_000 }
    const world = await openWorld({ rateLimits: { ...DEFAULT_RATE_LIMITS, key: fast, address: fast } })
    try {
      const game = await makeGame(world)
      const board = await makeBoard(world, game)
      const player = await makePlayer(world, game)
      const operator = await tokenOf(world, world.operator)
      const limits = { token: operator, body: { recorded_bytes_per_day: 2 ** 20 } }
      must(await world.call('PUT', `/api/gm/${game.id}/limits/`, limits), 200)
      // Until every node knows the limit.
      world.clock.nowMs += 10_000
      const { token } = must(await world.call('POST', `/api/gm/${game.id}/token/`, { token: operator }), 200)
      const codes: string[] = []
      while (codes.length < 2 * MIB_OF_SUBMISSIONS && !codes.includes('429 recording_limit')) {
        const body = { score: `${codes.length}`, player, extra_data: 'x'.repeat(EXTRA_BYTES) }
        codes.push(answerCode(await world.call('POST', `/api/lb/${board}/score/`, { token, body })))
      }
      expect(codes.at(-1)).to.equal('429 recording_limit')
      expect(codes.length).to.be.within(MIB_OF_SUBMISSIONS / 2, MIB_OF_SUBMISSIONS + 1)
    } finally {
      await world.close()
    }
  })
})
