// The history of a game while it is followed: heartbeats to resume from, and no event before all earlier ones are
// there.

import { expect } from 'chai'
import { eventLines } from '../../http/routes/events.ts'
import { type EventsAsked, type EventsDeps, type EventsPage, eventPages } from '../../queries/events.ts'
import { createMemoryLog } from '../memory/log.ts'
import { say } from '../projections/run-world.ts'

const ASKED: EventsAsked = {
  ...{ game: 'g1', board: null, player: null, type: null, since: null, until: null, after: null },
  ...{ limit: Number.POSITIVE_INFINITY, follow: true },
}

function world(more: Partial<EventsDeps> = {}) {
  const log = createMemoryLog()
  const deps: EventsDeps = { history: log, reached: () => log.head(), isPosition: async () => true, ...more }
  return { log, deps }
}

describe('a followed history', () => {
  it('reports in heartbeats the position up to which it is complete, and yields the events between them', async () => {
    const { log, deps } = world()
    await say(log, 's', 'g1', 'one')
    await say(log, 'other', 'g2', 'not ours')
    const stop = new AbortController()
    const lines = eventLines(deps, ASKED, 0, stop.signal)
    const next = async () => String((await lines.next()).value)
    expect(JSON.parse(await next()).data).to.deep.equal({ text: 'one' })
    expect(JSON.parse(await next())).to.deep.equal({ heartbeat: await log.head() })
    const position = await say(log, 's', 'g1', 'two')
    expect(JSON.parse(await next())).to.include({ position })
    expect(JSON.parse(await next())).to.deep.equal({ heartbeat: position })
    stop.abort()
    expect((await lines.next()).done).to.equal(true)
  })

  it('waits for events beyond the position up to which the history is complete', async () => {
    let reached: string | null = null
    const { log, deps } = world({ reached: async () => reached })
    const [first, second] = [await say(log, 'a', 'g1', 'one'), await say(log, 'b', 'g1', 'two')]
    const pages = eventPages(deps, ASKED, new AbortController().signal)
    const next = async (): Promise<EventsPage | undefined> => (await pages.next()).value ?? undefined
    expect(await next()).to.deep.equal({ events: [], upTo: null })
    reached = first
    const one = await next()
    expect([one?.events.map(({ position }) => position), one?.upTo]).to.deep.equal([[first], first])
    reached = second
    expect((await next())?.events.map(({ position }) => position)).to.deep.equal([second])
  })

  it('ends without follow with the events that existed at the start', async () => {
    const { log, deps } = world()
    for (let n = 0; n < 600; n++) await say(log, `s-${n}`, 'g1', 'x')
    let told = 0
    for await (const { events } of eventPages(deps, { ...ASKED, follow: false }, new AbortController().signal)) {
      told += events.length
      for (const { stream } of events) await say(log, `more-${stream}`, 'g1', 'y')
    }
    expect(told).to.equal(600)
  })
})
