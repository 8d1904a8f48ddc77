// Joining and leaving rooms: who is admitted or refused, and when a room ends.

import { expect } from 'chai'
import {
  memberIds,
  newId,
  type OpenRooms,
  passesSoon,
  playerOf,
  roomsOf,
  sampled,
  WatchedNode,
} from './rooms-watched.ts'
import type { Check } from './test-contract.ts'

const SEATS = 50
const JOINERS = 500

export const roomsSeatsChecks: readonly Check<OpenRooms>[] = [
  {
    name: 'start with their creator as the only member',
    run: async (make) => {
      const { rooms } = await (await make())()
      const node = await WatchedNode.enter(rooms)
      const { seat, joined, heard } = await node.made('g', { name: 'The "one" é\n', maxMembers: 3 })
      expect(joined).to.deep.equal({
        room: { id: seat.room, name: 'The "one" é\n', members: 1, max_members: 3, fixed: false },
        members: [{ member: seat.member, player: playerOf(seat.member) }],
        seq: 0,
        missed: null,
      })
      expect(heard).to.deep.equal([])
    },
  },
  {
    name: 'notify members of each other, in one order, on any node',
    run: async (make) => {
      const { rooms } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const a = await one.made('g')
      const roomRef = { game: 'g', room: a.seat.room }
      const b = await other.joined('g', a.seat.room)
      const noPlayer = { ...roomRef, member: newId('m'), player: null, since: null, fixed: null, asks: true }
      let seen = 0
      expect(await one.node.join(noPlayer, ({ members }) => (seen = members.length))).to.equal(null)
      const c = await one.joined('g', a.seat.room)
      expect(seen).to.equal(3)
      expect(memberIds(c)).to.deep.equal([a.seat.member, b.seat.member, noPlayer.member, c.seat.member])
      expect(c.joined.members[2]).to.deep.equal({ member: noPlayer.member, player: null })
      await passesSoon(() => expect(b.heard).to.have.length(2))
      expect(await other.leave(b, 'a reason of two  words')).to.equal(true)
      const joined = (member: string) => ({ type: 'joined', ...roomRef, member, player: playerOf(member) })
      const heard = [
        { type: 'joined', ...roomRef, member: noPlayer.member, player: null },
        joined(c.seat.member),
        { type: 'left', ...roomRef, member: b.seat.member, reason: 'a reason of two  words' },
      ]
      await passesSoon(() => expect(a.heard).to.deep.equal([joined(b.seat.member), ...heard]))
      await passesSoon(() => expect(c.heard).to.deep.equal(heard.slice(2)))
      expect(b.heard).to.deep.equal(heard.slice(0, 2))
      // After its last member has left, a node receives no more events of the room.
      const elsewhere = await other.made('g')
      expect(other.received.map(({ type, room }) => [type, room])).to.deep.equal([
        ...[b, c, c].map(() => ['joined', a.seat.room]),
        ['joined', elsewhere.seat.room],
      ])
    },
  },
  {
    name: 'admit members up to their limit, and one more for each that leaves',
    run: async (make) => {
      const { rooms } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const a = await one.made('g', { maxMembers: 2 })
      const b = await other.joined('g', a.seat.room)
      expect(await one.join('g', a.seat.room)).to.equal('room_full')
      expect(await other.leave(b)).to.equal(true)
      expect(await other.leave(b)).to.equal(false)
      expect(memberIds(await one.joined('g', a.seat.room))).to.have.length(2)
      expect(await other.join('g', a.seat.room)).to.equal('room_full')
    },
  },
  {
    name: 'end with their last member, immediately and for good',
    run: async (make) => {
      const { rooms } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const a = await one.made('g')
      const b = await other.joined('g', a.seat.room)
      await one.leave(a)
      expect((await roomsOf(rooms, 'g')).rooms.map(({ members }) => members)).to.deep.equal([1])
      await other.leave(b)
      expect(await roomsOf(rooms, 'g')).to.deep.equal({ rooms: [], count: 0 })
      expect(await one.join('g', a.seat.room)).to.equal('room_not_found')
    },
  },
  {
    name: 'belong to one game; any unknown text is a room that does not exist',
    run: async (make) => {
      const { rooms } = await (await make())()
      const node = await WatchedNode.enter(rooms)
      const { seat } = await node.made('g')
      expect(await node.join('h', seat.room)).to.equal('room_not_found')
      for (const room of ['', ' ', '/', 'a b', `${seat.room} `, `${seat.room}\n`, '\u0000', '__proto__', 'é%s']) {
        expect(await node.join('g', room), room).to.equal('room_not_found')
        expect(await node.node.send({ ...seat, room }, '1'), room).to.equal('not_in_room')
        expect(await node.node.leave({ ...seat, room }, 'left'), room).to.equal(false)
        expect(await node.node.leave({ ...seat, member: room }, 'left'), room).to.equal(false)
      }
      expect((await roomsOf(rooms, 'g')).count).to.equal(1)
    },
  },
  {
    name: "let a node do nothing in the name of another's member",
    run: async (make) => {
      const { rooms } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const { seat } = await one.made('g')
      expect(await other.node.send(seat, '1')).to.equal('not_in_room')
      expect(await other.node.sendTo(seat, seat.member, '1')).to.equal('not_in_room')
      expect(await other.node.leave(seat, 'left')).to.equal(false)
      expect(await one.node.leave(seat, 'left')).to.equal(true)
    },
  },
  {
    name: 'never exceed the limit per game, even in races',
    run: async (make) => {
      const { rooms } = await (await make())()
      const nodes = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const hidden = await nodes[0]?.made('g', { listed: false, maxRooms: 10 })
      await nodes[0]?.made('h', { maxRooms: 10 })
      const races = Array.from({ length: 64 }, (_, n) => nodes[n % 2]?.create('g', { maxRooms: 10 }))
      const ends = await Promise.all(races)
      expect(ends.filter((end) => end !== 'too_many_rooms')).to.have.length(9)
      expect(await nodes[1]?.create('g', { maxRooms: 10 })).to.equal('too_many_rooms')
      if (hidden !== undefined) await nodes[0]?.leave(hidden)
      expect(await nodes[1]?.create('g', { maxRooms: 10 })).to.not.equal('too_many_rooms')
      expect((await roomsOf(rooms, 'g')).count).to.equal(10)
      expect(await nodes[1]?.create('none', { maxRooms: 0 })).to.equal('too_many_rooms')
    },
  },
  {
    name: `never exceed ${SEATS} seats while ${JOINERS} join on two nodes, one of which dies`,
    run: async (make) => {
      const { rooms, deadMs, pass } = await (await make())()
      const [doomed, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const { seat } = await other.made('g', { maxMembers: SEATS })
      const sample = sampled(rooms, 'g')
      const race = (count: number, nodes: readonly WatchedNode[]) =>
        Promise.all(Array.from({ length: count }, (_, n) => nodes[n % nodes.length]?.join('g', seat.room)))
      const first = await race(JOINERS / 2, [doomed, other])
      expect(first.filter((end) => typeof end === 'object')).to.have.length(SEATS - 1)
      expect(doomed.sitters.size).to.be.greaterThan(0)
      const lost = doomed.sitters.size
      await pass(deadMs / 2)
      await other.node.heartbeat()
      await pass(deadMs / 2)
      const [second] = await Promise.all([race(JOINERS / 2, [other]), other.node.heartbeat()])
      const third = await race(JOINERS / 2, [other])
      expect([...second, ...third].filter((end) => typeof end === 'object')).to.have.length(lost)
      expect(other.sitters.size).to.equal(SEATS)
      expect(await sample.stop()).to.equal(SEATS)
    },
  },
]
