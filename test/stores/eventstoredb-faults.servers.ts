// The log on EventStoreDB under every kind of failure seen on a real server: acknowledged events are not lost, stored
// or delivered twice; every append settles in time; subscriptions resume soon after.

import { expect } from 'chai'
import fc from 'fast-check'
import type { Log } from '../../stores/contract/log.ts'
import { OutcomeUnknown } from '../../stores/eventstoredb/append.ts'
import { openEventStore } from '../../stores/eventstoredb/log.ts'
import { Stalled } from '../../stores/eventstoredb/subscription.ts'
import { everything, idsOf, someEvent, someEvents } from '../contracts/events.ts'
import { Random } from '../random.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { pause } from '../until.ts'
import { DEADLINE_MS, follow, GO_ON_MS, recorded, SETTLE_MS, surely, within, writer } from './eventstoredb-writers.ts'

const HEARTBEAT_MS = 200
describe('the log on a failing EventStoreDB', () => {
  let server: EventStoreServer
  let log: Log
  const dropped = { times: 0 }

  beforeEach(async () => {
    server = await startEventStore()
    dropped.times = 0
    log = await openEventStore({
      url: server.url,
      prefixes: ['s-'],
      deadlineMs: DEADLINE_MS,
      heartbeatMs: HEARTBEAT_MS,
      keptEvents: 1_000,
      onDropped: () => {
        dropped.times += 1
      },
    })
  })
  afterEach(async () => {
    await log.close()
    await server.stop()
  })

  /**
   * Runs eight writers and a follower before, during and after a fault; `fault` resolves when the server works again.
   */
  async function through(fault: () => Promise<void>): Promise<void> {
    let isOver = false
    const followed = follow(log)
    const writers = Array.from({ length: 8 }, (_, n) => writer(log, `s-${n}`, () => !isOver))
    await within('some events came', () => followed.ids.length > 50)
    await fault()
    const cameBefore = followed.ids.length
    const back = performance.now()
    await within('the follower went on', () => followed.ids.length > cameBefore)
    expect(performance.now() - back, 'time until the follower went on').to.be.below(GO_ON_MS)
    await within('some more events came', () => followed.ids.length > cameBefore + 50)
    isOver = true
    const written = await Promise.all(writers)
    const all = await everything(log)
    for (const [n, ids] of written.entries()) {
      const stored = all.filter(({ stream }) => stream === `s-${n}`)
      expect(idsOf(stored)).to.deep.equal(ids)
    }
    await within('all events came', () => followed.ids.length >= all.length)
    followed.stop()
    await followed.done
    expect(followed.ids).to.deep.equal(idsOf(all))
  }

  it('survives a server that is frozen for several deadlines', () =>
    through(async () => {
      server.freeze()
      await pause(4 * DEADLINE_MS)
      server.thaw()
    }))

  it('survives repeatedly cut connections', () =>
    through(async () => {
      for (let n = 0; n < 5; n += 1) {
        server.cut()
        await pause(60)
      }
    }))

  it('survives a kill and a restart that is not ready at once', () =>
    through(() => server.restart({ by: 'kill', notReadyMs: 700 })))

  it('survives an orderly stop and start', () => through(() => server.restart({ by: 'stop', notReadyMs: 100 })))

  it('survives a server that is down for a while', () =>
    through(async () => {
      await server.stop('kill')
      await pause(3_000)
      await server.restart()
    }))

  it('survives lost answers', () =>
    through(async () => {
      server.loseAnswers(30)
      await pause(3 * DEADLINE_MS)
    }))

  it('survives lost requests', () =>
    through(async () => {
      server.loseRequests(30)
      await pause(3 * DEADLINE_MS)
    }))

  it('survives a server that is slower than the deadline', () =>
    through(async () => {
      server.slow(2 * DEADLINE_MS)
      await pause(4 * DEADLINE_MS)
      server.slow(0)
    }))

  it('detects a subscription that fell silent', async () => {
    const followed = follow(log)
    await recorded(log, 's-1', 'none', someEvents(3))
    await within('events came', () => followed.ids.length === 3)
    server.stall()
    await recorded(log, 's-1', 2, someEvents(2))
    await within('the others came', () => followed.ids.length === 5, 30 * HEARTBEAT_MS)
    expect(followed.broken.filter((error) => error instanceof Stalled)).to.have.length(1)
    followed.stop()
    await followed.done
    expect(followed.ids).to.deep.equal(idsOf(await everything(log)))
  })

  it('does not report a stall if there are no events, or only events of others', async () => {
    const others = await openEventStore({ url: server.url, prefixes: ['t-'] })
    const followed = follow(log)
    await recorded(log, 's-1', 'none', someEvents(1))
    await within('it came', () => followed.ids.length === 1)
    for (let n = 0; n < 10; n += 1) {
      await recorded(others, `t-${n}`, 'none', someEvents(20))
      await pause(HEARTBEAT_MS / 2)
    }
    expect(followed.broken.filter((error) => error instanceof Stalled)).to.deep.equal([])
    followed.stop()
    await followed.done
    await others.close()
  })

  it('does not report a stall if the reader takes long for one batch', async () => {
    await recorded(log, 's-1', 'none', someEvents(4))
    const ids: string[] = []
    const stop = new AbortController()
    for await (const events of log.subscribe(null, 2, stop.signal)) {
      ids.push(...idsOf(events))
      if (ids.length === 2) await pause(5 * HEARTBEAT_MS)
      if (ids.length === 4) stop.abort()
    }
    expect(ids).to.deep.equal(idsOf(await everything(log)))
  })

  it('reopens a subscription that was dropped because its reader lagged', async () => {
    const stop = new AbortController()
    const ids: string[] = []
    await recorded(log, 's-0', 'none', someEvents(1))
    for await (const events of log.subscribe(null, 10_000, stop.signal)) {
      if (ids.length === 0) {
        for (let n = 1; n <= 12; n += 1) {
          await Promise.all(Array.from({ length: 8 }, (_, k) => recorded(log, `s-${n}.${k}`, 'none', someEvents(50))))
          // Blocks the event loop, so that the reader lags.
          for (const end = performance.now() + 30; performance.now() < end; );
        }
      }
      ids.push(...idsOf(events))
      if (ids.length === 4_801) stop.abort()
    }
    expect(ids).to.deep.equal(idsOf(await everything(log)))
    expect(dropped.times).to.be.at.least(1)
  })

  it('closes a connection on which appends are not answered', async () => {
    await recorded(log, 's-1', 'none', someEvents(1))
    // One connection for appends, one for the rest; that of the check at start is closing.
    await log.head()
    await within('only those of the log are open', () => server.counts().connections === 2)
    server.loseRequests(1)
    const event = someEvent()
    expect(await log.append('s-1', 0, [event]).catch((error: unknown) => error)).to.be.an.instanceOf(OutcomeUnknown)
    await recorded(log, 's-1', 0, [event])
    expect(server.counts().connections).to.equal(3)
    await within('the old one was let go', () => server.counts().connections === 2)
  })

  it('rejects a subscription that cannot be opened', async () => {
    server.freeze()
    const startedMs = performance.now()
    const opening = log.subscribe(null, 9, new AbortController().signal)[Symbol.asyncIterator]().next()
    expect(await opening.catch((error: unknown) => error)).to.be.an.instanceOf(Error)
    expect(performance.now() - startedMs).to.be.below(DEADLINE_MS + SETTLE_MS)
    server.thaw()
  })

  it('rejects every read of a frozen server, and reads again when it is back', async () => {
    const { position } = await recorded(log, 's-1', 'none', someEvents(2))
    server.freeze()
    const startedMs = performance.now()
    const reads = [log.head(), log.readAll(null, 9), log.readStream('s-1', 0, 9), log.eventAt(position)]
    const outcomes = await Promise.allSettled(reads)
    expect(outcomes.map(({ status }) => status)).to.deep.equal(Array(4).fill('rejected'))
    expect(performance.now() - startedMs).to.be.below(DEADLINE_MS + SETTLE_MS)
    server.thaw()
    expect(await log.head()).to.equal(position)
    expect(await log.readAll(null, 9)).to.have.length(2)
  })

  it('answers two concurrent copies of one append, one of them at the latest when it is repeated', async () => {
    const events = someEvents(2)
    const copies = await Promise.all([surely(log, 's-1', 'none', events), surely(log, 's-1', 'none', events)])
    expect(copies[0]).to.deep.equal(copies[1])
    expect(await everything(log)).to.have.length(2)
  })

  it('writes each event exactly once for concurrent writers while 30% of the answers are lost', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 20, maxLength: 40 })
    const property = fc.asyncProperty(sizes, fc.nat(), fc.uuid(), async (sizes, seed, name) => {
      const dice = new Random(seed)
      const streams = ['a', 'b', 'c'].map((one) => `s-${name}-${one}`)
      const won = new Map<string, { base: number; ids: string[] }[]>(streams.map((stream) => [stream, []]))
      const race = async (size: number, n: number) => {
        const stream = streams[n % streams.length] ?? ''
        const events = someEvents(size)
        for (let base = -1; ; ) {
          const result = await surely(log, stream, base < 0 ? 'none' : base, events, () => {
            if (dice.chance(0.3)) server.loseAnswers(1)
          })
          if (result.kind === 'appended') {
            expect(result.revision).to.equal(base + size)
            won.get(stream)?.push({ base, ids: idsOf(events) })
            return
          }
          base = (await log.readStream(stream, 0, 1_000)).length - 1
        }
      }
      await Promise.all(sizes.map(race))
      server.loseAnswers(0)
      for (const [stream, appends] of won) {
        const inOrder = appends.toSorted((a, b) => a.base - b.base).flatMap(({ ids }) => ids)
        expect(idsOf(await log.readStream(stream, 0, 1_000))).to.deep.equal(inOrder)
      }
    })
    await fc.assert(property, { numRuns: 3 })
  }).timeout(600_000)
})
