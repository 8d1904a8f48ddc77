// Connections that the server closes: revoked, rooms switched off, or the server stops.

import { expect } from 'chai'
import { clientToken, type Guest, makeKey } from '../front-door/game-fixtures.ts'
import { must, openWorld, type Signer, tokenOf, type World } from '../front-door/world.ts'
import { pause } from '../until.ts'
import { openRoomsFixture, type RoomClient, type RoomsFixture, roomsFixtureForEach } from './rooms-fixture.ts'

describe('a connection to the rooms', () => {
  let world: World
  let fixture: RoomsFixture
  roomsFixtureForEach((own) => {
    fixture = own
    world = own.world
  })

  async function expectCut(roomClient: RoomClient, code: string) {
    expect((await roomClient.next('closing')).code).to.equal(code)
    await roomClient.over
  }

  const players = (guest: Guest | null, what: string, body: object = {}) => {
    const path = `/api/gm/${fixture.game.id}/players/${guest?.id}/${what}`
    return world.call(what === '' ? 'DELETE' : 'POST', path, {
      token: fixture.game.token,
      ...(what === '' ? {} : { body }),
    })
  }

  it('is closed by a ban, a deletion or a sign-out of its player, and other members are notified', async () => {
    const ada = await fixture.enter()
    const { room } = await ada.ask('create', { name: 'Den' })
    for (const what of ['ban/', '', 'signout/']) {
      const bob = await fixture.enter()
      await bob.ask('join', { room: room.id })
      const { member } = await ada.next('member_joined')
      must(await players(bob.guest, what), 200)
      await expectCut(bob, 'revoked')
      expect(await ada.next('member_left')).to.deep.equal({ room: room.id, member, reason: 'revoked' })
    }
    expect(ada.socket.connected).to.equal(true)
  })

  it('is closed when its own session ends, and by no other session', async () => {
    const [ada, bob] = [await fixture.enter(), await fixture.enter()]
    const path = `/api/gm/${fixture.game.id}/player/signout/`
    must(await world.call('POST', path, { token: bob.guest?.token ?? '', body: {} }), 200)
    await expectCut(bob, 'revoked')
    expect((await ada.ask('rooms', {})).ok).to.equal(true)
  })

  it('is closed when its key is revoked', async () => {
    const own = await openRoomsFixture(world, { require_player: false })
    const key = await makeKey(world, own.game, { kind: 'client' })
    const [mine, others] = [
      await own.enter({ token: await tokenOf(world, key) }),
      await own.enter({ token: await clientToken(world, own.game) }),
    ]
    const path = `/api/gm/${own.game.id}/keys/${key.prefix}/`
    must(await world.call('DELETE', path, { token: own.game.token }), 200)
    await expectCut(mine, 'revoked')
    expect((await others.ask('rooms', {})).ok).to.equal(true)
  })

  it('is closed when its key loses the permission for rooms, and not before', async () => {
    const own = await openRoomsFixture(world, { require_player: false })
    const narrow = async (of: Signer, permissions: readonly string[]) => {
      const path = `/api/gm/${own.game.id}/keys/${of.prefix}/`
      must(await world.call('PUT', path, { token: own.game.token, body: { permissions } }), 200)
    }
    const keys = [
      await makeKey(world, own.game, { kind: 'client' }),
      await makeKey(world, own.game, { kind: 'client' }),
    ]
    const [mine, others] = await Promise.all(keys.map(async (key) => own.enter({ token: await tokenOf(world, key) })))
    await narrow(keys[1] as Signer, [`gm:${own.game.id}:realtime`])
    await narrow(keys[0] as Signer, [`gm:${own.game.id}:auth`])
    await expectCut(mine as RoomClient, 'revoked')
    expect((await (others as RoomClient).ask('rooms', {})).ok).to.equal(true)
  })

  it('is closed when the rooms are switched off or become limited to players', async () => {
    const own = await openRoomsFixture(world, { require_player: false })
    const [anybody, ada] = [await own.enter({ token: own.client }), await own.enter()]
    const elsewhere = await fixture.enter()
    await own.set({ require_player: true })
    await expectCut(anybody, 'revoked')
    await own.set({ enabled: false })
    await expectCut(ada, 'rooms_off')
    expect((await elsewhere.ask('rooms', {})).ok).to.equal(true)
  })

  it('applies settings that change while it is open', async () => {
    const ada = await fixture.enter()
    const { room } = await ada.ask('create', { name: 'Den' })
    await fixture.set({ max_message_bytes: 64 })
    const data = 'x'.repeat(100)
    let answer = await ada.ask('send', { room: room.id, data })
    while (answer.ok) {
      await aWhile()
      answer = await ada.ask('send', { room: room.id, data })
    }
    expect(answer.code).to.equal('message_too_large')
  })

  it('receives closing when the server stops, and its seats are released', async () => {
    const own = await openWorld()
    const theirs = await openRoomsFixture(own)
    const [ada, bob] = [await theirs.enter(), await theirs.enter({ transports: ['polling'] })]
    const { room } = await ada.ask('create', { name: 'Den' })
    await bob.ask('join', { room: room.id })
    await Promise.all([own.close(), expectCut(ada, 'closing'), expectCut(bob, 'closing')])
  })
})

/** Long enough that repeated calls are no flood. */
const aWhile = () => pause(200)
