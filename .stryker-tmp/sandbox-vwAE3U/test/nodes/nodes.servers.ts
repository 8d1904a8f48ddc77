// Several nodes on one log: under faults, straight after writes, in races, over their limits, and through an upgrade.

import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { builtProgram } from '../crash/build.ts'
import { type MadeGame, makeGame } from '../front-door/scenery.ts'
import type { World } from '../front-door/world.ts'
import { endSharedServers } from '../servers/places.ts'
import { FAULTS, type Fault } from './faults.ts'
import { proveNodes } from './prove-nodes.ts'
import { raceForChallenge, raceForSubmission, raceForTicket, untilBack } from './racers.ts'
import { proveRates, rateLimits } from './rates.ts'
import { holdProjectors, proveReadsAfterWrites } from './read-after-write.ts'
import { openSideBySide, type SideBySide } from './side-by-side.ts'
import { proveUpgrade } from './upgrade.ts'

const EACH = (Object.keys(FAULTS) as Fault[]).filter((fault) => fault !== 'Redis killed')
const SEED = 20_261_121
/**
 * How soon the partitions of a projector that is gone, without a word, are with another. What is promised in ten
 * seconds, which the proof holds to, on a machine that may be far slower than any that it is promised on.
 */
const MOVED_MS = 30_000
/** What running requests have after SIGTERM, and some to close its stores, on such a machine. */
const STOPPED_MS = 30_000
/** So low that a slow machine too asks for ten times as much. */
const LIMIT = { perSecond: 5, burst: 20 }
/** Each of them straight after a write; 10,000 in the proof. */
const READS = 200
/** Times that no projector goes on while reads follow writes; 10 in the proof. */
const HOLDS = 1
const RACES = 5
const RACES_WITH_RESTARTS = 3

after(endSharedServers)

describe('nodes under load, with what fails beneath and beside them', function () {
  this.timeout(240_000)

  it('lose nothing, double nothing, rank nothing wrongly, and what is live equals what is rebuilt', async () => {
    const proof = await proveNodes({ seed: SEED, forMs: 0, faults: EACH, paceMs: 150 })
    expect(proof.faults).to.deep.equal([])
    expect(proof.acknowledged).to.be.greaterThan(200)
    expect(proof.read).to.be.greaterThan(200)
    expect(proof.moved).to.have.length(2)
    for (const ms of proof.moved) expect(ms).to.be.below(MOVED_MS)
    expect(proof.stopped).to.have.length(4)
    for (const ms of proof.stopped) expect(ms).to.be.below(STOPPED_MS)
  })
})

describe('two nodes on one log', function () {
  this.timeout(120_000)
  let nodes: SideBySide
  let worlds: [World, World]
  let game: MadeGame
  before(async () => {
    builtProgram()
    nodes = await openSideBySide({ apis: 2, projectors: 2 })
    worlds = nodes.apis.map(({ world }) => world) as unknown as [World, World]
    game = await makeGame(worlds[0])
  })
  after(() => nodes.close())

  it('read on one what was just written on the other, with its token, and their own without', async () => {
    const meanwhile = () => holdProjectors(nodes, HOLDS)
    const wanted = { reads: READS, writers: 8, seed: SEED, meanwhile }
    const { elsewhere, own, stale } = await proveReadsAfterWrites(worlds, wanted)
    expect(stale).to.deep.equal([])
    expect(elsewhere).to.be.at.least(READS)
    expect(own).to.be.at.least(READS / 5)
  })

  it('let one of 64 racers have a challenge', async () => {
    for (let n = 0; n < RACES; n++) {
      const { winners, others, faults } = await raceForChallenge(worlds, game)
      expect({ winners, others, faults }).to.deep.equal({
        winners: 1,
        others: { '401 challenge_rejected': 63 },
        faults: [],
      })
    }
  })

  it('let one of 64 racers sign in by a ticket', async () => {
    for (let n = 0; n < RACES; n++) {
      const { winners, others, faults } = await raceForTicket(worlds, game)
      expect({ winners, others, faults }).to.deep.equal({
        winners: 1,
        others: { '401 sign_in_rejected': 63 },
        faults: [],
      })
    }
  })

  it('let one of 64 racers with one Idempotency-Key be the first', async () => {
    for (let n = 0; n < RACES; n++) {
      const { winners, faults } = await raceForSubmission(worlds, game)
      expect({ winners, faults }).to.deep.equal({ winners: 1, faults: [] })
    }
  })

  it('never let two of 64 racers have one of these, where Redis is restarted in the middle', async () => {
    for (let n = 0; n < RACES_WITH_RESTARTS; n++) {
      const restart = () => nodes.redis.restart()
      for (const race of [raceForChallenge, raceForTicket, raceForSubmission]) {
        // What the race before did to Redis must be over for each node, or this one cannot be set up.
        await Promise.all(worlds.map((world) => untilBack(world, game)))
        const { winners, faults } = await race(worlds, game, restart)
        expect(faults).to.deep.equal([])
        expect(winners).to.be.at.most(1)
      }
    }
  })

  it('admit a key at ten times its limit as often as the limit says, over both', async () => {
    const env = { RATE_LIMITS: rateLimits(LIMIT) }
    const limited = [await nodes.startApi(env), await nodes.startApi(env)]
    const proof = await proveRates(
      limited.map(({ world }) => world),
      LIMIT,
      4_000,
    )
    expect(proof.faults).to.deep.equal([])
    expect(proof.timesTheLimit).to.be.at.least(10)
    expect(proof.admitted).to.be.at.most(proof.most)
    expect(proof.admitted).to.be.at.least(proof.due * 0.99)
  })
})

describe('a rolling upgrade', function () {
  this.timeout(120_000)

  it('runs two versions of a view side by side, which answer alike, and loses nothing', async () => {
    const { acknowledged, read, sideBySide, faults } = await proveUpgrade({ seed: SEED, untilDropped: null })
    expect(faults).to.deep.equal([])
    expect(sideBySide).to.have.length(2)
    expect(acknowledged).to.be.greaterThan(50)
    expect(read).to.be.greaterThan(10)
  })
})
