// Sign-in tickets, which the tenant issues.

import { expect } from 'chai'
import { makePlayer } from './game-fixtures.ts'
import { sharedWorld } from './shared.ts'
import { comparable, openSignInApi, type SignInApi } from './sign-in-api.ts'
import { answerCode } from './tenant.ts'
import { must } from './world.ts'

const REJECTED = '401 sign_in_rejected'
const LIFETIME_MS = 120_000

describe('over HTTP: a sign-in ticket', () => {
  let api: SignInApi
  before(async () => {
    api = await openSignInApi(await sharedWorld())
  })

  const redeem = (ticket: string, headers = {}) => api.post('ticket/redeem', { ticket }, api.client, headers)

  it('signs a player in once', async () => {
    const { world, game } = api
    const id = await makePlayer(world, game, 'Ada')
    const made = await api.post('ticket', { player: id }, game.token)
    expect(made.body).to.deep.equal({ ticket: must(made, 201).ticket, expires_in: 120 })
    const signedIn = must(await redeem(made.body.ticket), 200)
    expect(signedIn.player).to.deep.include({ id, name: 'Ada', guest: false })
    expect(await api.meStatus(signedIn.token)).to.equal(200)
    expect(answerCode(await redeem(made.body.ticket))).to.equal(REJECTED)
  })

  it('creates the player of a new external id, and finds them again', async () => {
    const recipient = { external_id: 'steam:7', name: 'Eve' }
    const first = must(await redeem(await api.ticket(recipient)), 200)
    expect(first.player.name).to.equal('Eve')
    const again = must(await redeem(await api.ticket({ ...recipient, name: 'Other' })), 200)
    expect(again.player).to.deep.equal(first.player)
    const { id } = must(await redeem(await api.ticket({ external_id: 'nameless:1' })), 200).player
    const path = `/api/gm/${api.game.id}/players/${id}/`
    const shown = must(await api.world.call('GET', path, { token: api.game.token }), 200)
    expect(shown).to.include({ external_id: 'nameless:1', guest: false, name: `Player${id.slice(0, 4)}` })
  })

  it('accepts a ticket for two minutes', async () => {
    const id = await makePlayer(api.world, api.game)
    const { clock } = api.world
    const [early, late] = [await api.ticket({ player: id }), await api.ticket({ player: id })]
    clock.nowMs += LIFETIME_MS - 1
    expect((await redeem(early)).status).to.equal(200)
    clock.nowMs += 1
    expect(answerCode(await redeem(late))).to.equal(REJECTED)
  })

  it('rejects used, unknown and foreign tickets alike', async () => {
    const used = await api.ticket({ external_id: 'used' })
    await redeem(used)
    const other = await openSignInApi(api.world)
    const theirs = await other.ticket({ external_id: 'theirs' })
    const answers = [await redeem(used), await redeem('x'), await redeem('A'.repeat(43)), await redeem(theirs)]
    for (const answer of answers) expect(comparable(answer)).to.deep.equal(comparable(answers[0] as never))
    expect(answerCode(answers[0] as never)).to.equal(REJECTED)
    expect(
      answerCode(await other.post('ticket/redeem', { ticket: theirs })),
      'used up by a caller of another game',
    ).to.deep.equal(REJECTED)
  })

  it('refuses a ticket that names no player of the game, or more than one', async () => {
    const { game } = api
    const other = await openSignInApi(api.world)
    const stranger = await makePlayer(api.world, other.game)
    for (const player of [stranger, 'nobody']) {
      expect(answerCode(await api.post('ticket', { player }, game.token))).to.equal('422 unknown_player')
    }
    const bad = [{}, { player: 'a', external_id: 'b' }, { player: 'a', name: 'b' }, { name: 'b' }, { external_id: '' }]
    for (const body of bad) {
      expect([body, answerCode(await api.post('ticket', body, game.token))]).to.deep.equal([body, '400 malformed'])
    }
  })

  it('replays a ticket and its redeem from their Idempotency-Key, and rejects a second redeem', async () => {
    const headers = { 'idempotency-key': 'ticket-once' }
    for (const recipient of [{ player: await makePlayer(api.world, api.game) }, { external_id: 'repeated' }]) {
      const key = { 'idempotency-key': `${headers['idempotency-key']}-${Object.keys(recipient)}` }
      const request = () => api.post('ticket', recipient, api.game.token, key)
      const [first, second] = [await request(), await request()]
      expect(second.body).to.deep.equal(must(first, 201))
      expect(second.headers['idempotent-replay']).to.equal('true')
      const { ticket } = first.body
      const redeemed = must(await redeem(ticket, key), 200)
      expect(must(await redeem(ticket, key), 200).refresh_token).to.equal(redeemed.refresh_token)
      expect((await request()).body.ticket).to.equal(ticket)
      expect(answerCode(await redeem(ticket))).to.equal(REJECTED)
    }
  })

  it('refuses tickets with 403 where the game has switched them off', async () => {
    const own = await openSignInApi(api.world)
    const ticket = await own.ticket({ external_id: 'x' })
    const path = `/api/gm/${own.game.id}/`
    must(await own.world.call('PUT', path, { token: own.game.token, body: { sign_in: { ticket: false } } }), 200)
    const off = '403 sign_in_method_off'
    expect(answerCode(await own.post('ticket', { external_id: 'x' }, own.game.token))).to.equal(off)
    expect(answerCode(await own.post('ticket/redeem', { ticket }))).to.equal(off)
  })
})
