// A player who joins a room in which they have a seat: whose connection is asked, and which seat is taken over.

import { expect } from 'chai'
import { REPLACED, SEAT_SILENT_MS, SEATS_ASKED_MAX } from '../../stores/contract/rooms.ts'
import { memberIds, type OpenRooms, passesSoon, playerOf, roomsOf, type Sitter, WatchedNode } from './rooms-watched.ts'
import type { Check } from './test-contract.ts'

const RACERS = 16
const HALF_MS = SEAT_SILENT_MS / 2
const ann = playerOf('ann')
const ben = playerOf('ben')

const left = ({ seat: { room, member } }: Sitter) => ({ type: 'left', game: 'g', room, member, reason: REPLACED })
const joined = ({ seat: { room, member } }: Sitter, player = ann) => {
  return { type: 'joined', game: 'g', room, member, player }
}

export const roomsTakeoverChecks: readonly Check<OpenRooms>[] = [
  {
    name: 'ask the connections of a player’s other seats, on their nodes, when the player joins, and seat them at once',
    run: async (make) => {
      const { rooms, pass } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const a = await one.made('g', { player: ann, maxMembers: 5 })
      await other.joined('g', a.seat.room, { player: ben })
      await other.joined('g', a.seat.room, { player: null })
      expect([one.asked, other.asked]).to.deep.equal([[], []])
      const b = await other.joined('g', a.seat.room, { player: ann })
      await passesSoon(() => expect(one.asked).to.deep.equal([a.seat.member]))
      const c = await one.joined('g', a.seat.room, { player: ann })
      expect(memberIds(c)).to.have.length(5)
      await passesSoon(() => expect(other.asked).to.deep.equal([b.seat.member]))
      await passesSoon(() => expect(one.asked).to.deep.equal([a.seat.member, a.seat.member]))
      await pass(SEAT_SILENT_MS)
      expect((await roomsOf(rooms, 'g')).rooms[0]?.members, 'asking removes nobody').to.equal(5)
    },
  },
  {
    name: 'give a silent seat of a full room to its player, who joins directly after the other has left',
    run: async (make) => {
      const open = await make()
      for (const from of [0, 1] as const) {
        const { rooms, pass } = await open()
        const nodes = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)] as const
        const [one, other] = nodes
        const owner = await other.made('g', { player: ben, maxMembers: 2 })
        const { room } = owner.seat
        const silent = await one.joined('g', room, { player: ann })
        expect(await nodes[from].join('g', room, { player: ann })).to.equal('seats_asked')
        await passesSoon(() => expect(one.asked).to.deep.equal([silent.seat.member]))
        await pass(HALF_MS)
        expect(await nodes[from].join('g', room, { player: ann, asks: false })).to.equal('seats_asked')
        await pass(HALF_MS)
        const newcomer = await nodes[from].joined('g', room, { player: ann, asks: false })
        expect(memberIds(newcomer)).to.deep.equal([owner.seat.member, newcomer.seat.member])
        await passesSoon(() => expect(owner.heard).to.deep.equal([joined(silent), left(silent), joined(newcomer)]))
        await passesSoon(() => expect(silent.heard.at(0)).to.deep.equal(left(silent)))
        expect(await one.leave(silent), 'it has no seat').to.equal(false)
        expect(await one.node.send(silent.seat, '1')).to.equal('not_in_room')
        expect(one.asked).to.deep.equal([silent.seat.member])
        expect((await roomsOf(rooms, 'g')).rooms[0]?.members).to.equal(2)
      }
    },
  },
  {
    name: 'go on with their order and listeners when the only member is replaced',
    run: async (make) => {
      const open = await make()
      for (const from of [0, 1] as const) {
        const { rooms, pass } = await open()
        const nodes = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)] as const
        const [one, other] = nodes
        const silent = await one.made('g', { player: ann, maxMembers: 1 })
        const { room } = silent.seat
        await one.node.send(silent.seat, '"first"')
        const ear = await nodes[1 - from]?.sits(nodes[1 - from]?.listen('g', room) as Promise<Sitter | string>)
        expect(await nodes[from].join('g', room, { player: ann })).to.equal('seats_asked')
        await pass(SEAT_SILENT_MS)
        const newcomer = await nodes[from].joined('g', room, { player: ann, since: 0, asks: false })
        expect(newcomer.joined.missed?.map(({ data }) => data)).to.deep.equal(['"first"'])
        expect(memberIds(newcomer)).to.deep.equal([newcomer.seat.member])
        await nodes[from].node.send(newcomer.seat, '"second"')
        await passesSoon(() => expect(ear?.heard).to.have.length(3))
        expect(ear?.heard.slice(0, 2)).to.deep.equal([left(silent), joined(newcomer)])
        expect(ear?.heard[2]).to.include({ type: 'message', data: '"second"', seq: 2 })
        expect(await other.join('g', room, { player: ben })).to.equal('room_full')
        expect(await nodes[from].leave(newcomer)).to.equal(true)
        expect(await one.join('g', room, { player: ann })).to.equal('room_not_found')
      }
    },
  },
  {
    name: 'keep the seat of a connection that has answered, until it is asked again and does not',
    run: async (make) => {
      const { rooms, pass } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const alive = await one.made('g', { player: ann, maxMembers: 1 })
      const again = () => other.join('g', alive.seat.room, { player: ann, asks: false })
      expect(await again(), 'no seat was asked').to.equal('room_full')
      expect(await other.join('g', alive.seat.room, { player: ann })).to.equal('seats_asked')
      await one.node.answered(alive.seat)
      expect(await again()).to.equal('room_full')
      await pass(SEAT_SILENT_MS)
      expect(await again()).to.equal('room_full')
      expect(await other.join('g', alive.seat.room, { player: ann })).to.equal('seats_asked')
      await other.node.answered(alive.seat)
      await pass(SEAT_SILENT_MS)
      expect(await again(), 'another node cannot answer for it').to.be.an('object')
    },
  },
  {
    name: 'give nothing to other players, nor to callers without a player, and ask nobody for them',
    run: async (make) => {
      const { rooms, pass } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const a = await one.made('g', { player: ann, maxMembers: 2 })
      const b = await one.joined('g', a.seat.room, { player: null })
      expect(await other.join('g', a.seat.room, { player: null })).to.equal('room_full')
      expect(await other.join('g', a.seat.room, { player: ben })).to.equal('room_full')
      expect(await other.join('g', a.seat.room, { player: ann })).to.equal('seats_asked')
      await pass(SEAT_SILENT_MS)
      expect(await other.join('g', a.seat.room, { player: ben })).to.equal('room_full')
      expect(await other.join('g', a.seat.room, { player: null })).to.equal('room_full')
      await passesSoon(() => expect(one.asked).to.deep.equal([a.seat.member]))
      expect(await one.leave(b)).to.equal(true)
      const ofBen = await other.joined('g', a.seat.room, { player: ben })
      expect(memberIds(ofBen)).to.deep.equal([a.seat.member, ofBen.seat.member])
    },
  },
  {
    name: 'notify the node of a seat that it frees itself, as of a seat that is taken over',
    run: async (make) => {
      const { rooms } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const owner = await other.made('g', { player: ben })
      const silent = await one.joined('g', owner.seat.room, { player: ann })
      expect(await one.node.leave(silent.seat, REPLACED)).to.equal(true)
      await passesSoon(() => expect(silent.heard).to.deep.equal([left(silent)]))
      await passesSoon(() => expect(owner.heard).to.deep.equal([joined(silent), left(silent)]))
      const alone = await one.made('g', { player: ann })
      expect(await one.node.leave(alone.seat, REPLACED)).to.equal(true)
      await passesSoon(() => expect(alone.heard).to.deep.equal([left(alone)]))
      expect(await other.join('g', alone.seat.room)).to.equal('room_not_found')
    },
  },
  {
    name: 'give a silent seat to exactly one of several newcomers on several nodes',
    run: async (make) => {
      const { rooms, pass } = await (await make())()
      const nodes = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const owner = await nodes[0]?.made('g', { player: ben, maxMembers: 2 })
      const room = owner?.seat.room ?? ''
      await nodes[1]?.joined('g', room, { player: ann })
      expect(await nodes[0]?.join('g', room, { player: ann })).to.equal('seats_asked')
      await pass(SEAT_SILENT_MS)
      const ends = await Promise.all(
        Array.from({ length: RACERS }, (_, n) => nodes[n % 2]?.join('g', room, { player: ann, asks: false })),
      )
      expect(ends.filter((end) => typeof end === 'object')).to.have.length(1)
      expect([...new Set(ends.filter((end) => typeof end === 'string'))]).to.deep.equal(['room_full'])
      expect((await roomsOf(rooms, 'g')).rooms[0]?.members).to.equal(2)
    },
  },
  {
    name: 'give each silent seat once, the first to join first, and a seat that becomes free meanwhile',
    run: async (make) => {
      const { rooms, pass } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const lobby = { id: 'lobby', name: 'Lobby', max_members: 3, listed: true }
      const join = (node: WatchedNode, over: object) => node.join('g', 'lobby', { player: ann, fixed: lobby, ...over })
      const first = await one.sits(join(one, {}))
      const second = await other.sits(join(other, {}))
      const owner = await one.sits(join(one, { player: ben }))
      await one.node.answered(first.seat)
      expect(await join(one, {})).to.equal('seats_asked')
      await pass(SEAT_SILENT_MS)
      const third = await other.sits(join(other, { asks: false }))
      const fourth = await one.sits(join(one, { asks: false }))
      expect(await join(one, { asks: false })).to.equal('room_full')
      expect(memberIds(fourth)).to.deep.equal([owner.seat.member, third.seat.member, fourth.seat.member])
      await passesSoon(() =>
        expect(owner.heard).to.deep.equal([left(first), joined(third), left(second), joined(fourth)]),
      )
      expect(await join(other, {})).to.equal('seats_asked')
      expect(await one.leave(owner)).to.equal(true)
      const fifth = await other.sits(join(other, { asks: false }))
      expect(memberIds(fifth)).to.deep.equal([third.seat.member, fourth.seat.member, fifth.seat.member])
    },
  },
  {
    name: 'ask a bounded number of a player’s seats, those that joined first',
    run: async (make) => {
      const { rooms } = await (await make())()
      const node = await WatchedNode.enter(rooms)
      const count = SEATS_ASKED_MAX + 5
      const first = await node.made('g', { player: ann, maxMembers: count })
      const seats = [first.seat.member]
      for (let n = 1; n < count; n++) {
        const { seat } = await node.joined('g', first.seat.room, { player: ann, asks: false })
        seats.push(seat.member)
      }
      expect(await node.join('g', first.seat.room, { player: ann })).to.equal('seats_asked')
      await node.node.send(first.seat, '"after them"')
      await passesSoon(() => expect(first.heard.at(-1)).to.include({ type: 'message' }))
      expect(node.asked).to.deep.equal(seats.slice(0, SEATS_ASKED_MAX))
    },
  },
]
