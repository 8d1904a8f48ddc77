// Nodes that die, freeze and come back, and the seats of their members.

import { expect } from 'chai'
import { NODE_LOST } from '../../stores/contract/rooms.ts'
import { memberIds, type OpenRooms, passesSoon, roomsOf, WatchedNode } from './rooms-watched.ts'
import type { Check } from './test-contract.ts'

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
