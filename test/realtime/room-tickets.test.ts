// Room tickets over HTTP: who gets one, and how a separate rooms process redeems one.

import { expect } from 'chai'
import type { Config } from '../../server/config.ts'
import { answerCode } from '../front-door/tenant.ts'
import { must, openWorld, type World } from '../front-door/world.ts'
import { closeRoomClients, openRoomsFixture, type RoomsFixture } from './rooms-fixture.ts'

const SECRET = 'a secret of thirty-two characters, or more'.replaceAll(' ', '-')
const REJECTED = '401 ticket_rejected'

describe('over HTTP: a room ticket', () => {
  let world: World
  let fixture: RoomsFixture
  before(async () => {
    world = await openWorld()
    const changes: Partial<Config> = { realtimeSecret: SECRET, realtimeUrl: 'https://rooms.example.com' }
    await world.restart(changes)
    fixture = await openRoomsFixture(world, { require_player: false })
  })
  after(async () => {
    closeRoomClients()
    await world.close()
  })

  const redeem = (ticket: unknown, secret: string | null = SECRET) =>
    world.call('POST', '/api/rt/redeem/', {
      body: { ticket },
      ...(secret === null ? {} : { headers: { 'x-realtime-secret': secret } }),
    })

  it('is issued only to callers who may enter the game’s rooms', async () => {
    const path = `/api/gm/${fixture.game.id}/rt/ticket/`
    const made = await world.call('POST', path, { token: fixture.client })
    expect([made.status, { ...made.body, ticket: '…' }]).to.deep.equal([
      201,
      { ticket: '…', url: 'https://rooms.example.com', expires_in: 30 },
    ])
    const off = await openRoomsFixture(world, { enabled: false })
    const asked = await world.call('POST', `/api/gm/${off.game.id}/rt/ticket/`, { token: off.client })
    expect(answerCode(asked)).to.equal('422 rooms_off')
    await off.set({ enabled: true })
    const nobody = await world.call('POST', `/api/gm/${off.game.id}/rt/ticket/`, { token: off.client })
    expect(answerCode(nobody)).to.equal('422 player_required')
    expect(await off.ticket((await off.guest()).token)).to.match(/^[\w-]{43}$/)
  })

  it('can be redeemed once, and returns the game’s settings and the player', async () => {
    const fixed = [{ id: 'lobby', name: 'Lobby', max_members: 9, listed: true }]
    await fixture.set({ max_rooms: 7 }, { fixed_rooms: fixed })
    const guest = await fixture.guest('Ada')
    const ticket = await fixture.ticket(guest.token)
    expect(must(await redeem(ticket), 200)).to.deep.equal({
      game: fixture.game.id,
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
    expect(answerCode(await redeem(ticket))).to.equal(REJECTED)
    expect(must(await redeem(await fixture.ticket(fixture.client)), 200).player).to.equal(null)
  })

  it('is redeemed by exactly one of 64 concurrent calls', async () => {
    const ticket = await fixture.ticket(fixture.client)
    const answers = await Promise.all(Array.from({ length: 64 }, () => redeem(ticket)))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(63).fill(401)])
  })

  it('expires after 30 seconds', async () => {
    const [early, late] = [await fixture.ticket(fixture.client), await fixture.ticket(fixture.client)]
    world.clock.nowMs += 29_999
    expect((await redeem(early)).status).to.equal(200)
    world.clock.nowMs += 1
    expect(answerCode(await redeem(late))).to.equal(REJECTED)
  })

  it('is rejected once its holder may no longer enter', async () => {
    const own = await openRoomsFixture(world)
    const guest = await own.guest()
    const [first, second] = [await own.ticket(guest.token), await own.ticket(guest.token)]
    await own.set({ enabled: false })
    expect(answerCode(await redeem(first))).to.equal(REJECTED)
    await own.set({ enabled: true })
    const { token } = own.game
    must(await world.call('POST', `/api/gm/${own.game.id}/players/${guest.id}/ban/`, { token, body: {} }), 200)
    expect(answerCode(await redeem(second))).to.equal(REJECTED)
  })

  it('can be redeemed only with the shared secret, which is checked first', async () => {
    const ticket = await fixture.ticket(fixture.client)
    const wrong = '401 unauthenticated'
    for (const secret of [null, '', 'x', `${SECRET}x`, SECRET.slice(1)]) {
      expect([secret, answerCode(await redeem(ticket, secret))]).to.deep.equal([secret, wrong])
      expect(answerCode(await redeem(7, secret))).to.equal(wrong)
    }
    expect(answerCode(await redeem(7))).to.equal('400 malformed')
    expect(answerCode(await redeem('x'))).to.equal(REJECTED)
    const path = `/api/gm/${fixture.game.id}/rt/listen/`
    const listen = must(await world.call('POST', path, { token: fixture.game.token }), 201).ticket
    expect(answerCode(await redeem(listen))).to.equal(REJECTED)
    expect((await redeem(ticket)).status).to.equal(200)
  })

  it('cannot be redeemed over HTTP without a configured secret: the path answers 404', async () => {
    await world.restart({ realtimeSecret: null })
    const answer = await redeem('x')
    const nowhere = await world.call('POST', '/api/rt/nothing/', { body: {} })
    expect({ ...answer.body, request_id: '' }).to.deep.equal({ ...nowhere.body, request_id: '' })
    expect(answer.status).to.equal(404)
  })
})
