// Hearing rooms without a seat: the ticket, what its connection may do, and what it receives; and the bounded pages of
// the list of rooms with their members.

import { expect } from 'chai'
import type { JsonObject } from '../../domain/event.ts'
import type { Route } from '../../http/route.ts'
import { LISTED_MEMBERS_MAX, roomListeningRoutes } from '../../http/routes/rooms.ts'
import { LISTENERS_PER_ROOM } from '../../realtime/limits.ts'
import { createRooms } from '../../stores/embedded/rooms.ts'
import { answerCode } from '../front-door/tenant.ts'
import { must } from '../front-door/world.ts'
import { connected, type RoomClient, type RoomsFixture, roomsFixtureForEach } from './rooms-fixture.ts'

const LOBBY = { id: 'lobby', name: 'Lobby', max_members: 4, listed: false }

describe('a connection that listens', () => {
  let fixture: RoomsFixture
  roomsFixtureForEach((made) => {
    fixture = made
  })

  const post = (path: string, token: string) =>
    fixture.world.call('POST', `/api/gm/${fixture.game.id}/${path}/`, { token })
  const ticket = async (): Promise<string> => must(await post('rt/listen', fixture.game.token), 201).ticket
  const listener = async (): Promise<RoomClient> => connected({ ticket: await ticket(), port: fixture.world.port })
  const rooms = async () =>
    must(await fixture.world.call('GET', `/api/gm/${fixture.game.id}/rooms/`, { token: fixture.game.token }), 200)

  it('hears a room from the answer on, takes no seat, and learns when the room ends', async () => {
    const ada = await fixture.enter({ name: 'Ada' })
    const { room } = await ada.ask('create', { name: 'Room', max_members: 1 })
    await ada.ask('send', { room: room.id, data: 'before' })
    const tenant = await listener()
    const { ok, ...answer } = await tenant.ask('listen', { room: room.id })
    expect(ok).to.equal(true)
    expect(Object.keys(answer)).to.deep.equal(['room', 'members', 'seq'])
    expect([answer.room, answer.seq]).to.deep.equal([room.id, 1])
    const player = { id: ada.guest?.id, name: 'Ada' }
    expect(answer.members).to.deep.equal([{ member: answer.members[0].member, player }])
    expect(await tenant.next('listening')).to.deep.equal(answer)
    await ada.ask('send', { room: room.id, data: 'after' })
    expect(await tenant.next('message')).to.include({ room: room.id, data: 'after', seq: 2 })
    expect((await rooms()).rooms).to.deep.equal([
      { id: room.id, name: 'Room', members: answer.members, max_members: 1, fixed: false },
    ])
    await ada.ask('leave', { room: room.id })
    expect(await tenant.next('member_left')).to.include({ room: room.id, reason: 'left' })
    expect(await tenant.next('left')).to.deep.equal({ room: room.id })
    expect((await rooms()).count).to.equal(0)
    expect(await tenant.ask('listen', { room: room.id })).to.include({ ok: false, code: 'room_not_found' })
  })

  it('may do nothing else but watch leaderboards', async () => {
    const tenant = await listener()
    for (const [event, body] of [
      ['rooms', {}],
      ['create', { name: 'Room' }],
      ['join', { room: 'x' }],
      ['leave', { room: 'x' }],
      ['send', { room: 'x', data: 1 }],
      ['send', 'malformed'],
    ] as const) {
      expect([event, (await tenant.ask(event, body)).code]).to.deep.equal([event, 'listen_only'])
      expect(await tenant.next('refused')).to.include({ event, code: 'listen_only' })
    }
    expect(await tenant.ask('unwatch', { leaderboard: 'x' })).to.include({ ok: true })
    expect(await tenant.ask('watch', { leaderboard: 'x' })).to.include({ ok: false, code: 'leaderboard_not_found' })
  })

  it('hears a fixed room before anybody is in it, and once', async () => {
    await fixture.set({ require_player: true }, { fixed_rooms: [LOBBY] })
    const tenant = await listener()
    expect(await tenant.ask('listen', { room: LOBBY.id })).to.include({ ok: true, room: LOBBY.id })
    expect(await tenant.ask('listen', { room: LOBBY.id })).to.include({ ok: false, code: 'already_in_room' })
    const ada = await fixture.enter({ name: 'Ada' })
    await ada.ask('join', { room: LOBBY.id })
    expect((await tenant.next('member_joined')).player.name).to.equal('Ada')
    expect((await rooms()).rooms.map(({ members }: { members: object[] }) => members.length)).to.deep.equal([1])
  })

  it('needs a ticket of its own, which works once', async () => {
    const player = await fixture.enter()
    expect(await player.ask('listen', { room: 'x' })).to.include({ ok: false, code: 'permission_needed' })
    expect(answerCode(await post('rt/listen', fixture.client))).to.equal('403 tenant_only')
    const given = await ticket()
    expect(given).to.match(/^listen_[\w-]{43}$/)
    await connected({ ticket: given, port: fixture.world.port })
    for (const bad of [given, given.slice('listen_'.length), `listen_${'A'.repeat(43)}`, 'listen_']) {
      const failure = await connected({ ticket: bad, port: fixture.world.port }).then(
        () => 'connected',
        () => 'refused',
      )
      expect([bad, failure]).to.deep.equal([bad, 'refused'])
    }
    await fixture.set({ enabled: false })
    expect(answerCode(await post('rt/listen', fixture.game.token))).to.equal('422 rooms_off')
  })

  it('is refused where the room has as many listeners as it may have, and heard by all others', async () => {
    const ada = await fixture.enter({ name: 'Ada' })
    const { room } = await ada.ask('create', { name: 'Room' })
    const tenants = await Promise.all(Array.from({ length: LISTENERS_PER_ROOM }, () => listener()))
    const answers = await Promise.all(tenants.map((tenant) => tenant.ask('listen', { room: room.id })))
    expect(answers.filter(({ ok }) => ok === true)).to.have.length(LISTENERS_PER_ROOM)
    const refused = await (await listener()).ask('listen', { room: room.id })
    expect(refused).to.deep.equal({
      ok: false,
      code: 'too_many_listeners',
      detail: `${LISTENERS_PER_ROOM} connections listen to the room already. Try again when one of them has ended.`,
    })
    await ada.ask('send', { room: room.id, data: 'to all' })
    for (const tenant of tenants) expect((await tenant.next('message')).data).to.equal('to all')
    expect(await (await fixture.enter()).ask('join', { room: room.id }), 'a member').to.include({ ok: true })
  })

  it('may come from the page of the console, by any name of this machine', async () => {
    for (const origin of ['http://127.0.0.1', 'http://localhost']) {
      const own = await connected({ ticket: await ticket(), port: fixture.world.port, headers: { origin } })
      expect(own.socket.connected).to.equal(true)
    }
    const other = { origin: 'http://evil.example' }
    const failure = await connected({ ticket: await ticket(), port: fixture.world.port, headers: other }).catch(
      () => null,
    )
    expect(failure).to.equal(null)
  })
})

const SIZES = [900, 900, 900, 1_000, 1_000, 1, 1_000, 3]

describe('the list of rooms with their members', () => {
  const rooms = createRooms()
  before(async () => {
    const node = await rooms.enter({ heard: () => {}, lost: () => {}, asked: () => {} })
    for (const [n, size] of SIZES.entries()) {
      const fixed = { id: `room-${n}`, name: `Room ${n}`, max_members: size, listed: true }
      for (let member = 0; member < size; member++) {
        const seat = { game: 'g', room: fixed.id, member: `${n}-${member}` }
        await node.join({ ...seat, player: null, since: null, fixed, asks: true }, () => {})
      }
    }
  })

  const fixedRooms = SIZES.map((size, n) => ({ id: `room-${n}`, name: `Room ${n}`, max_members: size, listed: true }))
  const body = { id: 'g', game: 'g', state: { realtime: { enabled: true }, fixedRooms } } as unknown as JsonObject
  const deps = {
    queries: { views: { current: async () => [{ id: 'g', pos: '', body }] }, viewKey: (name: string) => name },
    rooms: { store: rooms },
  }
  const [list] = roomListeningRoutes(deps as unknown as Parameters<typeof roomListeningRoutes>[0]) as [
    Route,
    ...Route[],
  ]
  const page = async (limit: number, offset: number) => {
    const call = { caller: { game: 'g' }, params: { game: 'g' }, query: { limit, offset } }
    const answer = await list.handle(call as unknown as never)
    return answer.body as Page
  }

  interface Page {
    readonly rooms: readonly { readonly id: string; readonly members: readonly object[] }[]
    readonly count: number
    readonly offset: number
    readonly limit: number
    readonly next_offset: number | null
  }

  for (const limit of [100, 3, 1]) {
    it(`never has more than ${LISTED_MEMBERS_MAX} members in a page of ${limit} rooms, and misses none`, async () => {
      const found: (readonly [string, number])[] = []
      const pages: number[] = []
      for (let offset: number | null = 0; offset !== null; ) {
        const { rooms: listed, next_offset: next, ...rest } = await page(limit, offset)
        expect(rest).to.deep.equal({ count: SIZES.length, offset, limit })
        const sizes = listed.map(({ members }) => members.length)
        expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.at.most(LISTED_MEMBERS_MAX)
        found.push(...listed.map(({ id, members }) => [id, members.length] as const))
        pages.push(listed.length)
        offset = next
      }
      expect(found).to.deep.equal(SIZES.map((size, n) => [`room-${n}`, size]))
      if (limit === 100) expect(pages).to.deep.equal([2, 2, 2, 2])
    })
  }
})
