// The rooms over two nodes that are processes, on the three servers: what one node does, in races,
// while nodes die and Redis fails.

import { expect } from 'chai'
import { after, afterEach, before, describe, it } from 'mocha'
import { builtProgram } from '../crash/build.ts'
import { startNginx } from '../deploy/nginx.ts'
import { endSharedServers } from '../servers/places.ts'
import { until } from '../until.ts'
import { faults } from './faults.ts'
import { closeVisitors, connected, openParty } from './party.ts'
import { proveDeafReader, proveFlooder, proveKnocks, proveNonsense } from './prove-hostile.ts'
import { proveOrder } from './prove-order.ts'
import { proveRevoked } from './prove-revoked.ts'
import { proveKilledRooms, proveSeats, raceForRoomTicket } from './prove-seats.ts'
import { openRoomsNodes, type RoomsNodes } from './rooms-nodes.ts'
import { roomsSuite } from './rooms-suite.ts'

const RACES = 5
const RACES_WITH_RESTARTS = 3
/** Each node is killed once: one starts again at once, the other only when others have taken notice. */
const KILL_ROUNDS = 2
/** What is promised in ten seconds, on a machine that may be far slower than any that it is promised on. */
const FREE_MOST_MS = 30_000
/** A look at everybody that nobody asked for comes later than this. */
const CUT_MOST_MS = 20_000

after(endSharedServers)

for (const kind of ['apart', 'whole'] as const) {
  describe(`two nodes of rooms, ${kind === 'apart' ? 'apart from the API' : 'each with all roles'},`, function () {
    this.timeout(240_000)
    let nodes: RoomsNodes
    before(async () => {
      builtProgram()
      nodes = await openRoomsNodes(kind)
    })
    after(() => nodes.close())
    afterEach(() => closeVisitors())

    roomsSuite('do what one does: rooms', async () => {
      const ports = nodes.nodes.map(({ port }) => port)
      return { world: nodes.world, ports, close: async () => {} }
    })

    it('let one of 64 in by a ticket, and never two where Redis is restarted in the middle', async () => {
      const party = await openParty(nodes.world)
      for (let n = 0; n < RACES; n++) expect(await raceForRoomTicket(nodes, party)).to.equal(1)
      for (let n = 0; n < RACES_WITH_RESTARTS; n++) {
        const winners = await raceForRoomTicket(nodes, party, () => nodes.side.redis.restart(), n)
        expect(winners).to.be.at.most(1)
      }
    })

    it('cut revoked clients, on both', async () => {
      const { cutMs, faults } = await proveRevoked(nodes, false)
      expect(faults).to.deep.equal([])
      expect(Object.keys(cutMs)).to.have.length(7)
      for (const [what, ms] of Object.entries(cutMs)) expect(ms, what).to.be.below(CUT_MOST_MS)
    })

    it('have one order, without holes', async () => {
      const proof = await proveOrder(nodes, { senders: 4, each: 300 })
      expect(proof.faults).to.deep.equal([])
      expect(proof.acknowledged).to.equal(1_200)
      // A node that the machine had no time for did not hear of revocations, and rightly cut everybody; else nobody is.
      expect(proof.cutBy.filter((why) => why !== 'unavailable')).to.deep.equal([])
      if (proof.cuts === 0) expect(proof.gaps).to.equal(0)
    })

    if (kind === 'apart') {
      it('serve WebSockets and polling through nginx, as it is shipped', async () => {
        const { port } = nodes.world
        const nginx = await startNginx([port, port], { roomsPort: nodes.nodes[0].port })
        try {
          const party = await openParty(nodes.world)
          const through = { port: nginx.port }
          const ada = await party.enter({ ...through, transports: ['websocket'] })
          const bob = await party.enter({ ...through, transports: ['polling'] })
          const eve = await party.enter({ ...through, transports: ['polling', 'websocket'] })
          const direct = await party.enter({ port: nodes.nodes[1].port })
          const all = [ada, bob, eve, direct]
          const { room } = await ada.ask('create', { name: 'Den' })
          for (const one of [bob, eve, direct]) expect((await one.ask('join', { room: room.id })).ok).to.equal(true)
          const large = 'x'.repeat(4_000)
          for (const one of all) expect((await one.ask('send', { room: room.id, data: large })).ok).to.equal(true)
          for (const one of all) {
            for (const seq of [1, 2, 3, 4]) expect(await one.next('message')).to.deep.include({ seq, data: large })
          }
          await until(() => eve.socket.io.engine.transport.name === 'websocket')
          const dead = await connected({ ticket: 'A'.repeat(43), port: nginx.port }).catch((why: Error) => why.message)
          expect(dead).to.equal('websocket error')
        } finally {
          await nginx.stop()
        }
      })

      it('let nobody suffer from a client that does not read, floods, knocks or sends nonsense', async () => {
        const deaf = await proveDeafReader(nodes, 500)
        expect(deaf.cutMs).to.be.below(Number.POSITIVE_INFINITY)
        expect((await proveFlooder(nodes, 500)).refused).to.equal(true)
        const { answers, grownBytes } = await proveKnocks(nodes, 1_000)
        expect(Object.keys(answers)).to.deep.equal(['403'])
        expect(grownBytes).to.be.below(20_000_000)
        expect(Object.keys((await proveKnocks(nodes, 500, true)).answers)).to.deep.equal(['403'])
        await proveNonsense(nodes, 400, 7)
      })

      it('tell everybody what they missed, whatever befalls, and have them back', async () => {
        const proof = await proveOrder(nodes, { senders: 4, each: 1, faults: Object.entries(faults(nodes)) })
        expect(proof.faults).to.deep.equal([])
        expect(proof.cuts).to.be.greaterThan(0)
        expect(proof.gaps).to.be.greaterThan(0)
      })

      it('never hold more than there are seats, and free those of a node that dies', async () => {
        const { looks, most, freeMs, faults } = await proveSeats(nodes, { joiners: 120, seats: 50 })
        expect(faults).to.deep.equal([])
        expect(looks).to.be.greaterThan(10)
        expect(most).to.equal(50)
        expect(freeMs).to.be.below(FREE_MOST_MS)
      })

      it('list no room that is not there, and none twice, after deaths', async () => {
        const { rightMs, faults } = await proveKilledRooms(nodes, KILL_ROUNDS)
        expect(faults).to.deep.equal([])
        expect(rightMs).to.have.length(KILL_ROUNDS)
        for (const ms of rightMs) expect(ms).to.be.below(FREE_MOST_MS)
      })
    }
  })
}
