// The full contract of the log, for writers, readers and subscribers.

import { expect } from 'chai'
import fc from 'fast-check'
import type { Position, StoredEvent } from '../../domain/event.ts'
import type { Log } from '../../stores/contract/log.ts'
import { appended, everything, idsOf, someEvent, someEvents } from './events.ts'
import { withFresh } from './fresh.ts'
import { appending } from './log-appending.suite.ts'
import { following } from './log-following.suite.ts'
import type { Check } from './test-contract.ts'

export const reading: readonly Check<Log>[] = [
  {
    name: 'rejects a stream name with a NUL character after an existing name, for reads and appends',
    run: (make) =>
      withFresh(make, async (log) => {
        await appended(log, 's-1', 'none', someEvents(2))
        expect(await log.readStream('s-1\0', 0, 9)).to.deep.equal([])
        expect(await log.append('s-1\0', 1, someEvents(1)).then(String, String)).to.include('NUL')
        expect(await log.readStream('s-1', 0, 9)).to.have.length(2)
      }),
  },
  {
    name: 'reads a stream from a revision on, up to a limit',
    run: (make) =>
      withFresh(make, async (log) => {
        const events = someEvents(5)
        await appended(log, 's-1', 'none', events)
        await appended(log, 's-2', 'none', someEvents(2))
        const ids = idsOf(events)
        expect(idsOf(await log.readStream('s-1', 0, 3))).to.deep.equal(ids.slice(0, 3))
        expect(idsOf(await log.readStream('s-1', 2, 2))).to.deep.equal(ids.slice(2, 4))
        expect(idsOf(await log.readStream('s-1', 3, 9))).to.deep.equal(ids.slice(3))
        expect(await log.readStream('s-1', 5, 9)).to.deep.equal([])
        expect(await log.readStream('s-3', 0, 9)).to.deep.equal([])
      }),
  },
  {
    name: 'rejects a negative revision and a limit below 1 with a RangeError, and fractions of both',
    run: (make) =>
      withFresh(make, async (log) => {
        await appended(log, 's-1', 'none', someEvents(3))
        const { signal } = new AbortController()
        const reads = [
          ...[-1, -2, 0.5, Number.NaN].map((from) => log.readStream('s-1', from, 9)),
          ...[0, -1, 1.5].flatMap((limit) => [
            log.readStream('s-1', 0, limit),
            log.readAll(null, limit),
            log.subscribe(null, limit, signal)[Symbol.asyncIterator]().next(),
          ]),
        ]
        const errors = await Promise.all(
          reads.map((read) =>
            read.then(
              () => 'answered',
              ({ name }: Error) => name,
            ),
          ),
        )
        expect(errors).to.deep.equal(reads.map(() => 'RangeError'))
      }),
  },
  {
    name: 'reads the whole log in pages of any size',
    run: (make) =>
      withFresh(make, async (log) => {
        for (let n = 0; n < 12; n += 1) await appended(log, `s-${n}`, 'none', someEvents(1 + (n % 4)))
        const all = await log.readAll(null, 1_000)
        expect(all).to.have.length(30)
        for (const limit of [1, 7, 29, 30, 31]) {
          expect(await pages((after) => log.readAll(after, limit), limit)).to.deep.equal(all)
        }
      }),
  },
  {
    name: 'reads the event exactly at a position',
    run: (make) =>
      withFresh(make, async (log) => {
        await appended(log, 's-1', 'none', someEvents(3))
        await appended(log, 's-2', 'none', someEvents(3))
        const all = await everything(log)
        expect(all).to.have.length(6)
        for (const event of all) expect(await log.eventAt(event.position)).to.deep.equal(event)
      }),
  },
  {
    name: 'returns the position of its last event as head',
    run: (make) =>
      withFresh(make, async (log) => {
        expect(await log.head()).to.equal(null)
        expect(await log.readAll(null, 9)).to.deep.equal([])
        const { position } = await appended(log, 's-1', 'none', someEvents(3))
        expect(await log.head()).to.equal(position)
        expect(await log.readAll(position, 9)).to.deep.equal([])
      }),
  },
  {
    name: 'shows an acknowledged event to every reader at once, during other appends',
    run: (make) =>
      withFresh(make, async (log) => {
        const seen = Array.from({ length: 50 }, async (_, n) => {
          const event = someEvent({ meta: { game: `g-${n}` } })
          const { position } = await appended(log, `s-${n}`, 'none', [event])
          const stored = { ...event, stream: `s-${n}`, revision: 0, position }
          expect(await log.eventAt(position)).to.deep.equal(stored)
          expect(await log.readStream(`s-${n}`, 0, 1)).to.deep.equal([stored])
          expect(position <= ((await log.head()) ?? '')).to.equal(true)
        })
        await Promise.all(seen)
      }),
  },
  {
    name: 'equals a model after random appends',
    run: (make) =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              stream: fc.nat(3),
              off: fc.constantFrom(0, 0, 0, -1, 1),
              count: fc.integer({ min: 1, max: 3 }),
            }),
          ),
          (appends) =>
            withFresh(make, async (log) => {
              const model = new Map<string, string[]>()
              const order: string[] = []
              for (const { stream, off, count } of [{ stream: 0, off: 0, count: 1 }, ...appends]) {
                const ids = model.get(`s-${stream}`) ?? []
                const at = ids.length - 1 + off
                const events = someEvents(count)
                const result = await log.append(`s-${stream}`, at < 0 ? 'none' : at, events)
                const isRight = at < 0 ? ids.length === 0 : off === 0
                expect(result.kind).to.equal(isRight ? 'appended' : 'conflict')
                if (!isRight) continue
                model.set(`s-${stream}`, [...ids, ...idsOf(events)])
                order.push(...idsOf(events))
              }
              expect(idsOf(await everything(log))).to.deep.equal(order)
              for (const [stream, ids] of model) {
                expect(idsOf(await log.readStream(stream, 0, 1_000))).to.deep.equal(ids)
              }
            }),
        ),
        { numRuns: 15 },
      ),
  },
]

/** All pages in order; every page but the last must be full. */
async function pages(read: (after: Position | null) => Promise<StoredEvent[]>, limit: number): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for (;;) {
    const page = await read(events.at(-1)?.position ?? null)
    events.push(...page)
    expect(page.length).to.be.at.most(limit)
    if (page.length < limit) return events
  }
}

export const logChecks: readonly Check<Log>[] = [...appending, ...reading, ...following]
