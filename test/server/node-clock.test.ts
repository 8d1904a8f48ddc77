// The clock of a node beside the newest event: when it starts, when it records, what it logs and notes.

import { expect } from 'chai'
import { pino } from 'pino'
import {
  createNewestNote,
  followClock,
  NodeClock,
  newestTimeOf,
  openNodeClock,
  timeOfHead,
} from '../../server/node-clock.ts'
import { StoresFault } from '../../stores/contract/faults.ts'
import { appended, someEvent } from '../contracts/events.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryViews } from '../memory/views.ts'

const NOW_MS = Date.parse('2026-11-21T07:05:01.123Z')
const DAY_MS = 86_400_000
const at = (ms: number) => new Date(NOW_MS + ms).toISOString()

const rightly = { now: () => NOW_MS, isAccepted: false }

/** A log as on a server: it has no index by time. */
function onServer() {
  const log = createMemoryLog()
  const views = createMemoryViews()
  return { log, views, history: null, newestTime: () => timeOfHead(log) }
}

async function record({ log }: Pick<ReturnType<typeof onServer>, 'log'>, ...times: readonly string[]): Promise<void> {
  for (const [n, time] of times.entries()) {
    await appended(log, `lb_${time}-${n}`, 'none', [someEvent({ meta: { time } })])
  }
}

describe('a node’s clock', () => {
  it('lets a node start and record up to a day behind the newest event, inclusive', async () => {
    for (const [ms, refuses] of [
      [0, false],
      [DAY_MS - 1, false],
      [DAY_MS, false],
      [DAY_MS + 1, true],
    ] as const) {
      const stores = onServer()
      await record(stores, at(ms))
      expect(new NodeClock(at(ms), rightly).refusesWrites(), String(ms)).to.equal(refuses)
      const started = await openNodeClock(stores, rightly).then(
        () => true,
        (error: unknown) => error instanceof StoresFault && error.message.includes('--accept-clock') && false,
      )
      expect(started, String(ms)).to.equal(!refuses)
    }
    expect(new NodeClock(null, rightly).refusesWrites()).to.equal(false)
  })

  it('refuses nothing if its operator has accepted the clock, and still reports it', async () => {
    const stores = onServer()
    await record(stores, '2030-01-01T00:00:00.000Z')
    const clock = await openNodeClock(stores, { ...rightly, isAccepted: true })
    expect(clock.refusesWrites()).to.equal(false)
    expect(clock.warning).to.include('2030-01-01').and.include('2026-11-21').and.include('accepted by --accept-clock')
  })

  it('notes the events that are read in the order of the log', async () => {
    const log = createMemoryLog()
    const clock = new NodeClock(null, rightly)
    const watched = clock.watching(log)
    await appended(log, 'lb_a-2', 'none', [someEvent({ meta: { time: at(7) } })])
    await watched.readAll(null, 10)
    expect(clock.newest).to.equal(at(7))
    await appended(log, 'lb_a-3', 'none', [someEvent({ meta: { time: at(9) } })])
    for await (const _ of watched.subscribe(null, 10, new AbortController().signal)) break
    expect([clock.newest, clock.behindMs]).to.deep.equal([at(9), 9])
  })

  it('logs that it is behind, and that nothing is recorded', async () => {
    const lines: { level: number; msg: string }[] = []
    const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const stores = { ...onServer(), history: createMemoryLog() }
    const said = async (ms: number) => {
      const clock = new NodeClock(at(ms), rightly)
      await followClock(clock, stores, log)()
      return lines.splice(0)
    }
    expect(await said(60_000)).to.deep.equal([])
    expect((await said(60_001)).map(({ level, msg }) => [level, msg.includes(at(60_001))])).to.deep.equal([[40, true]])
    expect((await said(DAY_MS + 1)).map(({ level, msg }) => [level, msg.includes('503 clock_behind')])).to.deep.equal([
      [50, true],
    ])
  })
})

describe('the newest time of a log on a server', () => {
  it('is noted while it is ahead of the clock, so that the next start knows it behind later events', async () => {
    const stores = onServer()
    await record(stores, at(2 * DAY_MS))
    const clock = await openNodeClock(stores, { ...rightly, isAccepted: true })
    const stop = followClock(clock, stores, pino({ level: 'silent' }))
    await stop()
    await record(stores, at(1), at(2))
    expect(await newestTimeOf(stores, at(0))).to.equal(at(2 * DAY_MS))
    expect(await openNodeClock(stores, rightly).catch((error: unknown) => error)).to.be.instanceOf(StoresFault)
  })

  it('is not noted if the clock is right', async () => {
    const stores = onServer()
    await record(stores, at(30_000))
    const stop = followClock(await openNodeClock(stores, rightly), stores, pino({ level: 'silent' }))
    await stop()
    expect(await stores.views.list()).to.deep.equal([])
    expect(await newestTimeOf(stores, at(0))).to.equal(at(30_000))
  })

  it('keeps the later one of two notes', async () => {
    const note = createNewestNote(createMemoryViews())
    expect(await note.read()).to.equal(null)
    await note.write(at(2))
    await note.write(at(1))
    expect(await note.read()).to.equal(at(2))
  })
})
