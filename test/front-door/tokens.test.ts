// Bearer tokens and sessions over time: valid for an hour, also after a restart, with no more permissions than the key
// has now, and invalid with the key or the session.

import { expect } from 'chai'
import { clientToken, type MadeGame, makeGame, makeKey, signInGuest } from './game-fixtures.ts'
import { answerCode } from './tenant.ts'
import { handshake, must, openWorld, tokenOf, type World } from './world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('tokens and sessions', () => {
  let world: World
  let game: MadeGame

  before(async () => {
    world = await openWorld()
    game = await makeGame(world)
  })
  after(() => world.close())
  /** The clock may be past the end of the previous token. */
  beforeEach(async () => {
    game = { ...game, token: await tokenOf(world, game.server) }
  })

  const readGame = (token: string) => world.call('GET', `/api/gm/${game.id}/`, { token })
  const me = (token: string) => world.call('GET', `/api/gm/${game.id}/player/me/`, { token })
  const refresh = (refreshToken: unknown, of = game.id) =>
    world.call('POST', `/api/gm/${of}/player/refresh/`, { body: { refresh_token: refreshToken } })
  const signOut = (token: string, body?: object) =>
    world.call('POST', `/api/gm/${game.id}/player/signout/`, body === undefined ? { token } : { token, body })
  const setPermissions = (prefix: string, permissions: string[]) =>
    world.call('PUT', `/api/gm/${game.id}/keys/${prefix}/`, { token: game.token, body: { permissions } })
  const rejected = '401 token_rejected'
  const signInRejected = '401 sign_in_rejected'

  it('accepts a token until its expires_at and not a millisecond longer', async () => {
    world.clock.nowMs = Math.ceil(world.clock.nowMs / 1000) * 1000 + 400
    const { token, expires_at: expiresAt } = must(await handshake(world, game.server), 200)
    expect(expiresAt).to.equal(Math.floor(world.clock.nowMs / 1000) + 3600)
    world.clock.nowMs = expiresAt * 1000 - 1
    expect((await readGame(token)).status).to.equal(200)
    world.clock.nowMs = expiresAt * 1000
    const answer = await readGame(token)
    expect(answerCode(answer)).to.equal(rejected)
    expect(answer.headers['www-authenticate']).to.equal('Bearer')
  })

  it('accepts tokens, sessions, refresh and guest tokens after a restart', async () => {
    const client = await clientToken(world, game)
    const guest = await signInGuest(world, game, client, 'Ada')
    await world.restart()
    expect((await readGame(game.token)).status).to.equal(200)
    expect(must(await me(guest.token), 200)).to.include({ id: guest.id, name: 'Ada', guest: true })
    expect(must(await refresh(guest.refreshToken), 200).player.id).to.equal(guest.id)
    const again = { token: client, body: { guest_token: guest.guestToken } }
    expect(must(await world.call('POST', `/api/gm/${game.id}/player/guest/`, again), 200).player.id).to.equal(guest.id)
  })

  it('applies narrowed permissions to existing tokens at once, and never adds widened ones', async () => {
    const key = await makeKey(world, game, { permissions: [`gm:${game.id}:details`, `gm:${game.id}:keys`] })
    const token = await tokenOf(world, key)
    const keys = () => world.call('GET', `/api/gm/${game.id}/keys/`, { token })
    expect((await readGame(token)).status).to.equal(200)
    must(await setPermissions(key.prefix, [`gm:${game.id}:keys`]), 200)
    const refused = await readGame(token)
    expect([refused.status, refused.body.code, refused.body.needed]).to.deep.equal([
      403,
      'permission_needed',
      `gm:${game.id}:details`,
    ])
    expect((await keys()).status).to.equal(200)
    must(await setPermissions(key.prefix, [`gm:${game.id}:*`]), 200)
    expect((await readGame(token)).status).to.equal(200)
    const boards = await world.call('GET', `/api/gm/${game.id}/lb/`, { token })
    expect(answerCode(boards)).to.equal('403 permission_needed')
  })

  it('renews a token with no more permissions than the key has now', async () => {
    const key = await makeKey(world, game, { kind: 'client' })
    const guest = await signInGuest(world, game, await tokenOf(world, key))
    must(await setPermissions(key.prefix, ['lb:*:scores']), 200)
    expect(must(await refresh(guest.refreshToken), 200).permissions).to.deep.equal(['lb:*:scores'])
    const signedIn = { token: guest.token, body: {} }
    const next = must(await world.call('POST', `/api/gm/${game.id}/player/guest/`, signedIn), 201)
    expect(next.permissions).to.deep.equal(['lb:*:scores'])
  })

  it('rejects tokens, sessions and refresh tokens of a revoked key at once', async () => {
    const key = await makeKey(world, game, { kind: 'client' })
    const token = await tokenOf(world, key)
    const guest = await signInGuest(world, game, token)
    must(await world.call('DELETE', `/api/gm/${game.id}/keys/${key.prefix}/`, { token: game.token }), 200)
    expect(answerCode(await me(token))).to.equal(rejected)
    expect(answerCode(await me(guest.token))).to.equal(rejected)
    expect(answerCode(await refresh(guest.refreshToken))).to.equal(signInRejected)
    await world.restart()
    expect(answerCode(await me(guest.token))).to.equal(rejected)
  })

  it('accepts the same refresh token for 30 days, without a bearer token', async () => {
    const guest = await signInGuest(world, game, await clientToken(world, game))
    const startedMs = world.clock.nowMs
    for (const days of [1, 15, 29]) {
      world.clock.nowMs = startedMs + days * DAY_MS
      const renewed = must(await refresh(guest.refreshToken), 200)
      expect(renewed.refresh_token).to.equal(guest.refreshToken)
      expect(renewed.player).to.have.all.keys('id', 'name', 'created', 'guest')
      expect((await me(renewed.token)).status).to.equal(200)
    }
    world.clock.nowMs = startedMs + 30 * DAY_MS - 1000
    const last = must(await refresh(guest.refreshToken), 200).token
    expect((await me(last)).status).to.equal(200)
    world.clock.nowMs = startedMs + 30 * DAY_MS
    expect(answerCode(await refresh(guest.refreshToken))).to.equal(signInRejected)
    expect(answerCode(await me(last))).to.equal(rejected)
  })

  it('ends only the current session by signing out', async () => {
    const client = await clientToken(world, game)
    const guest = await signInGuest(world, game, client)
    const body = { guest_token: guest.guestToken }
    const other = must(await world.call('POST', `/api/gm/${game.id}/player/guest/`, { token: client, body }), 200)
    expect(must(await signOut(guest.token), 200)).to.deep.equal({ signed_out: 1 })
    expect(answerCode(await me(guest.token))).to.equal(rejected)
    expect(answerCode(await refresh(guest.refreshToken))).to.equal(signInRejected)
    expect((await me(other.token)).status).to.equal(200)
    await world.restart()
    expect(answerCode(await me(guest.token))).to.equal(rejected)
    expect((await me(other.token)).status).to.equal(200)
  })

  it('rejects tokens with another algorithm or signature, and two Authorization headers', async () => {
    const [header = '', payload = '', signature = ''] = game.token.split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const altered = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('"game"', '"Game"')).toString(
      'base64url',
    )
    const forged = [
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${altered}.${signature}`,
      `${header}.${payload}`,
      `${header}.${payload}.${signature}.`,
      `${game.token}A`,
    ]
    for (const token of forged) expect([token, (await readGame(token)).status]).to.deep.equal([token, 401])
    const headers = [
      `bearer ${game.token}`,
      `Basic ${game.token}`,
      game.token,
      `Bearer ${game.token}, Bearer ${game.token}`,
      `Bearer ${game.token} x`,
      'Bearer',
      '',
    ]
    const statuses = []
    for (const authorization of headers) {
      statuses.push((await world.call('GET', `/api/gm/${game.id}/`, { headers: { authorization } })).status)
    }
    expect(statuses).to.deep.equal([200, 401, 401, 401, 401, 401, 401])
    const twice = { authorization: [`Bearer ${game.token}`, `Bearer ${game.token}`] }
    expect((await world.call('GET', `/api/gm/${game.id}/`, { headers: twice })).status).to.equal(401)
  })

  it('grants no permission of the operator to a key of a game, by name or by wildcard', async () => {
    const path = `/api/gm/${game.id}/keys/`
    const body = { name: 'k', kind: 'server', algorithm: 'hmac-sha256', permissions: ['sys:games'] }
    const refused = '422 permission_not_grantable'
    expect(answerCode(await world.call('POST', path, { token: game.token, body }))).to.equal(refused)
    const key = await makeKey(world, game, { permissions: ['*:*', '*:*:*'] })
    expect(answerCode(await setPermissions(key.prefix, ['sys:games']))).to.equal(refused)
    const { token, permissions, declined } = must(await handshake(world, key, ['sys:games', 'gm:x:y']), 200)
    expect({ permissions, declined }).to.deep.equal({ permissions: ['gm:x:y'], declined: ['sys:games'] })
    const forbidden = '403 permission_needed'
    expect(answerCode(await world.call('GET', '/api/gm/', { token }))).to.equal(forbidden)
    expect(answerCode(await world.call('POST', '/api/gm/', { token, body: { name: 'mine' } }))).to.equal(forbidden)
  })
})
