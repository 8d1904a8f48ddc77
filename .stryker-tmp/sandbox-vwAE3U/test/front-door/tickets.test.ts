// The tenant's tickets.

import { expect } from 'chai'
import { type Door, openDoor, shown } from './players-at-the-door.ts'
import { makePlayer } from './scenery.ts'
import { sharedWorld } from './shared.ts'
import { outcome } from './tenant.ts'
import { must } from './world.ts'

const REJECTED = { status: 401, code: 'sign_in_rejected' }
const LIFETIME_MS = 120_000

describe('a ticket of the tenant’s', () => {
  let door: Door
  before(async () => {
    door = await openDoor(await sharedWorld())
  })

  const redeem = (ticket: string, headers = {}) => door.post('ticket/redeem', { ticket }, door.client, headers)

  it('signs a player in, once', async () => {
    const { world, game } = door
    const id = await makePlayer(world, game, 'Ada')
    const made = await door.post('ticket', { player: id }, game.token)
    expect(made.body).to.deep.equal({ ticket: must(made, 201).ticket, expires_in: 120 })
    const signedIn = must(await redeem(made.body.ticket), 200)
    expect(signedIn.player).to.deep.include({ id, name: 'Ada', guest: false })
    expect(await door.stands(signedIn.token)).to.equal(200)
    expect(outcome(await redeem(made.body.ticket))).to.deep.equal(REJECTED)
  })

  it('has one winner among 32 who redeem it', async () => {
    const ticket = await door.ticket({ player: await makePlayer(door.world, door.game) })
    const answers = await Promise.all(Array.from({ length: 32 }, () => redeem(ticket)))
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1)
    expect(answers.filter(({ status }) => status === 401)).to.have.length(31)
  })

  it('makes the player of a new external id, and finds them again, also among racers', async () => {
    const whom = { external_id: 'steam:7', name: 'Eve' }
    const first = must(await redeem(await door.ticket(whom)), 200)
    expect(first.player.name).to.equal('Eve')
    const again = must(await redeem(await door.ticket({ ...whom, name: 'Other' })), 200)
    expect(again.player).to.deep.equal(first.player)
    const tickets = await Promise.all(Array.from({ length: 8 }, () => door.ticket({ external_id: 'raced:1' })))
    const ids = new Set<string>()
    for (const ticket of tickets) ids.add(must(await redeem(ticket), 200).player.id)
    expect(ids.size).to.equal(1)
    const [id] = ids
    const path = `/api/gm/${door.game.id}/players/${id}/`
    const seen = must(await door.world.call('GET', path, { token: door.game.token }), 200)
    expect(seen).to.include({ external_id: 'raced:1', guest: false, name: `Player${id?.slice(0, 4)}` })
  })

  it('lasts two minutes', async () => {
    const id = await makePlayer(door.world, door.game)
    const { clock } = door.world
    const [early, late] = [await door.ticket({ player: id }), await door.ticket({ player: id })]
    clock.nowMs += LIFETIME_MS - 1
    expect((await redeem(early)).status).to.equal(200)
    clock.nowMs += 1
    expect(outcome(await redeem(late))).to.deep.equal(REJECTED)
  })

  it('is refused alike, whatever is wrong with it', async () => {
    const used = await door.ticket({ external_id: 'used' })
    await redeem(used)
    const other = await openDoor(door.world)
    const theirs = await other.ticket({ external_id: 'theirs' })
    const answers = [await redeem(used), await redeem('x'), await redeem('A'.repeat(43)), await redeem(theirs)]
    for (const answer of answers) expect(shown(answer)).to.deep.equal(shown(answers[0] as never))
    expect(outcome(answers[0] as never)).to.deep.equal(REJECTED)
    expect(
      outcome(await other.post('ticket/redeem', { ticket: theirs })),
      'taken by who could not use it',
    ).to.deep.equal(REJECTED)
  })

  it('names one player of the game', async () => {
    const { game } = door
    const other = await openDoor(door.world)
    const stranger = await makePlayer(door.world, other.game)
    for (const player of [stranger, 'nobody']) {
      expect(outcome(await door.post('ticket', { player }, game.token))).to.deep.equal({
        status: 422,
        code: 'unknown_player',
      })
    }
    const bad = [{}, { player: 'a', external_id: 'b' }, { player: 'a', name: 'b' }, { name: 'b' }, { external_id: '' }]
    for (const body of bad) {
      expect([body, outcome(await door.post('ticket', body, game.token))]).to.deep.equal([
        body,
        { status: 400, code: 'malformed' },
      ])
    }
  })

  it('is answered again where the call is repeated, and is no more valid for that', async () => {
    const headers = { 'idempotency-key': 'ticket-once' }
    for (const whom of [{ player: await makePlayer(door.world, door.game) }, { external_id: 'repeated' }]) {
      const key = { 'idempotency-key': `${headers['idempotency-key']}-${Object.keys(whom)}` }
      const ask = () => door.post('ticket', whom, door.game.token, key)
      const [first, second] = [await ask(), await ask()]
      expect(second.body).to.deep.equal(must(first, 201))
      expect(second.headers['idempotent-replay']).to.equal('true')
      const { ticket } = first.body
      const redeemed = must(await redeem(ticket, key), 200)
      expect(must(await redeem(ticket, key), 200).refresh_token).to.equal(redeemed.refresh_token)
      expect((await ask()).body.ticket).to.equal(ticket)
      expect(outcome(await redeem(ticket))).to.deep.equal(REJECTED)
    }
  })

  it('is refused where the game has tickets switched off', async () => {
    const own = await openDoor(door.world)
    const ticket = await own.ticket({ external_id: 'x' })
    const path = `/api/gm/${own.game.id}/`
    must(await own.world.call('PUT', path, { token: own.game.token, body: { sign_in: { ticket: false } } }), 200)
    const off = { status: 403, code: 'sign_in_method_off' }
    expect(outcome(await own.post('ticket', { external_id: 'x' }, own.game.token))).to.deep.equal(off)
    expect(outcome(await own.post('ticket/redeem', { ticket }))).to.deep.equal(off)
  })
})
