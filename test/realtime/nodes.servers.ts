// Two rooms nodes as processes on the three servers, in races and while nodes die and Redis fails.

import { expect } from 'chai'
import { builtProgram } from '../crash/build.ts'
import { startNginx } from '../deploy/nginx.ts'
import { endSharedServers } from '../servers/store-urls.ts'
import { until } from '../until.ts'
import { faults } from './faults.ts'
import { proveDeafReader, proveFlooder, proveKnocks, proveNonsense } from './prove-hostile.ts'
import { proveOrder } from './prove-order.ts'
import { proveRevoked } from './prove-revoked.ts'
import { proveKilledRooms, proveSeats, raceForRoomTicket } from './prove-seats.ts'
import { roomsSuite } from './rooms.suite.ts'
import { closeRoomClients, connected, openRoomsFixture } from './rooms-fixture.ts'
import { openRoomsNodes, type RoomsNodes } from './rooms-nodes.ts'
import { seatTakeoverSuite } from './seat-takeover.suite.ts'

const RACES = 5
const RACES_WITH_RESTARTS = 3
/** Each node is killed once: one restarts at once, the other after its lease has expired. */
const KILL_ROUNDS = 2
/** Promised within ten seconds; this machine may be far slower than a real server. */
const FREE_MAX_MS = 30_000
/** The periodic check of all connections comes later than this. */
const CUT_MAX_MS = 20_000

after(endSharedServers)

for (const kind of ['apart', 'whole'] as const) {
  describe(`two rooms nodes, ${kind === 'apart' ? 'apart from the API' : 'each with all roles'},`, function () {
    this.timeout(240_000)
    let nodes: RoomsNodes
    before(async () => {
      builtProgram()
      nodes = await openRoomsNodes(kind)
    })
    after(() => nodes.close())
    afterEach(() => closeRoomClients())

    roomsSuite('do what one does: rooms', async () => {
      const ports = nodes.nodes.map(({ port }) => port)
      return { world: nodes.world, ports, close: async () => {} }
    })

    it('admit exactly one of 64 connections with one ticket, and at most one if Redis restarts meanwhile', async () => {
      const fixture = await openRoomsFixture(nodes.world)
      for (let n = 0; n < RACES; n++) expect(await raceForRoomTicket(nodes, fixture)).to.equal(1)
      for (let n = 0; n < RACES_WITH_RESTARTS; n++) {
        const winners = await raceForRoomTicket(nodes, fixture, () => nodes.side.redis.restart(), n)
        expect(winners).to.be.at.most(1)
      }
    })

    it('close revoked connections on both nodes', async () => {
      const { cutMs, faults } = await proveRevoked(nodes, false)
      expect(faults).to.deep.equal([])
      expect(Object.keys(cutMs)).to.have.length(7)
      for (const [what, ms] of Object.entries(cutMs)) expect(ms, what).to.be.below(CUT_MAX_MS)
    })

    it('deliver messages in one order without gaps', async () => {
      const proof = await proveOrder(nodes, { senders: 4, each: 300 })
      expect(proof.faults).to.deep.equal([])
      expect(proof.acknowledged).to.equal(1_200)
      // A node that got no CPU time may have stale revocations and then closes all connections, which is right.
      expect(proof.cutBy.filter((reason) => reason !== 'unavailable')).to.deep.equal([])
      if (proof.cuts === 0) expect(proof.gaps).to.equal(0)
    })

    if (kind === 'apart') {
      seatTakeoverSuite('a player who joins a room in which they have a seat on another node', async () => {
        const [{ port: older }, { port: newer }] = nodes.nodes
        return { world: nodes.world, ports: [older, newer], close: async () => {} }
      })

      it('serve WebSockets and polling through nginx with the shipped configuration', async () => {
        const { port } = nodes.world
        const nginx = await startNginx([port, port], { roomsPort: nodes.nodes[0].port })
        try {
          const fixture = await openRoomsFixture(nodes.world)
          const through = { port: nginx.port }
          const ada = await fixture.enter({ ...through, transports: ['websocket'] })
          const bob = await fixture.enter({ ...through, transports: ['polling'] })
          const eve = await fixture.enter({ ...through, transports: ['polling', 'websocket'] })
          const direct = await fixture.enter({ port: nodes.nodes[1].port })
          const all = [ada, bob, eve, direct]
          const { room } = await ada.ask('create', { name: 'Den' })
          for (const one of [bob, eve, direct]) expect((await one.ask('join', { room: room.id })).ok).to.equal(true)
          const large = 'x'.repeat(4_000)
          for (const one of all) expect((await one.ask('send', { room: room.id, data: large })).ok).to.equal(true)
          for (const one of all) {
            for (const seq of [1, 2, 3, 4]) expect(await one.next('message')).to.deep.include({ seq, data: large })
          }
          await until(() => eve.socket.io.engine.transport.name === 'websocket')
          const dead = await connected({ ticket: 'A'.repeat(43), port: nginx.port }).catch(
            (reason: Error) => reason.message,
          )
          expect(dead).to.equal('websocket error')
        } finally {
          await nginx.stop()
        }
      })

      it('keep serving others while clients do not read, flood, or send malformed or unknown requests', async () => {
        const deaf = await proveDeafReader(nodes, 500)
        expect(deaf.cutMs).to.be.below(Number.POSITIVE_INFINITY)
        expect((await proveFlooder(nodes, 500)).refused).to.equal(true)
        const { answers, grownBytes } = await proveKnocks(nodes, 1_000)
        expect(Object.keys(answers)).to.deep.equal(['403'])
        expect(grownBytes).to.be.below(20_000_000)
        expect(Object.keys((await proveKnocks(nodes, 500, true)).answers)).to.deep.equal(['403'])
        await proveNonsense(nodes, 400, 7)
      })

      it('deliver missed messages after every fault, and clients reconnect', async () => {
        const proof = await proveOrder(nodes, { senders: 4, each: 1, faults: Object.entries(faults(nodes)) })
        expect(proof.faults).to.deep.equal([])
        expect(proof.cuts).to.be.greaterThan(0)
        expect(proof.gaps).to.be.greaterThan(0)
      })

      it('never exceed the seats of a room, and free the seats of a node that dies', async () => {
        const { checks, most, freeMs, faults } = await proveSeats(nodes, { joiners: 120, seats: 50 })
        expect(faults).to.deep.equal([])
        expect(checks).to.be.greaterThan(10)
        expect(most).to.equal(50)
        expect(freeMs).to.be.below(FREE_MAX_MS)
      })

      it('list no ended room and no room twice after nodes die', async () => {
        const { rightMs, faults } = await proveKilledRooms(nodes, KILL_ROUNDS)
        expect(faults).to.deep.equal([])
        expect(rightMs).to.have.length(KILL_ROUNDS)
        for (const ms of rightMs) expect(ms).to.be.below(FREE_MAX_MS)
      })
    }
  })
}
