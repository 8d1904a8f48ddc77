// The guarantees of a log for subscribers.

import { expect } from 'chai'
import fc from 'fast-check'
import type { Position, StoredEvent } from '../../domain/event.ts'
import type { Log } from '../../stores/contract/log.ts'
import { appended, everything, idsOf, someEvents } from './events.ts'
import { withFresh } from './fresh.ts'
import type { Check } from './test-contract.ts'

interface Following {
  readonly after?: Position | null
  readonly limit?: number
  /** Stops after this many events. */
  readonly count: number
}

/**
 * The first `count` events of a subscription. Each batch must be within bounds, and it must end when its signal aborts.
 */
async function followed(log: Log, { after = null, limit = 10, count }: Following): Promise<StoredEvent[]> {
  const stop = new AbortController()
  const events: StoredEvent[] = []
  for await (const batch of log.subscribe(after, limit, stop.signal)) {
    expect(batch.length).to.be.within(1, limit)
    events.push(...batch)
    if (events.length >= count) stop.abort()
  }
  return events
}

export const following: readonly Check<Log>[] = [
  {
    name: 'delivers history first, then new events',
    run: (make) =>
      withFresh(make, async (log) => {
        await appended(log, 's-1', 'none', someEvents(25))
        const following = followed(log, { count: 60 })
        for (let n = 0; n < 35; n += 1) await appended(log, `s-live-${n}`, 'none', someEvents(1))
        const events = await following
        expect(events).to.have.length(60)
        expect(events).to.deep.equal(await everything(log))
      }),
  },
  {
    name: 'starts directly after a position, also if it is the last one',
    run: (make) =>
      withFresh(make, async (log) => {
        await appended(log, 's-1', 'none', someEvents(10))
        const all = await everything(log)
        expect(await followed(log, { after: all[3]?.position ?? null, count: 6 })).to.deep.equal(all.slice(4))
        const live = followed(log, { after: await log.head(), count: 2 })
        const added = someEvents(2)
        await appended(log, 's-1', 9, added)
        expect(idsOf(await live)).to.deep.equal(idsOf(added))
      }),
  },
  {
    name: 'delivers events to a subscriber that started on an empty log',
    run: (make) =>
      withFresh(make, async (log) => {
        const following = followed(log, { count: 3 })
        const sent = someEvents(3)
        await appended(log, 's-1', 'none', sent)
        expect(idsOf(await following)).to.deep.equal(idsOf(sent))
      }),
  },
  {
    name: 'ends at once when its signal aborts: while it waits, during history, or before it starts',
    run: (make) =>
      withFresh(make, async (log) => {
        await appended(log, 's-1', 'none', someEvents(30))
        const waiting = new AbortController()
        const events: StoredEvent[] = []
        for await (const batch of log.subscribe(null, 30, waiting.signal)) {
          events.push(...batch)
          // It has delivered everything, so it is waiting now.
          if (events.length === 30) setImmediate(() => waiting.abort())
        }
        expect(events).to.have.length(30)
        expect(await followed(log, { count: 1, limit: 1 })).to.have.length(1)
        for await (const batch of log.subscribe(null, 30, AbortSignal.abort())) expect(batch).to.equal('nothing')
      }),
  },
  {
    name: 'ends when the reader stops',
    run: (make) =>
      withFresh(make, async (log) => {
        await appended(log, 's-1', 'none', someEvents(5))
        const seen: number[] = []
        for await (const batch of log.subscribe(null, 2, new AbortController().signal)) {
          seen.push(batch.length)
          if (seen.length === 2) break
        }
        // The log may split events that are available together into any batches.
        expect(seen).to.have.length(2)
        for (const length of seen) expect(length).to.be.within(1, 2)
      }),
  },
  {
    name: 'delivers every event to a slow reader without waiting for it',
    run: (make) =>
      withFresh(make, async (log) => {
        await appended(log, 's-1', 'none', someEvents(1))
        const stop = new AbortController()
        const events: StoredEvent[] = []
        let tip = 0
        for await (const batch of log.subscribe(null, 100, stop.signal)) {
          events.push(...batch)
          if (tip < 30) {
            await appended(log, 's-1', tip, someEvents(10))
            tip += 10
          }
          if (events.length === 31) stop.abort()
        }
        expect(idsOf(events)).to.deep.equal(idsOf(await everything(log)))
        expect(events).to.have.length(31)
      }),
  },
  {
    name: 'delivers each event exactly once and in order to every subscriber, from any start, during concurrent appends',
    run: (make) =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 60, size: 'max' }),
          fc.array(fc.record({ start: fc.nat(60), limit: fc.integer({ min: 1, max: 9 }) }), {
            minLength: 1,
            maxLength: 6,
          }),
          (sizes, followers) => withFresh(make, (log) => race(log, sizes, followers)),
        ),
        { numRuns: 25 },
      ),
  },
]

interface Follower {
  /** Subscribes after this many acknowledged appends, at the head of that moment. */
  readonly start: number
  readonly limit: number
}

async function race(log: Log, sizes: readonly number[], followers: readonly Follower[]): Promise<void> {
  const count = sizes.reduce((sum, size) => sum + size, 0)
  const gathered: Promise<StoredEvent[]>[] = []
  let acknowledged = 0
  const begin = () => {
    for (const { start, limit } of followers) {
      if (Math.min(start, sizes.length - 1) === acknowledged) gathered.push(followed(log, { limit, count }))
    }
  }
  begin()
  const append = async (size: number, n: number) => {
    await appended(log, `s-${n}`, 'none', someEvents(size))
    acknowledged += 1
    begin()
  }
  await Promise.all(sizes.map(append))
  const all = await everything(log)
  expect(all).to.have.length(count)
  expect(gathered.length).to.equal(followers.length)
  for (const events of await Promise.all(gathered)) expect(idsOf(events)).to.deep.equal(idsOf(all))
}
