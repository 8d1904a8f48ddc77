// Listeners hear a room without a seat, and all rooms are listed with their members.

import { expect } from 'chai'
import type { FixedRoom } from '../../domain/game.ts'
import { NODE_LOST, type RoomEvent, type Rooms } from '../../stores/contract/rooms.ts'
import {
  memberIds,
  messagesOf,
  type OpenRooms,
  passesSoon,
  playerOf,
  roomsOf,
  type Sitter,
  WatchedNode,
} from './rooms-watched.ts'
import type { Check } from './test-contract.ts'

const LOBBY: FixedRoom = { id: 'lobby', name: 'Lobby', max_members: 1, listed: true }
const HIDDEN: FixedRoom = { id: 'hidden', name: 'Hidden', max_members: 2, listed: false }

const typesOf = ({ heard }: Sitter): RoomEvent['type'][] => heard.map(({ type }) => type)

const wholeOf = (rooms: Rooms, game: string, fixed: readonly FixedRoom[] = [], limit = 100, offset = 0) =>
  rooms.listWhole({ game, limit, offset, fixed, maxMembers: 1_000 })

const memberOf = ({ seat: { member } }: Sitter) => ({ member, player: playerOf(member) })

export const roomsListenersChecks: readonly Check<OpenRooms>[] = [
  {
    name: 'let listeners on any node hear what members hear, without a seat',
    run: async (make) => {
      const { rooms } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const a = await one.made('g', { maxMembers: 2 })
      await one.node.send(a.seat, '"before"')
      const listeners = [await one.sits(one.listen('g', a.seat.room)), await other.sits(other.listen('g', a.seat.room))]
      for (const { joined } of listeners) {
        const record = { id: a.seat.room, name: 'A room', members: 1, max_members: 2, fixed: false }
        expect(joined).to.deep.equal({ room: record, members: [memberOf(a)], seq: 1, missed: null })
      }
      const b = await other.joined('g', a.seat.room)
      expect(memberIds(b)).to.deep.equal([a.seat.member, b.seat.member])
      expect(await one.join('g', a.seat.room)).to.equal('room_full')
      await other.node.send(b.seat, '"to all"')
      await one.node.sendTo(a.seat, b.seat.member, '"to one"')
      await other.leave(b)
      await one.node.send(a.seat, '"last"')
      for (const listener of listeners) {
        await passesSoon(() => expect(typesOf(listener)).to.deep.equal(['joined', 'message', 'left', 'message']))
        expect(messagesOf(listener).map(({ data, seq }) => [data, seq])).to.deep.equal([
          ['"to all"', 2],
          ['"last"', 3],
        ])
      }
      expect(typesOf(a)).to.deep.equal(['message', 'joined', 'message', 'direct', 'left', 'message'])
      expect((await roomsOf(rooms, 'g')).rooms.map(({ members }) => members)).to.deep.equal([1])
      expect(await other.listen('g', 'none')).to.equal('room_not_found')
      expect(await other.listen('h', a.seat.room)).to.equal('room_not_found')
    },
  },
  {
    name: 'end with their last member although someone listens, and tell the listeners',
    run: async (make) => {
      const { rooms } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const a = await one.made('g')
      const listeners = [await one.sits(one.listen('g', a.seat.room)), await other.sits(other.listen('g', a.seat.room))]
      await one.leave(a, 'gone')
      const where = { game: 'g', room: a.seat.room }
      for (const { heard } of listeners) {
        await passesSoon(() =>
          expect(heard).to.deep.equal([
            { type: 'left', ...where, member: a.seat.member, reason: 'gone' },
            { type: 'ended', ...where },
          ]),
        )
      }
      expect(await wholeOf(rooms, 'g')).to.deep.equal({ rooms: [], count: 0, next: 0 })
      expect(await other.listen('g', a.seat.room)).to.equal('room_not_found')
      for (const [node, listener] of [
        [one, listeners[0]],
        [other, listeners[1]],
      ] as const) {
        expect(await node.node.leave((listener as Sitter).seat, 'late')).to.equal(false)
      }
    },
  },
  {
    name: 'send a node no more events after its last listener has left, and hear again after that',
    run: async (make) => {
      const { rooms } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const a = await one.made('g')
      const first = await other.sits(other.listen('g', a.seat.room))
      expect(await other.leave(first)).to.equal(true)
      expect(await other.leave(first)).to.equal(false)
      await one.node.send(a.seat, '"unheard"')
      const again = await other.sits(other.listen('g', a.seat.room))
      expect([again.joined.seq, again.joined.members]).to.deep.equal([1, [memberOf(a)]])
      await one.node.send(a.seat, '"heard"')
      await passesSoon(() => expect(messagesOf(again).map(({ data }) => data)).to.deep.equal(['"heard"']))
      expect(other.received.map(({ type }) => type)).to.deep.equal(['message'])
      const b = await other.joined('g', a.seat.room)
      expect(memberIds(b)).to.deep.equal([a.seat.member, b.seat.member])
      expect(await other.leave(again)).to.equal(true)
      await one.node.send(a.seat, '"for b"')
      await passesSoon(() => expect(messagesOf(b).map(({ data }) => data)).to.deep.equal(['"for b"']))
    },
  },
  {
    name: 'hear a fixed room before it has members, for as long as they listen',
    run: async (make) => {
      const world = await (await make())()
      const { rooms } = world
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const listener = await other.sits(other.listen('g', LOBBY.id, LOBBY))
      const record = { id: LOBBY.id, name: LOBBY.name, members: 0, max_members: 1, fixed: true }
      expect(listener.joined.room).to.deep.equal(record)
      expect(await other.listen('g', LOBBY.id)).to.equal('room_not_found')
      const a = await one.joined('g', LOBBY.id, { fixed: LOBBY })
      await one.node.send(a.seat, '"said"')
      await one.leave(a)
      await passesSoon(() => expect(typesOf(listener)).to.deep.equal(['joined', 'message', 'left']))
      await rooms.forget('g')
      const b = await one.joined('g', LOBBY.id, { fixed: LOBBY, since: listener.joined.seq })
      expect(b.joined.missed?.map(({ data }) => data)).to.deep.equal(['"said"'])
      await passesSoon(() => expect(typesOf(listener)).to.deep.equal(['joined', 'message', 'left', 'joined']))
      await one.leave(b)
      await other.leave(listener)
      await rooms.forget('g')
      const c = await one.joined('g', LOBBY.id, { fixed: LOBBY, since: listener.joined.seq })
      expect(c.joined.missed?.map(({ data }) => data)).to.not.deep.equal(['"said"'])
    },
  },
  {
    name: 'forget the listeners of a node that died, and keep those of others',
    run: async (make) => {
      const { rooms, deadMs, pass } = await (await make())()
      const [one, dead] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const a = await one.made('g')
      const b = await dead.joined('g', a.seat.room)
      await dead.sits(dead.listen('g', a.seat.room))
      await dead.sits(dead.listen('g', LOBBY.id, LOBBY))
      const listener = await one.sits(one.listen('g', a.seat.room))
      await pass(deadMs / 2)
      await one.node.heartbeat()
      await pass(deadMs / 2)
      await one.node.heartbeat()
      await passesSoon(() => expect(listener.heard).to.have.length(1))
      expect(listener.heard[0]).to.include({ type: 'left', member: b.seat.member, reason: NODE_LOST })
      await one.leave(a)
      await passesSoon(() => expect(typesOf(listener)).to.deep.equal(['left', 'left', 'ended']))
      expect(await wholeOf(rooms, 'g')).to.deep.equal({ rooms: [], count: 0, next: 0 })
    },
  },
  {
    name: 'are listed with their members, fixed ones first, also those that are not listed',
    run: async (make) => {
      const { rooms } = await (await make())()
      const node = await WatchedNode.enter(rooms)
      const a = await node.made('g', { name: 'First', listed: false, maxMembers: 7 })
      const b = await node.joined('g', a.seat.room)
      const c = await node.made('g', { name: 'Second' })
      const d = await node.joined('g', HIDDEN.id, { fixed: HIDDEN })
      await node.sits(node.listen('g', a.seat.room))
      await node.made('h')
      const all = [
        { id: LOBBY.id, name: LOBBY.name, members: [], max_members: 1, fixed: true },
        { id: HIDDEN.id, name: HIDDEN.name, members: [memberOf(d)], max_members: 2, fixed: true },
        { id: a.seat.room, name: 'First', members: [memberOf(a), memberOf(b)], max_members: 7, fixed: false },
        { id: c.seat.room, name: 'Second', members: [memberOf(c)], max_members: 1_000, fixed: false },
      ]
      for (const [limit, offset] of [
        [100, 0],
        [1, 0],
        [2, 1],
        [1, 2],
        [2, 3],
        [5, 4],
        [100, 1_000_000_000],
      ] as const) {
        const found = await wholeOf(rooms, 'g', [LOBBY, HIDDEN], limit, offset)
        const shown = all.slice(offset, offset + limit)
        expect(found).to.deep.equal({ rooms: shown, count: 4, next: offset + shown.length })
      }
    },
  },
  {
    name: 'are listed in pages that end before the room with too many members, each room whole and once',
    run: async (make) => {
      const { rooms } = await (await make())()
      const node = await WatchedNode.enter(rooms)
      const inLobby = [
        await node.joined('g', HIDDEN.id, { fixed: HIDDEN }),
        await node.joined('g', HIDDEN.id, { fixed: HIDDEN }),
      ]
      const all = [
        { id: LOBBY.id, members: [] as unknown[] },
        { id: HIDDEN.id, members: inLobby.map(memberOf) },
      ]
      for (const size of [1, 4, 2, 1, 3]) {
        const first = await node.made('g')
        const others = []
        for (let n = 1; n < size; n++) others.push(await node.joined('g', first.seat.room))
        all.push({ id: first.seat.room, members: [first, ...others].map(memberOf) })
      }
      for (const [maxMembers, limit, sizes] of [
        [3, 100, [[0, 2, 1], [4], [2, 1], [3]]],
        [3, 2, [[0, 2], [1], [4], [2, 1], [3]]],
        [0, 100, [[0], [2], [1], [4], [2], [1], [3]]],
        [13, 100, [[0, 2, 1, 4, 2, 1, 3]]],
        [12, 100, [[0, 2, 1, 4, 2, 1], [3]]],
      ] as const) {
        const found = []
        const pages: number[][] = []
        for (let offset = 0; offset < all.length; ) {
          const page = await rooms.listWhole({ game: 'g', limit, offset, fixed: [LOBBY, HIDDEN], maxMembers })
          found.push(...page.rooms.map(({ id, members }) => ({ id, members })))
          pages.push(page.rooms.map(({ members }) => members.length))
          expect([page.count, page.next]).to.deep.equal([all.length, offset + page.rooms.length])
          offset = page.next
        }
        expect(pages, `${maxMembers} members`).to.deep.equal(sizes)
        expect(found).to.deep.equal(all)
      }
    },
  },
  {
    name: 'never exceed the limit of listeners of a room, even in races on several nodes',
    run: async (make) => {
      const { rooms } = await (await make())()
      const nodes = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const a = await (nodes[0] as WatchedNode).made('g', { maxMembers: 1 })
      const race = Array.from({ length: 12 }, (_, n) => nodes[n % 2]?.listen('g', a.seat.room, null, 5))
      const ends = await Promise.all(race)
      const heard = ends.filter((end): end is Sitter => typeof end === 'object')
      expect(heard).to.have.length(5)
      expect([...new Set(ends.filter((end) => typeof end === 'string'))]).to.deep.equal(['too_many_listeners'])
      await nodes[0]?.node.send(a.seat, '"to all"')
      for (const one of heard) await passesSoon(() => expect(messagesOf(one)).to.have.length(1))
      const nodeOf = ({ seat }: Sitter) => nodes.find(({ sitters }) => sitters.has(seat.member)) as WatchedNode
      const [first] = heard as [Sitter]
      expect(await nodeOf(first).leave(first)).to.equal(true)
      expect(await nodes[1]?.listen('g', a.seat.room, null, 5), 'after one has left').to.be.an('object')
      expect(await nodes[0]?.listen('g', a.seat.room, null, 5)).to.equal('too_many_listeners')
      expect(await nodes[0]?.listen('g', 'none', null, 0)).to.equal('room_not_found')
      expect(await nodes[0]?.listen('g', LOBBY.id, LOBBY, 1), 'another room').to.be.an('object')
      expect(await nodes[1]?.listen('g', LOBBY.id, LOBBY, 1)).to.equal('too_many_listeners')
    },
  },
  {
    name: 'count no longer towards that limit when their node died',
    run: async (make) => {
      const { rooms, deadMs, pass } = await (await make())()
      const [one, dead] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const a = await one.made('g')
      await dead.sits(dead.listen('g', a.seat.room, null, 1))
      await pass(deadMs / 2)
      await one.node.heartbeat()
      expect(await one.listen('g', a.seat.room, null, 1)).to.equal('too_many_listeners')
      await pass(deadMs / 2)
      await one.node.heartbeat()
      expect(await one.listen('g', a.seat.room, null, 1)).to.be.an('object')
    },
  },
]
