// Limits of open rooms per player and per network address, across all nodes.

import { expect } from 'chai'
import { type OpenRooms, playerOf, roomsOf, type Sitter, WatchedNode } from './rooms-watched.ts'
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
