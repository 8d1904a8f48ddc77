// Room tickets over HTTP: who gets one, and the redemption by rooms that run apart.

import { expect } from 'chai'
import type { Config } from '../../config.ts'
import { outcome } from '../front-door/tenant.ts'
import { must, openWorld, type World } from '../front-door/world.ts'
import { closeVisitors, openParty, type Party } from './party.ts'

const SECRET = 'a secret of thirty-two characters, or more'.replaceAll(' ', '-')
const REJECTED = { status: 401, code: 'ticket_rejected' }

describe('a room ticket', () => {
  let world: World
  let party: Party
  before(async () => {
    world = await openWorld()
    const changes: Partial<Config> = { realtimeSecret: SECRET, realtimeUrl: 'https://rooms.example.com' }
    await world.restart(changes)
    party = await openParty(world, { require_player: false })
  })
  after(async () => {
    closeVisitors()
    await world.close()
  })

  const redeem = (ticket: unknown, secret: string | null = SECRET) =>
    world.call('POST', '/api/rt/redeem/', {
      body: { ticket },
      ...(secret === null ? {} : { headers: { 'x-realtime-secret': secret } }),
    })

  it('is for callers who may enter the game’s rooms', async () => {
    const path = `/api/gm/${party.game.id}/rt/ticket/`
    const made = await world.call('POST', path, { token: party.client })
    expect([made.status, { ...made.body, ticket: '…' }]).to.deep.equal([
      201,
      { ticket: '…', url: 'https://rooms.example.com', expires_in: 30 },
    ])
    const off = await openParty(world, { enabled: false })
    const asked = await world.call('POST', `/api/gm/${off.game.id}/rt/ticket/`, { token: off.client })
    expect(outcome(asked)).to.deep.equal({ status: 422, code: 'rooms_off' })
    await off.set({ enabled: true })
    const nobody = await world.call('POST', `/api/gm/${off.game.id}/rt/ticket/`, { token: off.client })
    expect(outcome(nobody)).to.deep.equal({ status: 422, code: 'player_required' })
    expect(await off.ticket((await off.guest()).token)).to.match(/^[\w-]{43}$/)
  })

  it('is redeemed once, for the game’s settings and the player', async () => {
    const fixed = [{ id: 'lobby', name: 'Lobby', max_members: 9, listed: true }]
    await party.set({ max_rooms: 7 }, { fixed_rooms: fixed })
    const guest = await party.guest('Ada')
    const ticket = await party.ticket(guest.token)
    expect(must(await redeem(ticket), 200)).to.deep.equal({
      game: party.game.id,
      player: { id: guest.id, name: 'Ada' },
      settings: {
        require_player: false,
        allow_search: true,
        allow_create: true,
        max_room_size: 32,
        max_rooms: 7,
        max_message_bytes: 4096,
        messages_per_second: 20,
      },
      fixed_rooms: fixed,
    })
    expect(outcome(await redeem(ticket))).to.deep.equal(REJECTED)
    expect(must(await redeem(await party.ticket(party.client)), 200).player).to.equal(null)
  })

  it('has one winner among 64 who redeem it', async () => {
    const ticket = await party.ticket(party.client)
    const answers = await Promise.all(Array.from({ length: 64 }, () => redeem(ticket)))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(63).fill(401)])
  })

  it('lasts half a minute', async () => {
    const [early, late] = [await party.ticket(party.client), await party.ticket(party.client)]
    world.clock.nowMs += 29_999
    expect((await redeem(early)).status).to.equal(200)
    world.clock.nowMs += 1
    expect(outcome(await redeem(late))).to.deep.equal(REJECTED)
  })

  it('is dead once its holder may not enter any more', async () => {
    const own = await openParty(world)
    const guest = await own.guest()
    const [first, second] = [await own.ticket(guest.token), await own.ticket(guest.token)]
    await own.set({ enabled: false })
    expect(outcome(await redeem(first))).to.deep.equal(REJECTED)
    await own.set({ enabled: true })
    const { token } = own.game
    must(await world.call('POST', `/api/gm/${own.game.id}/players/${guest.id}/ban/`, { token, body: {} }), 200)
    expect(outcome(await redeem(second))).to.deep.equal(REJECTED)
  })

  it('is redeemed by the secret alone, and the secret is looked at first', async () => {
    const ticket = await party.ticket(party.client)
    const wrong = { status: 401, code: 'unauthenticated' }
    for (const secret of [null, '', 'x', `${SECRET}x`, SECRET.slice(1)]) {
      expect([secret, outcome(await redeem(ticket, secret))]).to.deep.equal([secret, wrong])
      expect(outcome(await redeem(7, secret))).to.deep.equal(wrong)
    }
    expect(outcome(await redeem(7))).to.deep.equal({ status: 400, code: 'malformed' })
    expect(outcome(await redeem('x'))).to.deep.equal(REJECTED)
    expect((await redeem(ticket)).status).to.equal(200)
  })

  it('cannot be redeemed over HTTP where there is no secret: nothing is at that path', async () => {
    await world.restart({ realtimeSecret: null })
    const answer = await redeem('x')
    const nowhere = await world.call('POST', '/api/rt/nothing/', { body: {} })
    expect({ ...answer.body, request_id: '' }).to.deep.equal({ ...nowhere.body, request_id: '' })
    expect(answer.status).to.equal(404)
  })
})
