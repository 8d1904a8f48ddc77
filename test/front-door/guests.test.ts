// Guests: how they sign in and are recognised, who is refused, and signing out everywhere.

import { expect } from 'chai'
import { clientDefaults, clientToken, type MadeGame, makeGame, signInGuest } from './game-fixtures.ts'
import { sharedWorld } from './shared.ts'
import { answerCode } from './tenant.ts'
import { must, tokenOf, type World } from './world.ts'

describe('guests', () => {
  let world: World
  let game: MadeGame

  before(async () => {
    world = await sharedWorld()
    game = await makeGame(world)
  })

  const me = (token: string) => world.call('GET', `/api/gm/${game.id}/player/me/`, { token })
  const refresh = (refreshToken: unknown, of = game.id) =>
    world.call('POST', `/api/gm/${of}/player/refresh/`, { body: { refresh_token: refreshToken } })
  const signOut = (token: string, body?: object) =>
    world.call('POST', `/api/gm/${game.id}/player/signout/`, body === undefined ? { token } : { token, body })
  const rejected = '401 token_rejected'
  const signInRejected = '401 sign_in_rejected'

  it('answers the sign-in of a guest with exactly these fields', async () => {
    const client = await clientToken(world, game)
    const answer = await world.call('POST', `/api/gm/${game.id}/player/guest/`, {
      token: client,
      body: { name: 'Zoé' },
    })
    const { token, refresh_token, guest_token, player, ...rest } = must(answer, 201)
    expect([typeof token, typeof refresh_token, typeof guest_token]).to.deep.equal(['string', 'string', 'string'])
    const created = new Date(world.clock.nowMs).toISOString()
    expect(player).to.deep.equal({ id: player.id, name: 'Zoé', created, guest: true })
    expect(rest).to.deep.equal({
      expires_at: Math.floor(world.clock.nowMs / 1000) + 3600,
      permissions: clientDefaults(game.id),
      declined: [],
    })
  })

  it('signs a known guest in with 200, without showing the guest token again', async () => {
    const client = await clientToken(world, game)
    const guest = await signInGuest(world, game, client)
    const body = { guest_token: guest.guestToken }
    const again = must(await world.call('POST', `/api/gm/${game.id}/player/guest/`, { token: client, body }), 200)
    expect(again.player.id).to.equal(guest.id)
    expect(again).to.not.have.property('guest_token')
    expect(again.refresh_token).to.not.equal(guest.refreshToken)
  })

  it('names a guest without a name Guest and four characters', async () => {
    const guest = await signInGuest(world, game, await clientToken(world, game))
    expect(must(await me(guest.token), 200).name).to.match(/^Guest[a-z0-9]{4}$/)
  })

  it('answers wrong guest tokens and wrong refresh tokens alike', async () => {
    const client = await clientToken(world, game)
    const guest = await signInGuest(world, game, client)
    const other = await makeGame(world)
    const stranger = await signInGuest(world, other, await clientToken(world, other))
    const spoilt = (token: string) => [
      `${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`,
      `${token}A`,
      token.slice(1),
      `${token}.`,
      'x',
      '.',
    ]
    for (const token of [...spoilt(guest.guestToken), guest.refreshToken, stranger.guestToken]) {
      const answer = await world.call('POST', `/api/gm/${game.id}/player/guest/`, {
        token: client,
        body: { guest_token: token },
      })
      expect([token, answerCode(answer)]).to.deep.equal([token, signInRejected])
    }
    for (const token of [...spoilt(guest.refreshToken), guest.guestToken, stranger.refreshToken]) {
      expect([token, answerCode(await refresh(token))]).to.deep.equal([token, signInRejected])
    }
    expect(answerCode(await refresh(guest.refreshToken, 'nosuchgame'))).to.equal(signInRejected)
  })

  it('ends all sessions of a guest who signs out everywhere, and answers their number', async () => {
    const client = await clientToken(world, game)
    const guest = await signInGuest(world, game, client)
    const body = { guest_token: guest.guestToken }
    const tokens = [guest.token]
    for (let i = 0; i < 3; i++)
      tokens.push(
        must(await world.call('POST', `/api/gm/${game.id}/player/guest/`, { token: client, body }), 200).token,
      )
    must(await signOut(tokens.pop() as string), 200)
    expect(must(await signOut(tokens[1] as string, { everywhere: true }), 200)).to.deep.equal({ signed_out: 3 })
    for (const token of tokens) expect(answerCode(await me(token))).to.equal(rejected)
    expect((await world.call('POST', `/api/gm/${game.id}/player/guest/`, { token: client, body })).status).to.equal(200)
  })

  it('answers 422 player_required to player routes with the token of a key', async () => {
    for (const answer of [await me(game.token), await signOut(game.token)]) {
      expect(answerCode(answer)).to.equal('422 player_required')
    }
  })

  it('refuses guests with 403 where the game has switched them off', async () => {
    const own = await makeGame(world)
    const client = await clientToken(world, own)
    const guest = await signInGuest(world, own, client)
    must(await world.call('PUT', `/api/gm/${own.id}/`, { token: own.token, body: { sign_in: { guest: false } } }), 200)
    const answer = await world.call('POST', `/api/gm/${own.id}/player/guest/`, { token: client, body: {} })
    expect(answerCode(answer)).to.equal('403 sign_in_method_off')
    expect((await refresh(guest.refreshToken, own.id)).status).to.equal(200)
  })

  it('signs nobody in with the token of an operator, which belongs to no game', async () => {
    const token = await tokenOf(world, world.operator)
    const answer = await world.call('POST', `/api/gm/${game.id}/player/guest/`, { token, body: {} })
    expect(answerCode(answer)).to.equal('404 game_not_found')
  })
})
