// How many rooms may be open that one player made, or that were made from one network address.

import { expect } from 'chai'
import { trustedProxies } from '../../http/pipeline/network.ts'
import { DEFAULT_RATE_LIMITS } from '../../http/pipeline/rates.ts'
import { ROOMS_PER_NETWORK, ROOMS_PER_PLAYER } from '../../realtime/limits.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { closeVisitors, openParty, type Party, partyForEach, type Visitor } from './party.ts'

const create = (visitor: Visitor) => visitor.ask('create', { name: 'Den' })

async function makeAll(visitors: readonly Visitor[], rooms: number): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: rooms }, (_, n) => create(visitors[n % visitors.length] as Visitor)),
  )
  return answers.map(({ ok, code }) => (ok ? 'made' : code)).sort()
}

describe('the rooms that a player made', () => {
  let party: Party
  partyForEach((own) => {
    party = own
  })

  it(`are at most ${ROOMS_PER_PLAYER} that are open, over all of the player's connections, also with RATE_LIMITS=off`, async () => {
    const { token } = await party.guest()
    const own = [await party.enter({ token }), await party.enter({ token })]
    expect(await makeAll(own, ROOMS_PER_PLAYER + 2)).to.deep.equal([
      ...Array(ROOMS_PER_PLAYER).fill('made'),
      'too_many_rooms',
      'too_many_rooms',
    ])
    const refused = await create(own[0] as Visitor)
    expect(refused.detail).to.equal('You made 5 rooms that are still open. Wait until one of them ends.')
    expect((await create(await party.enter())).ok, 'another player').to.equal(true)
  })

  it('end with their last member, and then the player may make another one', async () => {
    const ann = await party.enter()
    await makeAll([ann], ROOMS_PER_PLAYER - 1)
    const { room } = await create(ann)
    const guest = await party.enter()
    await guest.ask('join', { room: room.id })
    await ann.ask('leave', { room: room.id })
    expect((await create(ann)).code, 'a guest is still in it').to.equal('too_many_rooms')
    await guest.leave()
    let answer = await create(ann)
    while (!answer.ok) answer = await create(ann)
    expect(answer.room.members).to.equal(1)
  })

  it('are not counted by network address with RATE_LIMITS=off', async () => {
    await party.set({ require_player: false })
    const visitors = [await party.enter({ token: party.client }), await party.enter({ token: party.client })]
    expect(await makeAll(visitors, ROOMS_PER_NETWORK + 2)).to.deep.equal(Array(ROOMS_PER_NETWORK + 2).fill('made'))
  })
})

describe('the rooms that were made from one network address', () => {
  let world: World
  before(async () => {
    world = await openWorld({ rateLimits: DEFAULT_RATE_LIMITS })
    await world.restart({ trustedProxies: trustedProxies('127.0.0.1') })
  })
  after(() => world.close())
  afterEach(() => closeVisitors())

  it(`are at most ${ROOMS_PER_NETWORK}, of players and of nobody, where one /64 is one address`, async () => {
    const party = await openParty(world, { require_player: false })
    const from = (address: string, token?: string) =>
      party.enter({ headers: { 'X-Forwarded-For': address }, ...(token === undefined ? {} : { token }) })
    const visitors = [
      await from('2001:db8:0:1::1'),
      await from('2001:db8:0:1::2'),
      await from('2001:db8:0:1:a:b:c:d', party.client),
      await from('2001:db8:0:1::4', party.client),
    ]
    expect(await makeAll(visitors, ROOMS_PER_NETWORK)).to.deep.equal(Array(ROOMS_PER_NETWORK).fill('made'))
    const another = await create(await from('2001:db8:0:1::5'))
    expect([another.code, another.detail]).to.deep.equal([
      'too_many_rooms',
      '20 rooms made from your network address are still open. Wait until one of them ends.',
    ])
    const elsewhere = await openParty(world)
    const refused = await create(await elsewhere.enter({ headers: { 'X-Forwarded-For': '2001:db8:0:1::6' } }))
    expect(refused.code, 'in another game').to.equal('too_many_rooms')
    expect((await create(await from('2001:db8:0:2::1'))).ok, 'the next /64').to.equal(true)
  })
})
