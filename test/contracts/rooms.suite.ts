// The contract of rooms: seats are never oversold, each room has one order, and the members of a dead node are
// removed.

import { expect } from 'chai'
import { NODE_LOST } from '../../stores/contract/rooms.ts'
import { roomsListChecks } from './rooms-list.suite.ts'
import { roomsListenersChecks } from './rooms-listeners.suite.ts'
import { roomsOrderChecks } from './rooms-order.suite.ts'
import { checkRoomRules } from './rooms-properties.ts'
import { roomsSeatsChecks } from './rooms-seats.suite.ts'
import { roomsTakeoverChecks } from './rooms-takeover.suite.ts'
import { memberIds, type OpenRooms, passesSoon, playerOf, roomsOf, type Sitter, WatchedNode } from './rooms-watched.ts'
import type { Check } from './test-contract.ts'

const RACERS = 32
const ann = playerOf('ann')
const ofAnn = { player: ann, maxRoomsOfPlayer: 5 }
const NETWORK = '2001:db8:0:1::/64'
const ofNetwork = { network: NETWORK, maxRoomsOfNetwork: 20 }

const sitters = (ends: readonly (Sitter | string | undefined)[]): Sitter[] =>
  ends.filter((end): end is Sitter => typeof end === 'object')

export const roomsMakersChecks: readonly Check<OpenRooms>[] = [
  {
    name: 'never exceed the limit per player, even in races on several nodes',
    run: async (make) => {
      const { rooms } = await (await make())()
      const nodes = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const ends = await Promise.all(Array.from({ length: RACERS }, (_, n) => nodes[n % 2]?.create('g', ofAnn)))
      expect(sitters(ends)).to.have.length(5)
      expect([...new Set(ends.filter((end) => typeof end === 'string'))]).to.deep.equal(['too_many_rooms_of_player'])
      expect((await roomsOf(rooms, 'g')).count).to.equal(5)
      expect(await nodes[0]?.create('g', { maxRoomsOfPlayer: 5 }), 'another player').to.be.an('object')
      expect(await nodes[1]?.create('g', { player: null, maxRoomsOfPlayer: 0 }), 'nobody').to.be.an('object')
    },
  },
  {
    name: 'never exceed the limit per network address, over all games, with and without a player',
    run: async (make) => {
      const { rooms } = await (await make())()
      const nodes = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const race = Array.from({ length: RACERS }, (_, n) => {
        const player = n % 3 === 0 ? { player: null } : {}
        return nodes[n % 2]?.create(n % 4 < 2 ? 'g' : 'h', { ...ofNetwork, ...player })
      })
      const ends = await Promise.all(race)
      expect(sitters(ends)).to.have.length(20)
      expect([...new Set(ends.filter((end) => typeof end === 'string'))]).to.deep.equal(['too_many_rooms_of_network'])
      expect(await nodes[0]?.create('g', { ...ofNetwork, network: '192.0.2.1' }), 'another one').to.be.an('object')
      expect(await nodes[1]?.create('g', { network: null, maxRoomsOfNetwork: 0 }), 'uncounted').to.be.an('object')
    },
  },
  {
    name: 'count against their creator until they end, not until the creator leaves',
    run: async (make) => {
      const { rooms } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const limits = { player: ann, maxRoomsOfPlayer: 1, network: NETWORK, maxRoomsOfNetwork: 1 }
      const first = await one.made('g', limits)
      const guest = await other.joined('g', first.seat.room)
      await one.leave(first)
      expect(await one.create('g', limits)).to.equal('too_many_rooms_of_player')
      expect(await other.create('g', { ...limits, player: null })).to.equal('too_many_rooms_of_network')
      await other.leave(guest)
      const second = await other.made('g', limits)
      expect(await one.create('g', limits)).to.equal('too_many_rooms_of_player')
      await other.leave(second)
      expect(await one.create('g', limits)).to.be.an('object')
    },
  },
  {
    name: 'stop counting against their creators when the node of all members dies',
    run: async (make) => {
      const { rooms, deadMs, pass } = await (await make())()
      const [doomed, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const limits = { ...ofAnn, maxRoomsOfPlayer: 2, ...ofNetwork, maxRoomsOfNetwork: 2 }
      await doomed.made('g', limits)
      const kept = await doomed.made('g', limits)
      await other.joined('g', kept.seat.room)
      await pass(deadMs / 2)
      await other.node.heartbeat()
      expect(await other.create('g', limits)).to.equal('too_many_rooms_of_player')
      await pass(deadMs / 2)
      await other.node.heartbeat()
      expect(await other.create('g', limits), 'one of two has ended').to.be.an('object')
      expect(await other.create('g', limits)).to.equal('too_many_rooms_of_player')
    },
  },
]

export const roomsNodesChecks: readonly Check<OpenRooms>[] = [
  {
    name: 'keep the seats of a silent node until it is dead, and free them with the next heartbeat of another',
    run: async (make) => {
      const { rooms, deadMs, pass } = await (await make())()
      const [dead, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const alone = await dead.made('g', { maxMembers: 1 })
      const a = await other.made('g', { maxMembers: 3 })
      const [b, c] = [await dead.joined('g', a.seat.room), await dead.joined('g', a.seat.room)]
      await pass(deadMs / 2)
      await other.node.heartbeat()
      expect(await other.join('g', a.seat.room)).to.equal('room_full')
      expect(await other.join('g', alone.seat.room)).to.equal('room_full')
      await pass(deadMs / 2)
      await other.node.heartbeat()
      const left = ({ seat: { member } }: typeof b) => {
        return { type: 'left', game: 'g', room: a.seat.room, member, reason: NODE_LOST }
      }
      await passesSoon(() => expect(a.heard).to.have.length(4))
      expect(a.heard.slice(2)).to.have.deep.members([left(b), left(c)])
      const rows = (await roomsOf(rooms, 'g')).rooms.map(({ id, members }) => [id, members])
      expect(rows).to.deep.equal([[a.seat.room, 1]])
      expect(await other.join('g', alone.seat.room)).to.equal('room_not_found')
      expect(memberIds(await other.joined('g', a.seat.room))).to.not.include(b.seat.member)
    },
  },
  {
    name: 'free the seats of all dead nodes when a node enters',
    run: async (make) => {
      const { rooms, deadMs, pass } = await (await make())()
      const [dead, deader] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const { seat } = await dead.made('g')
      await deader.joined('g', seat.room)
      await pass(deadMs)
      const node = await WatchedNode.enter(rooms)
      expect(await roomsOf(rooms, 'g')).to.deep.equal({ rooms: [], count: 0 })
      expect(await node.join('g', seat.room)).to.equal('room_not_found')
    },
  },
  {
    name: 'notify a frozen node once, with its next call, that its seats are lost; it continues without',
    run: async (make) => {
      const open = await make()
      for (const how of ['heartbeat', 'create', 'join', 'leave', 'send', 'sendTo'] as const) {
        const { rooms, deadMs, pass } = await open()
        const [frozen, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
        const a = await other.made('g')
        const b = await frozen.joined('g', a.seat.room)
        await pass(deadMs / 2)
        await other.node.heartbeat()
        await pass(deadMs / 2)
        await other.node.heartbeat()
        const calls = {
          heartbeat: () => frozen.node.heartbeat(),
          create: () => frozen.create('g'),
          join: () => frozen.join('g', a.seat.room),
          leave: () => frozen.node.leave(b.seat, 'left'),
          send: () => frozen.node.send(b.seat, '1'),
          sendTo: () => frozen.node.sendTo(b.seat, a.seat.member, '1'),
        }
        const [end] = await Promise.allSettled([calls[how]()])
        if (end?.status === 'rejected') expect(end.reason.name, how).to.match(/^StoreUnavailable$/)
        else expect(how).to.equal('heartbeat')
        expect(frozen.lost, how).to.have.length(1)
        await frozen.node.heartbeat()
        expect(await frozen.node.send(b.seat, '1')).to.equal('not_in_room')
        expect(await frozen.node.leave(b.seat, 'left')).to.equal(false)
        const c = await frozen.joined('g', a.seat.room)
        expect(memberIds(c)).to.deep.equal([a.seat.member, c.seat.member])
        await other.node.heartbeat()
        await frozen.node.send(c.seat, '"again"')
        await passesSoon(() => expect(a.heard.at(-1)).to.include({ data: '"again"', seq: 1 }))
        expect(frozen.lost, how).to.have.length(1)
        expect(a.heard.map(({ type }) => type)).to.deep.equal(['joined', 'left', 'joined', 'message'])
      }
    },
  },
  {
    name: 'free no seats if all nodes were silent, because the store was unavailable',
    run: async (make) => {
      const { rooms, deadMs, pass } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const a = await one.made('g')
      const b = await other.joined('g', a.seat.room)
      for (const first of [one, other, one]) {
        await pass(deadMs * 3)
        await first.node.heartbeat()
        expect(await one.node.send(a.seat, '1')).to.be.an('object')
        expect(await other.node.send(b.seat, '1')).to.be.an('object')
      }
      expect([...one.lost, ...other.lost]).to.deep.equal([])
      // This grace is given once: a node that stays silent while another sends heartbeats is dead.
      await pass(deadMs / 2)
      await one.node.heartbeat()
      await pass(deadMs / 2)
      await one.node.heartbeat()
      expect((await roomsOf(rooms, 'g')).rooms.map(({ members }) => members)).to.deep.equal([1])
    },
  },
  {
    name: 'remove a thousand members of a dead node, with one event each',
    run: async (make) => {
      const { rooms, deadMs, pass } = await (await make())()
      const [dead, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const a = await other.made('g', { maxMembers: 1_000 })
      const joins = Array.from({ length: 999 }, () => dead.joined('g', a.seat.room))
      const members = (await Promise.all(joins)).map(({ seat }) => seat.member)
      await Promise.all(Array.from({ length: 20 }, () => dead.made('g')))
      expect(await other.join('g', a.seat.room)).to.equal('room_full')
      await pass(deadMs / 2)
      await other.node.heartbeat()
      await pass(deadMs / 2)
      await other.node.heartbeat()
      expect((await roomsOf(rooms, 'g')).rooms.map((room) => room.members)).to.deep.equal([1])
      await passesSoon(() => expect(a.heard).to.have.length(999 * 2))
      const gone = a.heard.slice(999).map((event) => (event.type === 'left' ? event.member : event.type))
      expect(gone.toSorted()).to.deep.equal(members.toSorted())
    },
  },
]

/** With as many random histories. */
export const roomsChecks = (histories: number): readonly Check<OpenRooms>[] => [
  ...roomsSeatsChecks,
  ...roomsTakeoverChecks,
  ...roomsOrderChecks,
  ...roomsListChecks,
  ...roomsMakersChecks,
  ...roomsListenersChecks,
  ...roomsNodesChecks,
  {
    name: 'equal the model while members and nodes join, send, leave, fall silent, die and come back',
    run: async (make) => checkRoomRules(await make(), histories),
  },
]
