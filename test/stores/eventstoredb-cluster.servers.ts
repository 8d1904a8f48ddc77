// The log on an EventStoreDB cluster: it follows the leader through elections, starts next to a frozen node, and
// opens no more connections than needed, however often they break.

import { expect } from 'chai'
import type { Log } from '../../stores/contract/log.ts'
import { checkEventStore } from '../../stores/eventstoredb/check.ts'
import { openEventStore } from '../../stores/eventstoredb/log.ts'
import { everything, idsOf, someEvents } from '../contracts/events.ts'
import { type EventStoreCluster, startCluster } from '../servers/eventstoredb/cluster.ts'
import { pause } from '../until.ts'
import { follow, recorded, within, writer } from './eventstoredb-writers.ts'

const WRITERS = 8
/** During an election a writer may have any number of failed appends; it waits 20 ms between them. */
const AFTER_ELECTION_MS = 1_500
const CUTS = 50
const prefixes = ['s-']

describe('the log on a cluster of EventStoreDB', () => {
  let cluster: EventStoreCluster
  const logs: Log[] = []
  let reconnects = 0

  beforeEach(async () => {
    cluster = await startCluster({ electionMs: 400, frozenElectionMs: 400, resignationMs: 200 })
  })
  afterEach(async () => {
    await Promise.all(logs.splice(0).map((log) => log.close()))
    await cluster.stop()
  })

  async function open(url: string, deadlineMs = 5_000): Promise<Log> {
    reconnects = 0
    const onReconnect = () => {
      reconnects += 1
    }
    const log = await openEventStore({ url, prefixes, deadlineMs, heartbeatMs: 200, onReconnect })
    logs.push(log)
    return log
  }

  const leader = (): number => cluster.leader() ?? Number.NaN

  /** Runs writers before, during and after a fault; no acknowledged event may be lost or duplicated. */
  async function underWriters(log: Log, act: (written: () => number) => Promise<void>): Promise<void> {
    let isOver = false
    const followed = follow(log)
    const writers = Array.from({ length: WRITERS }, (_, n) => writer(log, `s-${n}`, () => !isOver))
    await within('some events came', () => followed.ids.length > WRITERS)
    await act(() => followed.ids.length)
    isOver = true
    const written = await Promise.all(writers)
    const all = await everything(log)
    for (const [n, ids] of written.entries()) {
      expect(idsOf(all.filter(({ stream }) => stream === `s-${n}`))).to.deep.equal(ids)
    }
    await within('all events came', () => followed.ids.length >= all.length)
    followed.stop()
    await followed.done
    expect(followed.ids).to.deep.equal(idsOf(all))
  }

  it('continues writing soon after the leader was killed and another was elected', async () => {
    const log = await open(cluster.url)
    await underWriters(log, async (written) => {
      for (let kill = 0; kill < 3; kill += 1) {
        const dead = leader()
        await cluster.kill(dead)
        const elected = await cluster.elected()
        const before = written()
        await within('writes went on', () => written() > before + WRITERS)
        expect(performance.now() - elected, 'time after the election').to.be.below(AFTER_ELECTION_MS)
        await cluster.start(dead)
        await pause(600)
      }
    })
  })

  it('continues writing soon after the leader resigned', async () => {
    const log = await open(cluster.url)
    await underWriters(log, async (written) => {
      cluster.resign()
      const elected = await cluster.elected()
      const before = written()
      await within('writes went on', () => written() > before + WRITERS)
      expect(performance.now() - elected, 'time after the election').to.be.below(AFTER_ELECTION_MS)
    })
  })

  it('continues writing and following soon after another leader was elected beside a frozen one', async () => {
    await cluster.stop()
    cluster = await startCluster({ frozenElectionMs: 2_500 })
    const log = await open(cluster.url)
    await underWriters(log, async (written) => {
      for (let freeze = 0; freeze < 3; freeze += 1) {
        const frozen = leader()
        cluster.freeze(frozen)
        const elected = await cluster.elected()
        const before = written()
        await within('writes went on', () => written() > before + WRITERS)
        expect(performance.now() - elected, 'time after the election').to.be.below(AFTER_ELECTION_MS)
        cluster.thaw(frozen)
        await pause(600)
      }
    })
  })

  it('delivers events soon after the election to a log that only follows', async () => {
    const [log, other] = [await open(cluster.url), await open(cluster.url)]
    const followed = follow(log)
    await recorded(other, 's-1', 'none', someEvents(1))
    await within('it came', () => followed.ids.length === 1)
    cluster.freeze(leader())
    const elected = await cluster.elected()
    await recorded(other, 's-1', 0, someEvents(1))
    await within('the next one came', () => followed.ids.length === 2)
    // Silence of a second comes first, here after the election.
    expect(performance.now() - elected, 'time after the election').to.be.below(1_000 + AFTER_ELECTION_MS)
    followed.stop()
    await followed.done
  })

  it('repeats at the next leader the reads that wait at a frozen one', async () => {
    const log = await open(cluster.url)
    const { position } = await recorded(log, 's-1', 'none', someEvents(3))
    cluster.freeze(leader())
    const startedMs = performance.now()
    const reads = Promise.all([log.readStream('s-1', 0, 9), log.readAll(null, 9), log.eventAt(position)])
    const [ofStream, all, one] = await reads
    expect([ofStream.length, all.length, one?.position]).to.deep.equal([3, 3, position])
    expect(performance.now() - startedMs, 'time of the reads').to.be.below(1_000 + AFTER_ELECTION_MS)
  })

  it('keeps its connections while a flush of the leader takes longer than an append may take', async () => {
    const log = await open(cluster.url, 2_000)
    await underWriters(log, async (written) => {
      expect(reconnects, 'before').to.equal(0)
      cluster.slowDisk(6_000)
      await pause(6_000)
      cluster.slowDisk(0)
      const before = written()
      await within('writes went on', () => written() > before + WRITERS)
      expect(reconnects, 'changes of connection').to.equal(0)
    })
  })

  it('opens although any one of the nodes is frozen', async () => {
    for (const index of [0, 1, 2]) {
      cluster.freeze(index)
      await cluster.elected()
      const log = await open(cluster.url)
      await recorded(log, `s-frozen-${index}`, 'none', someEvents(1))
      cluster.thaw(index)
      await pause(600)
    }
  })

  it('has few connections after fifty were cut, and none after close', async () => {
    const log = await open(cluster.url)
    await within('those of the check are closed', () => cluster.connections() <= 2, 15_000)
    await underWriters(log, async (written) => {
      const before = cluster.connections()
      expect(reconnects, 'before a cut').to.equal(0)
      for (let cut = 0; cut < CUTS; cut += 1) {
        cluster.cut()
        await pause(40)
      }
      const then = written()
      await within('writes went on', () => written() > then + WRITERS)
      expect(cluster.connections(), 'connections').to.be.at.most(before + 2)
      expect(reconnects, 'counted').to.be.within(2, 2 * CUTS)
    })
    await log.close()
    await within('none is left', () => cluster.connections() === 0, 2_000)
  })

  it('follows a follower’s redirect to the leader if the URL names that follower or prefers followers', async () => {
    const named = cluster.urlOf(cluster.follower())
    for (const url of [named, `${cluster.url}&nodePreference=follower`]) {
      expect((await checkEventStore({ url, prefixes })).version).to.equal('23.10.8')
      const log = await open(url)
      await recorded(log, `s-${logs.length}`, 'none', someEvents(2))
      expect(await log.readStream(`s-${logs.length}`, 0, 9)).to.have.length(2)
    }
  })

  it('repeats a read once that a node refuses because it is not the leader', async () => {
    await cluster.stop()
    cluster = await startCluster({ resignationMs: 200, notReadyMs: 0 })
    const log = await open(cluster.url)
    const { position } = await recorded(log, 's-1', 'none', someEvents(3))
    for (const read of [() => log.readStream('s-1', 0, 9), () => log.readAll(null, 9)]) {
      cluster.resign()
      await cluster.elected()
      expect(await read()).to.have.length(3)
    }
    expect(await log.head()).to.equal(position)
  })

  it('reads a stream during an election, and the log afterwards', async () => {
    const log = await open(cluster.url)
    await recorded(log, 's-1', 'none', someEvents(3))
    await cluster.kill(leader())
    const reads = Array.from({ length: 32 }, () => log.readStream('s-1', 0, 9))
    for (const events of await Promise.all(reads)) expect(events).to.have.length(3)
    await log.readAll(null, 9).then((events) => expect(events).to.have.length(3))
  })

  it('spaces attempts to connect while all nodes are unavailable', async () => {
    const log = await open(cluster.url)
    await recorded(log, 's-1', 'none', someEvents(1))
    for (const index of [0, 1, 2]) await cluster.kill(index)
    const startedMs = performance.now()
    let failed = 0
    await Promise.all(
      Array.from({ length: 32 }, async () => {
        for (; performance.now() - startedMs < 1_500; failed += 1) await log.head().catch(() => {})
      }),
    )
    // Each attempt fails all calls that wait for it at once.
    expect(failed / 32, 'attempts').to.be.below(1_500 / 250 + 3)
  })
})
