// Limits on open rooms created by one player, and from one network address.

import { expect } from 'chai'
import { ROOMS_PER_PLAYER } from '../../realtime/limits.ts'
import { trustedProxies } from '../../runtime/network.ts'
import { DEFAULT_ADDRESS_LIMITS, DEFAULT_RATE_LIMITS } from '../../runtime/rate-limits.ts'
import { openWorld, type World } from '../front-door/world.ts'
import {
  closeRoomClients,
  openRoomsFixture,
  type RoomClient,
  type RoomsFixture,
  roomsFixtureForEach,
} from './rooms-fixture.ts'

const { max: ROOMS_MAX } = DEFAULT_ADDRESS_LIMITS.rooms_address

const create = (roomClient: RoomClient) => roomClient.ask('create', { name: 'Den' })

async function makeAll(visitors: readonly RoomClient[], rooms: number): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: rooms }, (_, n) => create(visitors[n % visitors.length] as RoomClient)),
  )
  return answers.map(({ ok, code }) => (ok ? 'made' : code)).sort()
}

describe('the open rooms that one player created', () => {
  let fixture: RoomsFixture
  roomsFixtureForEach((own) => {
    fixture = own
  })

  it(`are limited to ${ROOMS_PER_PLAYER} over all of the player's connections, also with RATE_LIMITS=off`, async () => {
    const { token } = await fixture.guest()
    const own = [await fixture.enter({ token }), await fixture.enter({ token })]
    expect(await makeAll(own, ROOMS_PER_PLAYER + 2)).to.deep.equal([
      ...Array(ROOMS_PER_PLAYER).fill('made'),
      'too_many_rooms',
      'too_many_rooms',
    ])
    const refused = await create(own[0] as RoomClient)
    expect(refused.detail).to.equal('You made 5 rooms that are still open. Wait until one of them ends.')
    expect((await create(await fixture.enter())).ok, 'another player').to.equal(true)
  })

  it('end with their last member, and the player may then create another', async () => {
    const ann = await fixture.enter()
    await makeAll([ann], ROOMS_PER_PLAYER - 1)
    const { room } = await create(ann)
    const guest = await fixture.enter()
    await guest.ask('join', { room: room.id })
    await ann.ask('leave', { room: room.id })
    expect((await create(ann)).code, 'a guest is still in it').to.equal('too_many_rooms')
    await guest.leave()
    let answer = await create(ann)
    while (!answer.ok) answer = await create(ann)
    expect(answer.room.members).to.equal(1)
  })

  it('are not limited per network address with RATE_LIMITS=off', async () => {
    await fixture.set({ require_player: false })
    const visitors = [await fixture.enter({ token: fixture.client }), await fixture.enter({ token: fixture.client })]
    expect(await makeAll(visitors, ROOMS_MAX + 2)).to.deep.equal(Array(ROOMS_MAX + 2).fill('made'))
  })
})

describe('the open rooms created from one network address', () => {
  let world: World
  before(async () => {
    world = await openWorld({ rateLimits: DEFAULT_RATE_LIMITS })
    await world.restart({ trustedProxies: trustedProxies('127.0.0.1') })
  })
  after(() => world.close())
  afterEach(() => closeRoomClients())

  it(`are limited to ${ROOMS_MAX}, with and without a player, where an IPv6 /64 is one address`, async () => {
    const fixture = await openRoomsFixture(world, { require_player: false })
    const from = (address: string, token?: string) =>
      fixture.enter({ headers: { 'X-Forwarded-For': address }, ...(token === undefined ? {} : { token }) })
    const visitors = [
      await from('2001:db8:0:1::1'),
      await from('2001:db8:0:1::2'),
      await from('2001:db8:0:1:a:b:c:d', fixture.client),
      await from('2001:db8:0:1::4', fixture.client),
    ]
    expect(await makeAll(visitors, ROOMS_MAX)).to.deep.equal(Array(ROOMS_MAX).fill('made'))
    const another = await create(await from('2001:db8:0:1::5'))
    expect([another.code, another.detail]).to.deep.equal([
      'too_many_rooms',
      '20 rooms made from your network address are still open. Wait until one of them ends.',
    ])
    const elsewhere = await openRoomsFixture(world)
    const refused = await create(await elsewhere.enter({ headers: { 'X-Forwarded-For': '2001:db8:0:1::6' } }))
    expect(refused.code, 'in another game').to.equal('too_many_rooms')
    expect((await create(await from('2001:db8:0:2::1'))).ok, 'the next /64').to.equal(true)
  })

  it('are limited to what the operator sets', async () => {
    await world.restart({ addressLimits: { ...DEFAULT_ADDRESS_LIMITS, rooms_address: { max: 2 } } })
    const fixture = await openRoomsFixture(world, { require_player: false })
    const visitor = await fixture.enter({ headers: { 'X-Forwarded-For': '203.0.113.7' } })
    const answers = [await create(visitor), await create(visitor), await create(visitor)]
    expect(answers.map(({ ok }) => ok)).to.deep.equal([true, true, false])
    expect(answers[2]?.detail).to.equal(
      '2 rooms made from your network address are still open. Wait until one of them ends.',
    )
  })
})
