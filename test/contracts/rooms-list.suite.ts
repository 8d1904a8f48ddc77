// Listing and searching rooms: which are listed, in which order, and fixed rooms.

import { expect } from 'chai'
import type { FixedRoom } from '../../domain/game.ts'
import { EMPTY_ROOM_KEPT_MS } from '../../stores/contract/rooms.ts'
import { memberIds, messagesOf, newId, type OpenRooms, passesSoon, roomsOf, WatchedNode } from './rooms-watched.ts'
import type { Check } from './test-contract.ts'

const LOBBY: FixedRoom = { id: 'lobby', name: 'Lobby One', max_members: 2, listed: true }
const HIDDEN: FixedRoom = { id: 'hidden', name: 'Lobby Two', max_members: 5, listed: false }
const HALL: FixedRoom = { id: 'hall', name: 'HALL É', max_members: 1_000, listed: true }
const FIXED = [LOBBY, HIDDEN, HALL]
/** More than two batches of any adapter. */
const MANY = 1_100

export const roomsListChecks: readonly Check<OpenRooms>[] = [
  {
    name: 'are listed in order of creation, page by page, if they are listed',
    run: async (make) => {
      const { rooms } = await (await make())()
      const node = await WatchedNode.enter(rooms)
      const made = []
      for (let n = 0; n < 25; n++) {
        const listed = n % 5 !== 0
        const { seat } = await node.made('g', { name: `Room ${n}`, listed, maxMembers: n + 1 })
        if (listed) made.push({ id: seat.room, name: `Room ${n}`, members: 1, max_members: n + 1, fixed: false })
      }
      await node.made('h')
      for (const [limit, offset] of [
        [100, 0],
        [7, 0],
        [7, 14],
        [1, 19],
        [5, 20],
        [100, 1_000_000_000],
      ] as const) {
        const found = await rooms.list({ game: 'g', search: '', limit, offset, fixed: [] })
        expect(found).to.deep.equal({ rooms: made.slice(offset, offset + limit), count: 20 })
      }
    },
  },
  {
    name: 'are found by any part of their names, in either case',
    run: async (make) => {
      const { rooms } = await (await make())()
      const node = await WatchedNode.enter(rooms)
      const names = ['Deep Blue', 'deep  red', 'É日 %d+ [a]', '.*', 'ﬁne', '']
      for (const name of names) await node.made('g', { name })
      await node.made('g', { name: 'Deep hidden', listed: false })
      const found = async (search: string, limit = 100, offset = 0) => {
        const answer = await rooms.list({ game: 'g', search, limit, offset, fixed: FIXED })
        return [answer.rooms.map(({ name }) => name), answer.count]
      }
      expect(await found('DEEP')).to.deep.equal([['Deep Blue', 'deep  red'], 2])
      expect(await found('DEEP', 1, 1)).to.deep.equal([['deep  red'], 2])
      expect(await found('é')).to.deep.equal([['HALL É', 'É日 %d+ [a]'], 2])
      expect(await found('E\u0301', 1, 1)).to.deep.equal([['É日 %d+ [a]'], 2])
      expect(await found('lobby')).to.deep.equal([['Lobby One'], 1])
      expect(await found('%d+ [')).to.deep.equal([['É日 %d+ [a]'], 1])
      expect(await found('.')).to.deep.equal([['.*'], 1])
      expect(await found('FI')).to.deep.equal([['ﬁne'], 1])
      expect(await found('room-')).to.deep.equal([[], 0])
      expect(await found('')).to.deep.equal([['Lobby One', 'HALL É', ...names], 8])
      expect(await found('', 2, 1)).to.deep.equal([['HALL É', 'Deep Blue'], 8])
    },
  },
  {
    name: 'are found in a search over many batches, each once and in order',
    run: async (make) => {
      const { rooms } = await (await make())()
      const node = await WatchedNode.enter(rooms)
      const names = Array.from({ length: MANY }, (_, n) => (n % 100 === 7 ? `Odd ${n}` : `Even ${n}`))
      for (let n = 0; n < MANY; n += 50) {
        await Promise.all(names.slice(n, n + 50).map((name) => node.made('g', { name })))
      }
      const all = (await rooms.list({ game: 'g', search: '', limit: MANY, offset: 0, fixed: [] })).rooms
      expect(all).to.have.length(MANY)
      const odd = all.filter(({ name }) => name.startsWith('Odd'))
      for (const [limit, offset] of [
        [100, 0],
        [3, 4],
        [4, 9],
        [1, 10],
        [5, 11],
      ] as const) {
        const found = await rooms.list({ game: 'g', search: 'odd', limit, offset, fixed: [] })
        expect(found).to.deep.equal({ rooms: odd.slice(offset, offset + limit), count: 11 })
      }
      const every = await rooms.list({ game: 'g', search: 'e', limit: 100, offset: 950, fixed: [] })
      const even = all.filter(({ name }) => name.startsWith('Even'))
      expect(every).to.deep.equal({ rooms: even.slice(950, 1_050), count: even.length })
    },
  },
  {
    name: 'that are fixed exist without members, count against no limit, and never end',
    run: async (make) => {
      const { rooms } = await (await make())()
      const [one, other] = [await WatchedNode.enter(rooms), await WatchedNode.enter(rooms)]
      const listed = ({ id, name, max_members }: FixedRoom, members: number) => ({
        id,
        name,
        members,
        max_members,
        fixed: true,
      })
      expect(await roomsOf(rooms, 'g', FIXED)).to.deep.equal({ rooms: [listed(LOBBY, 0), listed(HALL, 0)], count: 2 })
      const a = await one.joined('g', LOBBY.id, { fixed: LOBBY })
      expect(a.joined.room).to.deep.equal(listed(LOBBY, 1))
      await other.joined('g', HIDDEN.id, { fixed: HIDDEN })
      expect(await one.create('g', { maxRooms: 0 })).to.equal('too_many_rooms')
      const made = await one.made('g', { maxRooms: 1 })
      expect((await roomsOf(rooms, 'g', FIXED)).rooms.map(({ id, members }) => [id, members])).to.deep.equal([
        [LOBBY.id, 1],
        [HALL.id, 0],
        [made.seat.room, 1],
      ])
      expect(await one.node.send(a.seat, '"kept"')).to.include({ seq: a.joined.seq + 1 })
      await one.leave(a)
      const again = await other.joined('g', LOBBY.id, { fixed: LOBBY, since: a.joined.seq })
      expect(again.joined.missed?.map(({ data, from }) => [data, from])).to.deep.equal([['"kept"', a.seat.member]])
      expect(memberIds(again)).to.deep.equal([again.seat.member])
      const elsewhere = await other.joined('h', LOBBY.id, { fixed: LOBBY })
      expect(memberIds(elsewhere)).to.deep.equal([elsewhere.seat.member])
    },
  },
  {
    name: 'that are fixed and empty are removed with their messages when their game is, and no others',
    run: async (make) => {
      const { rooms } = await (await make())()
      const node = await WatchedNode.enter(rooms)
      const joinedAndSent = async (game: string, fixed: FixedRoom) => {
        const one = await node.joined(game, fixed.id, { fixed })
        await node.node.send(one.seat, '"said"')
        return one
      }
      const [empty, full, elsewhere] = [
        await joinedAndSent('g', LOBBY),
        await joinedAndSent('g', HALL),
        await joinedAndSent('gg', LOBBY),
      ]
      await node.leave(empty)
      await node.leave(elsewhere)
      await rooms.forget('g')
      await rooms.forget('unknown')
      const missed = async (game: string, fixed: FixedRoom, { joined }: typeof empty) =>
        (await node.joined(game, fixed.id, { fixed, since: joined.seq })).joined.missed?.map(({ data }) => data) ?? null
      expect(await missed('g', HALL, full)).to.deep.equal(['"said"'])
      expect(await missed('gg', LOBBY, elsewhere)).to.deep.equal(['"said"'])
      expect(await missed('g', LOBBY, empty)).to.not.deep.equal(['"said"'])
    },
  },
  {
    name: 'that are fixed follow changed settings without removing members',
    run: async (make) => {
      const { rooms } = await (await make())()
      const node = await WatchedNode.enter(rooms)
      const join = (fixed: FixedRoom | null) => node.join('g', LOBBY.id, { fixed })
      const [a, b] = [await node.sits(join(LOBBY)), await node.sits(join(LOBBY))]
      expect(await join(LOBBY)).to.equal('room_full')
      const wider = { ...LOBBY, name: 'Wide', max_members: 3 }
      expect((await node.sits(join(wider))).joined.room).to.deep.equal({
        id: LOBBY.id,
        name: 'Wide',
        members: 3,
        max_members: 3,
        fixed: true,
      })
      expect(await join({ ...LOBBY, max_members: 1 })).to.equal('room_full')
      expect(await join(null)).to.equal('room_not_found')
      expect(await node.node.send(a.seat, '1')).to.include({ seq: a.joined.seq + 1 })
      await passesSoon(() => expect(messagesOf(b)).to.have.length(1))
      expect((await roomsOf(rooms, 'g', [])).rooms).to.deep.equal([])
      const own = { ...LOBBY, id: newId('other') }
      expect((await node.sits(node.join('g', own.id, { fixed: own }))).joined.members).to.have.length(1)
    },
  },
  {
    name: 'that are fixed and long empty lose their messages and start a new order',
    run: async (make) => {
      const { rooms, pass } = await (await make())()
      const node = await WatchedNode.enter(rooms)
      const join = (since: number | null) => node.joined('g', LOBBY.id, { fixed: LOBBY, since })
      const a = await join(null)
      const from = a.joined.seq
      expect(from).to.be.within(Date.now() - 3_600_000, Date.now() + 3_600_000)
      await node.node.send(a.seat, '1')
      await node.leave(a)
      // It had a member meanwhile, so it has been empty for less than that.
      await pass(EMPTY_ROOM_KEPT_MS / 2)
      await node.leave(await join(from))
      await pass(EMPTY_ROOM_KEPT_MS / 2)
      await node.node.heartbeat()
      const b = await join(from)
      expect(b.joined.missed?.map(({ seq }) => seq)).to.deep.equal([from + 1])
      await pass(EMPTY_ROOM_KEPT_MS)
      await node.node.heartbeat()
      expect(await node.leave(b)).to.equal(true)
      await pass(EMPTY_ROOM_KEPT_MS)
      await node.node.heartbeat()
      const c = await join(from)
      expect(c.joined.missed).to.equal(null)
      expect(c.joined.seq).to.be.at.least(from + 1)
      expect(node.lost).to.deep.equal([])
    },
  },
]
