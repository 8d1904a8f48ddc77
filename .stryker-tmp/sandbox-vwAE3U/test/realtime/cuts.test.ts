// Who is cut by what others do: revoked, switched off, or because the server stops.

import { expect } from 'chai'
import { clientToken, type Guest, makeKey } from '../front-door/scenery.ts'
import { must, openWorld, type Signer, tokenOf, type World } from '../front-door/world.ts'
import { openParty, type Party, partyForEach, type Visitor } from './party.ts'

describe('a connection to the rooms', () => {
  let world: World
  let party: Party
  partyForEach((own) => {
    party = own
    world = own.world
  })

  async function expectCut(visitor: Visitor, code: string) {
    expect((await visitor.next('closing')).code).to.equal(code)
    await visitor.over
  }

  const players = (guest: Guest | null, what: string, body: object = {}) => {
    const path = `/api/gm/${party.game.id}/players/${guest?.id}/${what}`
    return world.call(what === '' ? 'DELETE' : 'POST', path, {
      token: party.game.token,
      ...(what === '' ? {} : { body }),
    })
  }

  it('ends with a ban, a deletion and a sign-out, and others hear of it', async () => {
    const ada = await party.enter()
    const { room } = await ada.ask('create', { name: 'Den' })
    for (const what of ['ban/', '', 'signout/']) {
      const bob = await party.enter()
      await bob.ask('join', { room: room.id })
      const { member } = await ada.next('member_joined')
      must(await players(bob.guest, what), 200)
      await expectCut(bob, 'revoked')
      expect(await ada.next('member_left')).to.deep.equal({ room: room.id, member, reason: 'revoked' })
    }
    expect(ada.socket.connected).to.equal(true)
  })

  it('ends with its own session, and with no other', async () => {
    const [ada, bob] = [await party.enter(), await party.enter()]
    const path = `/api/gm/${party.game.id}/player/signout/`
    must(await world.call('POST', path, { token: bob.guest?.token ?? '', body: {} }), 200)
    await expectCut(bob, 'revoked')
    expect((await ada.ask('rooms', {})).ok).to.equal(true)
  })

  it('ends with the key that it was made by', async () => {
    const own = await openParty(world, { require_player: false })
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

  it('ends where its key opens the rooms no more, and not before', async () => {
    const own = await openParty(world, { require_player: false })
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
    await expectCut(mine as Visitor, 'revoked')
    expect((await (others as Visitor).ask('rooms', {})).ok).to.equal(true)
  })

  it('ends where the rooms are switched off, or are for players only', async () => {
    const own = await openParty(world, { require_player: false })
    const [anybody, ada] = [await own.enter({ token: own.client }), await own.enter()]
    const elsewhere = await party.enter()
    await own.set({ require_player: true })
    await expectCut(anybody, 'revoked')
    await own.set({ enabled: false })
    await expectCut(ada, 'rooms_off')
    expect((await elsewhere.ask('rooms', {})).ok).to.equal(true)
  })

  it('takes over settings that change while it is there', async () => {
    const ada = await party.enter()
    const { room } = await ada.ask('create', { name: 'Den' })
    await party.set({ max_message_bytes: 64 })
    const data = 'x'.repeat(100)
    let answer = await ada.ask('send', { room: room.id, data })
    while (answer.ok) {
      await aWhile()
      answer = await ada.ask('send', { room: room.id, data })
    }
    expect(answer.code).to.equal('message_too_large')
  })

  it('hears when the server stops, and nothing is left of its seats', async () => {
    const own = await openWorld()
    const theirs = await openParty(own)
    const [ada, bob] = [await theirs.enter(), await theirs.enter({ transports: ['polling'] })]
    const { room } = await ada.ask('create', { name: 'Den' })
    await bob.ask('join', { room: room.id })
    await Promise.all([own.close(), expectCut(ada, 'closing'), expectCut(bob, 'closing')])
  })
})

/** So long that asking again and again is no flood. */
const aWhile = () => new Promise((next) => setTimeout(next, 200))
