// The guarantees of a log for writers.

import { expect } from 'chai'
import type { NewEvent, StoredEvent } from '../../domain/event.ts'
import { type Append, type Log, NotSent } from '../../stores/contract/log.ts'
import { appendAll } from '../../stores/support/append-all.ts'
import { appended, everything, idsOf, someEvent, someEvents } from './events.ts'
import { withFresh } from './fresh.ts'
import type { Check } from './test-contract.ts'

const CONFLICT = { kind: 'conflict' }
const RACERS = 32

export const appending: readonly Check<Log>[] = [
  {
    name: 'assigns each event its revision, from 0',
    run: (make) =>
      withFresh(make, async (log) => {
        const events = someEvents(6)
        expect((await appended(log, 's-1', 'none', events.slice(0, 1))).revision).to.equal(0)
        expect((await appended(log, 's-1', 0, events.slice(1, 4))).revision).to.equal(3)
        expect((await appended(log, 's-1', 3, events.slice(4))).revision).to.equal(5)
        const stored = await log.readStream('s-1', 0, 10)
        expect(idsOf(stored)).to.deep.equal(idsOf(events))
        expect(stored.map(({ revision }) => revision)).to.deep.equal([0, 1, 2, 3, 4, 5])
      }),
  },
  {
    name: 'returns exactly what was appended, with its revision and position',
    run: (make) =>
      withFresh(make, async (log) => {
        const data = { text: 'Zoë 🎲 \u0000 "\\', none: null, list: [1, -2.5, true, [{}]], 'a b': { ä: 1e300 }, 7: 0 }
        const meta = { v: 3, game: 'g-2', board: 'b-3', player: 'p-4', call: 'ff', actor: null, request: 'r-5' }
        const event = someEvent({ type: 'Sent', data, meta })
        const { position } = await appended(log, 's-1', 'none', [event])
        const expected = [{ ...event, stream: 's-1', revision: 0, position }]
        expect(await log.readStream('s-1', 0, 1)).to.deep.equal(expected)
        expect(await log.readAll(null, 1)).to.deep.equal(expected)
      }),
  },
  {
    name: 'stores appends in the order in which they started',
    run: (make) =>
      withFresh(make, async (log) => {
        const events = someEvents(200)
        const ends = await Promise.all(events.map((event, n) => log.append(`s-${n}`, 'none', [event])))
        expect(ends.map(({ kind }) => kind)).to.deep.equal(events.map(() => 'appended'))
        expect(idsOf(await log.readAll(null, 1_000))).to.deep.equal(idsOf(events))
      }),
  },
  {
    name: 'returns the position of the last event, and positions increase',
    run: (make) =>
      withFresh(make, async (log) => {
        const first = await appended(log, 's-1', 'none', someEvents(2))
        const second = await appended(log, 's-2', 'none', someEvents(3))
        const positions = (await everything(log)).map(({ position }) => position)
        expect(positions).to.deep.equal([...new Set(positions)].sort())
        expect([positions[1], positions[4]]).to.deep.equal([first.position, second.position])
      }),
  },
  {
    name: 'refuses any revision but the current one of the stream, and writes nothing then',
    run: (make) =>
      withFresh(make, async (log) => {
        expect(await log.append('s-1', 0, [someEvent()])).to.deep.equal(CONFLICT)
        const events = someEvents(3)
        await appended(log, 's-1', 'none', events)
        for (const expected of ['none', 'made', 0, 1, 3, 4] as const) {
          expect(await log.append('s-1', expected, someEvents(2)), `at ${expected}`).to.deep.equal(CONFLICT)
        }
        expect(idsOf(await everything(log))).to.deep.equal(idsOf(events))
      }),
  },
  ...(['none', 'made', 0] as const).map(
    (expected): Check<Log> => ({
      name: `lets exactly one of ${RACERS} who append at ${expected} win`,
      run: (make) =>
        withFresh(make, async (log) => {
          const before = expected === 0 ? someEvents(1) : []
          if (expected === 0) await appended(log, 's-1', 'none', before)
          const racers = Array.from({ length: RACERS }, () => someEvents(2))
          const results = await Promise.all(racers.map((events) => log.append('s-1', expected, events)))
          const winners = racers.filter((_, racer) => results[racer]?.kind === 'appended')
          expect(winners).to.have.length(1)
          expect(results.filter(({ kind }) => kind === 'conflict')).to.have.length(RACERS - 1)
          expect(idsOf(await everything(log))).to.deep.equal(idsOf([...before, ...winners.flat()]))
        }),
    }),
  ),
  {
    name: 'accepts concurrent appends to many streams, without effects of a conflict on others',
    run: (make) =>
      withFresh(make, async (log) => {
        const appends = Array.from({ length: 64 }, (_, n) => ({ stream: `s-${n}`, events: someEvents(1 + (n % 3)) }))
        const results = await Promise.all(
          appends.map(({ stream, events }, n) => log.append(stream, n % 5 === 4 ? 0 : 'none', events)),
        )
        for (const [n, { stream, events }] of appends.entries()) {
          const isConflict = n % 5 === 4
          expect(results[n]?.kind).to.equal(isConflict ? 'conflict' : 'appended')
          expect(idsOf(await log.readStream(stream, 0, 10))).to.deep.equal(isConflict ? [] : idsOf(events))
        }
      }),
  },
  {
    name: 'appends to many streams at once in the order of the list, and settles each by itself',
    run: (make) =>
      withFresh(make, async (log) => {
        const valid = Array.from({ length: 20 }, (_, n): Append => {
          return { stream: `s-${n}`, expected: 'none', events: someEvents(1 + (n % 3)) }
        })
        const results = await Promise.all(appendAll(log, valid))
        const all = await everything(log)
        expect(idsOf(all)).to.deep.equal(idsOf(valid.flatMap(({ events }) => events)))
        expect(results).to.deep.equal(
          valid.map(({ stream }) => {
            const { revision, position } = all.findLast((event) => event.stream === stream) as StoredEvent
            return { kind: 'appended', revision, position }
          }),
        )
        const mixed: Append[] = [
          { stream: 's-20', expected: 'none', events: someEvents(2) },
          { stream: 's-21', expected: 'none', events: [] },
          { stream: 's-0', expected: 'none', events: someEvents(1) },
          { stream: 's-22', expected: 'none', events: someEvents(1) },
        ]
        const settled = await Promise.allSettled(appendAll(log, mixed))
        const kinds = settled.map((one) => (one.status === 'fulfilled' ? one.value.kind : one.reason.name))
        expect(kinds).to.deep.equal(['appended', 'NotSent', 'conflict', 'appended'])
        const lengths = ['s-20', 's-21', 's-0', 's-22'].map(async (one) => (await log.readStream(one, 0, 9)).length)
        expect(await Promise.all(lengths)).to.deep.equal([2, 0, 1, 1])
      }),
  },
  {
    name: 'acknowledges a repeated append with the first result, also after later appends, and writes nothing',
    run: (make) =>
      withFresh(make, async (log) => {
        const [first, second] = [someEvents(2), someEvents(3)]
        const firstResult = await log.append('s-1', 'none', first)
        const secondResult = await log.append('s-1', 1, second)
        expect(await log.append('s-1', 1, second)).to.deep.equal(secondResult)
        await appended(log, 's-1', 4, someEvents(1))
        expect(await log.append('s-1', 1, second)).to.deep.equal(secondResult)
        for (let n = 0; n < 40; n += 1) {
          await Promise.all([
            appended(log, `s-other-${n}`, 'none', someEvents(25)),
            appended(log, 's-1', 5 + n, [someEvent()]),
          ])
        }
        const count = (await everything(log)).length
        expect(await log.append('s-1', 'none', first)).to.deep.equal(firstResult)
        expect(await log.append('s-1', 1, second)).to.deep.equal(secondResult)
        expect((await everything(log)).length).to.equal(count)
        expect(count).to.equal(6 + 40 * 26)
      }),
  },
  {
    name: 'reports a conflict for events of which only some were appended before',
    run: (make) =>
      withFresh(make, async (log) => {
        const [a, b, c] = [someEvent(), someEvent(), someEvent()] as const
        await appended(log, 's-1', 'none', [a, b])
        const others: readonly (readonly NewEvent[])[] = [[a, c], [c, b], [a, b, c], [b, a], [b]]
        for (const events of others) expect(await log.append('s-1', 'none', events)).to.deep.equal(CONFLICT)
        expect(idsOf(await everything(log))).to.deep.equal([a.id, b.id])
      }),
  },
  {
    name: 'keeps the events of one append together',
    run: (make) =>
      withFresh(make, async (log) => {
        const appends = Array.from({ length: 20 }, () => someEvents(5))
        await Promise.all(appends.map((events, n) => appended(log, `s-${n}`, 'none', events)))
        const ids = idsOf(await everything(log))
        expect(ids).to.have.length(100)
        for (const events of appends) {
          const start = ids.indexOf(events[0]?.id ?? '')
          expect(ids.slice(start, start + 5)).to.deep.equal(idsOf(events))
        }
      }),
  },
  {
    name: 'rejects an invalid event before anything is written, and continues',
    run: (make) =>
      withFresh(make, async (log) => {
        const good = someEvent()
        const big = someEvent({ data: { text: 'x'.repeat(300 * 1024) } })
        const bad: readonly (readonly NewEvent[])[] = [
          [],
          [good, { ...good, id: 'no-uuid' }],
          [good, { ...good, id: '' }],
          [good, { ...good, type: '' }],
          [big, { ...big, id: good.id }],
        ]
        for (const events of bad) expect(await outcome(log.append('s-1', 'none', events))).to.be.an.instanceOf(Error)
        for (const expected of [-1, 0.5, Number.NaN]) {
          expect(await outcome(log.append('s-1', expected, [good]))).to.be.an.instanceOf(NotSent)
        }
        expect(await log.head()).to.equal(null)
        await appended(log, 's-1', 'none', [good])
        expect(idsOf(await everything(log))).to.deep.equal([good.id])
      }),
  },
  {
    name: 'accepts 500 KiB in one append',
    run: (make) =>
      withFresh(make, async (log) => {
        const events = someEvents(2, { data: { text: 'ö'.repeat(125 * 1024) } })
        await appended(log, 's-1', 'none', events)
        expect((await log.readStream('s-1', 0, 2)).map(({ data }) => data)).to.deep.equal(
          events.map(({ data }) => data),
        )
      }),
  },
]

function outcome(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => error)
}
