// Following the history of a game: heartbeats to resume from, and no event before all earlier ones.

import { expect } from 'chai'
import { eventLines } from '../../http/routes/events.ts'
import { type EventsDeps, type EventsPage, type EventsQuery, eventPages } from '../../queries/events.ts'
import { createMemoryLog } from '../memory/log.ts'
import { appendTexts } from '../projections/run-world.ts'

const FOLLOWED: EventsQuery = {
  ...{ game: 'g1', board: null, player: null, type: null, request: null, since: null, until: null, after: null },
  ...{ limit: Number.POSITIVE_INFINITY, follow: true },
}

function world(more: Partial<EventsDeps> = {}) {
  const log = createMemoryLog()
  const positions = { isPosition: async () => true, isFromBeforeRestore: async () => false }
  const deps: EventsDeps = { history: log, reached: () => log.head(), ...positions, ...more }
  return { log, deps }
}

describe('eventPages', () => {
  it('reports in heartbeats the position up to which it is complete, and yields the events between them', async () => {
    const { log, deps } = world()
    await appendTexts(log, 's', 'g1', 'one')
    await appendTexts(log, 'other', 'g2', 'not ours')
    const stop = new AbortController()
    const lines = eventLines(deps, FOLLOWED, 0, stop.signal)
    const next = async () => String((await lines.next()).value)
    expect(JSON.parse(await next()).data).to.deep.equal({ text: 'one' })
    expect(JSON.parse(await next())).to.deep.equal({ heartbeat: await log.head() })
    const position = await appendTexts(log, 's', 'g1', 'two')
    expect(JSON.parse(await next())).to.include({ position })
    expect(JSON.parse(await next())).to.deep.equal({ heartbeat: position })
    stop.abort()
    expect((await lines.next()).done).to.equal(true)
  })

  it('holds back events beyond the position up to which the history is complete', async () => {
    let reached: string | null = null
    const { log, deps } = world({ reached: async () => reached })
    const [first, second] = [await appendTexts(log, 'a', 'g1', 'one'), await appendTexts(log, 'b', 'g1', 'two')]
    const pages = eventPages(deps, FOLLOWED, new AbortController().signal)
    const next = async (): Promise<EventsPage | undefined> => (await pages.next()).value ?? undefined
    expect(await next()).to.deep.equal({ events: [], upTo: null })
    reached = first
    const one = await next()
    expect([one?.events.map(({ position }) => position), one?.upTo]).to.deep.equal([[first], first])
    reached = second
    expect((await next())?.events.map(({ position }) => position)).to.deep.equal([second])
  })

  it('ends with the events that existed at the start if follow is false', async () => {
    const { log, deps } = world()
    for (let n = 0; n < 600; n++) await appendTexts(log, `s-${n}`, 'g1', 'x')
    let count = 0
    for await (const { events } of eventPages(deps, { ...FOLLOWED, follow: false }, new AbortController().signal)) {
      count += events.length
      for (const { stream } of events) await appendTexts(log, `more-${stream}`, 'g1', 'y')
    }
    expect(count).to.equal(600)
  })
})
