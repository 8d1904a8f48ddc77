// Sign-in tickets, which the tenant issues.

import { expect } from 'chai'
import { makePlayer } from './game-fixtures.ts'
import { sharedWorld } from './shared.ts'
import { comparable, openSignInApi, type SignInApi } from './sign-in-api.ts'
import { outcome } from './tenant.ts'
import { must } from './world.ts'

const REJECTED = { status: 401, code: 'sign_in_rejected' }
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
    expect(outcome(await redeem(made.body.ticket))).to.deep.equal(REJECTED)
  })

  it('lets in one of 32 callers who redeem the same ticket', async () => {
    const ticket = await api.ticket({ player: await makePlayer(api.world, api.game) })
    const answers = await Promise.all(Array.from({ length: 32 }, () => redeem(ticket)))
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1)
    expect(answers.filter(({ status }) => status === 401)).to.have.length(31)
  })

  it('creates the player of a new external id, and finds them again, also among simultaneous calls', async () => {
    const recipient = { external_id: 'steam:7', name: 'Eve' }
    const first = must(await redeem(await api.ticket(recipient)), 200)
    expect(first.player.name).to.equal('Eve')
    const again = must(await redeem(await api.ticket({ ...recipient, name: 'Other' })), 200)
    expect(again.player).to.deep.equal(first.player)
    const tickets = await Promise.all(Array.from({ length: 8 }, () => api.ticket({ external_id: 'raced:1' })))
    const ids = new Set<string>()
    for (const ticket of tickets) ids.add(must(await redeem(ticket), 200).player.id)
    expect(ids.size).to.equal(1)
    const [id] = ids
    const path = `/api/gm/${api.game.id}/players/${id}/`
    const shown = must(await api.world.call('GET', path, { token: api.game.token }), 200)
    expect(shown).to.include({ external_id: 'raced:1', guest: false, name: `Player${id?.slice(0, 4)}` })
  })

  it('accepts a ticket for two minutes', async () => {
    const id = await makePlayer(api.world, api.game)
    const { clock } = api.world
    const [early, late] = [await api.ticket({ player: id }), await api.ticket({ player: id })]
    clock.nowMs += LIFETIME_MS - 1
    expect((await redeem(early)).status).to.equal(200)
    clock.nowMs += 1
    expect(outcome(await redeem(late))).to.deep.equal(REJECTED)
  })

  it('rejects used, unknown and foreign tickets alike', async () => {
    const used = await api.ticket({ external_id: 'used' })
    await redeem(used)
    const other = await openSignInApi(api.world)
    const theirs = await other.ticket({ external_id: 'theirs' })
    const answers = [await redeem(used), await redeem('x'), await redeem('A'.repeat(43)), await redeem(theirs)]
    for (const answer of answers) expect(comparable(answer)).to.deep.equal(comparable(answers[0] as never))
    expect(outcome(answers[0] as never)).to.deep.equal(REJECTED)
    expect(
      outcome(await other.post('ticket/redeem', { ticket: theirs })),
      'used up by a caller of another game',
    ).to.deep.equal(REJECTED)
  })

  it('refuses a ticket that names no player of the game, or more than one', async () => {
    const { game } = api
    const other = await openSignInApi(api.world)
    const stranger = await makePlayer(api.world, other.game)
    for (const player of [stranger, 'nobody']) {
      expect(outcome(await api.post('ticket', { player }, game.token))).to.deep.equal({
        status: 422,
        code: 'unknown_player',
      })
    }
    const bad = [{}, { player: 'a', external_id: 'b' }, { player: 'a', name: 'b' }, { name: 'b' }, { external_id: '' }]
    for (const body of bad) {
      expect([body, outcome(await api.post('ticket', body, game.token))]).to.deep.equal([
        body,
        { status: 400, code: 'malformed' },
      ])
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
      expect(outcome(await redeem(ticket))).to.deep.equal(REJECTED)
    }
  })

  it('refuses tickets with 403 where the game has switched them off', async () => {
    const own = await openSignInApi(api.world)
    const ticket = await own.ticket({ external_id: 'x' })
    const path = `/api/gm/${own.game.id}/`
    must(await own.world.call('PUT', path, { token: own.game.token, body: { sign_in: { ticket: false } } }), 200)
    const off = { status: 403, code: 'sign_in_method_off' }
    expect(outcome(await own.post('ticket', { external_id: 'x' }, own.game.token))).to.deep.equal(off)
    expect(outcome(await own.post('ticket/redeem', { ticket }))).to.deep.equal(off)
  })
})
