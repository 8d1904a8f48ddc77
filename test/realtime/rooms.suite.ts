// Every event of the rooms through real sockets: its answer, and what other members receive. The same if all clients
// are on one node or each on another.

import { expect } from 'chai'
import type { World } from '../front-door/world.ts'
import { closeRoomClients, openRoomsFixture, type RoomClient, type RoomsFixture } from './rooms-fixture.ts'

const ID = /^[a-z2-7]{24}$/

interface RoomsUnderTest {
  readonly world: World
  /** The ports that clients connect to, in turn. */
  readonly ports: readonly number[]
  close(): Promise<void>
}

export function roomsSuite(title: string, open: () => Promise<RoomsUnderTest>): void {
  describe(title, () => {
    let world: World
    let fixture: RoomsFixture
    let under: RoomsUnderTest
    before(async () => {
      under = await open()
      world = under.world
    })
    after(() => under.close())
    beforeEach(async () => {
      fixture = await openRoomsFixture(world, {}, under.ports)
    })
    afterEach(() => closeRoomClients())

    async function madeRoom(by: RoomClient, options: object = {}): Promise<string> {
      return (await by.ask('create', { name: 'Den', ...options })).room.id
    }

    it('can be created, found and joined, and members are notified of joins and leaves', async () => {
      const ada = await fixture.enter({ name: 'Ada' })
      const made = await ada.ask('create', { name: 'Den', max_members: 5 })
      const { id } = made.room
      expect(id).to.match(ID)
      const adaMember = { member: made.member, player: { id: ada.guest?.id, name: 'Ada' } }
      const room = { id, name: 'Den', members: 1, max_members: 5, fixed: false }
      expect(made).to.deep.equal({ ok: true, room, members: [adaMember], member: made.member, seq: 0, missed: null })
      const { ok: _, ...asEvent } = made
      expect(await ada.next('joined')).to.deep.equal(asEvent)

      const bob = await fixture.enter({ name: 'Bob' })
      expect(await bob.ask('rooms', {})).to.deep.equal({ ok: true, rooms: [room], count: 1 })
      expect(await bob.next('rooms')).to.deep.equal({ rooms: [room], count: 1 })
      const joined = await bob.ask('join', { room: id })
      const bobMember = { member: joined.member, player: { id: bob.guest?.id, name: 'Bob' } }
      expect(joined.members).to.deep.equal([adaMember, bobMember])
      expect(joined.room.members).to.equal(2)
      expect(await ada.next('member_joined')).to.deep.equal({ room: id, ...bobMember })

      expect(await bob.ask('leave', { room: id })).to.deep.equal({ ok: true, room: id })
      expect(await bob.next('left')).to.deep.equal({ room: id })
      expect(await ada.next('member_left')).to.deep.equal({ room: id, member: joined.member, reason: 'left' })
      expect(bob.received).to.deep.equal([])

      await bob.ask('join', { room: id })
      const { member } = await ada.next('member_joined')
      await bob.leave()
      expect(await ada.next('member_left')).to.deep.equal({ room: id, member, reason: 'disconnected' })
      await ada.ask('leave', { room: id })
      expect((await ada.ask('rooms', {})).count, 'it ends with its last member').to.equal(0)
    })

    it('deliver messages in one order to all members including the sender', async () => {
      const [ada, bob] = [await fixture.enter(), await fixture.enter()]
      const room = await madeRoom(ada)
      const { member: from } = await ada.next('joined')
      const { member: other } = await bob.ask('join', { room })
      const sent = await ada.ask('send', { room, data: { text: 'hi ✓' } })
      const { sent_at: at } = sent
      expect(sent).to.deep.equal({ ok: true, room, from, data: { text: 'hi ✓' }, seq: 1, sent_at: at })
      expect(new Date(at).toISOString()).to.equal(at)
      const heard = { room, from, data: { text: 'hi ✓' }, seq: 1, sent_at: at }
      expect(await bob.next('message')).to.deep.equal(heard)
      expect(await ada.next('message')).to.deep.equal(heard)
      for (const data of [null, 0, '', [], false]) await bob.ask('send', { room, data })
      const all = [await ada.next('message'), await ada.next('message'), await ada.next('message')]
      expect(all.map(({ data, seq, from: by }) => [data, seq, by])).to.deep.equal([
        [null, 2, other],
        [0, 3, other],
        ['', 4, other],
      ])
    })

    it('deliver a direct message to one member and the sender only', async () => {
      const [ada, bob, eve] = [await fixture.enter(), await fixture.enter(), await fixture.enter()]
      const room = await madeRoom(ada)
      const { member } = await bob.ask('join', { room })
      await eve.ask('join', { room })
      const sent = await ada.ask('send', { room, data: 'psst', to: member })
      expect([sent.ok, sent.seq, sent.data]).to.deep.equal([true, null, 'psst'])
      expect(await bob.next('message')).to.deep.include({ room, data: 'psst', seq: null })
      expect(await ada.next('message')).to.deep.include({ room, data: 'psst', seq: null })
      await ada.ask('send', { room, data: 'all' })
      expect(await eve.next('message')).to.deep.include({ data: 'all', seq: 1 })
      expect((await eve.ask('join', { room })).code).to.equal('already_in_room')
      const late = await fixture.enter()
      expect(
        (await late.ask('join', { room, since: 0 })).missed.map(({ data }: { data: unknown }) => data),
      ).to.deep.equal(['all'])
    })

    it('deliver missed messages while they are kept', async () => {
      await fixture.set({ messages_per_second: 100 })
      const ada = await fixture.enter()
      const room = await madeRoom(ada)
      for (let n = 1; n <= 70; n++) await ada.ask('send', { room, data: n })
      const missed = async (since: number) => (await (await fixture.enter()).ask('join', { room, since })).missed
      const all = await missed(6)
      expect(all.map(({ data, seq }: { data: number; seq: number }) => [data, seq])).to.deep.equal(
        Array.from({ length: 64 }, (_, i) => [i + 7, i + 7]),
      )
      expect(Object.keys(all[0])).to.deep.equal(['room', 'from', 'data', 'seq', 'sent_at'])
      expect(await missed(5)).to.equal(null)
      expect(await missed(70)).to.deep.equal([])
      expect(await missed(71)).to.equal(null)
    })

    it('exist without members if they are fixed', async () => {
      const fixed = [
        { id: 'lobby', name: 'Lobby', max_members: 2, listed: true },
        { id: 'attic', name: 'Attic', max_members: 1, listed: false },
      ]
      await fixture.set({}, { fixed_rooms: fixed })
      const [ada, bob, eve] = [await fixture.enter(), await fixture.enter(), await fixture.enter()]
      const lobby = { id: 'lobby', name: 'Lobby', members: 0, max_members: 2, fixed: true }
      expect(await ada.ask('rooms', {})).to.deep.equal({ ok: true, rooms: [lobby], count: 1 })
      expect((await ada.ask('join', { room: 'lobby' })).room).to.deep.equal({ ...lobby, members: 1 })
      await bob.ask('join', { room: 'lobby' })
      expect((await eve.ask('join', { room: 'lobby' })).code).to.equal('room_full')
      expect((await eve.ask('join', { room: 'attic' })).ok).to.equal(true)
      const { token } = fixture.game
      expect(token).to.be.a('string')
      const other = await openRoomsFixture(world, {}, under.ports)
      expect((await (await other.enter()).ask('join', { room: 'lobby' })).code, 'of another game').to.equal(
        'room_not_found',
      )
    })

    it('can be searched by a part of the name, in pages', async () => {
      const ada = await fixture.enter()
      for (const name of ['Red den', 'Blue den', 'Red hall']) await madeRoom(ada, { name })
      await madeRoom(ada, { name: 'Red cellar', listed: false })
      const names = async (asked: object) => {
        const found = await ada.ask('rooms', asked)
        return [found.rooms.map(({ name }: { name: string }) => name), found.count]
      }
      expect(await names({ search: 'RED' })).to.deep.equal([['Red den', 'Red hall'], 2])
      expect(await names({ limit: 1, offset: 1 })).to.deep.equal([['Blue den'], 3])
      expect(await names({ offset: 9 })).to.deep.equal([[], 3])
    })

    it('refuse a full room, a large message and 22 other mistakes with a code, as the acknowledgement and as an event', async () => {
      await fixture.set({ max_room_size: 4, max_rooms: 1, max_message_bytes: 64 })
      const [ada, bob] = [await fixture.enter(), await fixture.enter()]
      const room = await madeRoom(ada, { max_members: 1 })
      const refused: [string, unknown, string][] = [
        ['join', { room: 'nowhere' }, 'room_not_found'],
        ['join', { room }, 'room_full'],
        ['create', { name: 'More' }, 'too_many_rooms'],
        ['create', { name: 'Big', max_members: 5 }, 'malformed'],
        ['create', { name: ' x' }, 'malformed'],
        ['create', {}, 'malformed'],
        ['leave', { room }, 'not_in_room'],
        ['send', { room, data: 1 }, 'not_in_room'],
        ['send', { room }, 'malformed'],
        ['send', { room, data: 'x'.repeat(63) }, 'message_too_large'],
        ['send', { room, data: 'é'.repeat(32) }, 'message_too_large'],
        ['send', { room, data: 1, more: 1 }, 'malformed'],
        ['send', { room, data: Buffer.from('x') }, 'malformed'],
        ['rooms', { limit: 0 }, 'malformed'],
        ['rooms', 'x', 'malformed'],
        ['sing', { loudly: true }, 'unknown_event'],
        ['error', {}, 'unknown_event'],
        ['toString', {}, 'unknown_event'],
        ['watch', { leaderboard: 'nothing' }, 'leaderboard_not_found'],
      ]
      for (const [event, body, code] of refused) {
        const answer = await bob.ask(event, body)
        expect({ event, body, ok: answer.ok, code: answer.code }).to.deep.equal({ event, body, ok: false, code })
        expect(await bob.next('refused')).to.deep.equal({ event, code, detail: answer.detail })
      }
      expect((await bob.ask('rooms', {}, {})).code, 'two objects').to.equal('malformed')
      await bob.next('refused')
      expect((await ada.ask('send', { room, data: 'x'.repeat(62) })).ok, 'exactly as large as may be').to.equal(true)
      expect((await ada.ask('send', { room, data: 'x', to: 'nobody' })).code).to.equal('member_not_found')
      await fixture.set({ allow_search: false, allow_create: false })
      const eve = await fixture.enter()
      expect((await eve.ask('rooms', {})).code).to.equal('search_off')
      expect((await eve.ask('create', { name: 'x' })).code).to.equal('create_off')
      bob.socket.emit('join', { room: 'nowhere' })
      expect(await bob.next('refused'), 'also if no acknowledgement is requested').to.include({ event: 'join' })
    })

    it('admit no more members than they have seats', async () => {
      await fixture.set({ max_room_size: 5 })
      const ada = await fixture.enter()
      const room = await madeRoom(ada)
      const others = await Promise.all(Array.from({ length: 12 }, () => fixture.enter()))
      const answers = await Promise.all(others.map((one) => one.ask('join', { room })))
      expect(answers.filter(({ ok }) => ok)).to.have.length(4)
      expect(answers.filter(({ code }) => code === 'room_full')).to.have.length(8)
    })

    it('work through polling, through WebSockets, and through an upgrade from one to the other', async () => {
      const [ada, bob] = [await fixture.enter({ transports: ['polling'] }), await fixture.enter()]
      const eve = await fixture.enter({ transports: ['polling', 'websocket'] })
      const room = await madeRoom(ada)
      await Promise.all([bob.ask('join', { room }), eve.ask('join', { room })])
      for (const one of [ada, bob, eve]) await one.ask('send', { room, data: one.guest?.id })
      for (const one of [ada, bob, eve]) {
        const heard = [await one.next('message'), await one.next('message'), await one.next('message')]
        expect(heard.map(({ data, seq }) => [data, seq])).to.deep.equal([
          [ada.guest?.id, 1],
          [bob.guest?.id, 2],
          [eve.guest?.id, 3],
        ])
      }
    })
  })
}
