// Following the history of a game: heartbeats to resume from, and no event before all earlier ones. And the number of
// events of a board.

import { expect } from 'chai'
import { boardStream } from '../../domain/leaderboard.ts'
import { eventLines } from '../../http/routes/events.ts'
import { type EventsDeps, type EventsPage, type EventsQuery, eventPages } from '../../queries/events.ts'
import { countEvents } from '../../queries/rule-change.ts'
import type { History } from '../../stores/contract/history.ts'
import { someEvent } from '../contracts/events.ts'
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

  it('reads what happened to a leaderboard from its stream, and answers as the history does', async () => {
    const { log, deps } = world()
    const types = ['LeaderboardCreated', 'LeaderboardDescribed', 'LeaderboardRulesChanged']
    for (let n = 0; n < 250; n++) {
      await log.append(`score-${n}`, 'none', [someEvent({ meta: { board: 'b1' } })])
      const type = types[n % 3] ?? ''
      const time = `2026-11-21T07:${String(n % 60).padStart(2, '0')}:00.000Z`
      await log.append(boardStream('b1'), n === 0 ? 'none' : n - 1, [someEvent({ type, meta: { board: 'b1', time } })])
    }
    const all = await log.part({ game: 'g1' }, null, 1_000)
    const reached = all[450]?.position ?? null
    const later = all[100]?.position ?? null
    let read = 0
    const streams: EventsDeps['streams'] = {
      readStream: (...args) => {
        read++
        return log.readStream(...args)
      },
    }
    const asked = { ...FOLLOWED, board: 'b1', follow: false }
    for (const more of [
      { type: 'LeaderboardCreated' },
      { type: 'LeaderboardDescribed', limit: 3 },
      { type: 'LeaderboardRulesChanged', after: later },
      { type: 'LeaderboardCreated', since: '2026-11-21T07:10:00.000Z', until: '2026-11-21T07:20:00.000Z' },
      { type: 'LeaderboardUnknown' },
    ]) {
      const answers = await Promise.all(
        [{}, { streams }].map(async (own) => {
          const found: EventsPage[] = []
          const given = { ...deps, reached: async () => reached, ...own }
          for await (const page of eventPages(given, { ...asked, ...more }, new AbortController().signal))
            found.push(page)
          return [found.flatMap(({ events }) => events), 'limit' in more ? null : found.at(-1)?.upTo]
        }),
      )
      expect(answers[1], JSON.stringify(more)).to.deep.equal(answers[0])
    }
    expect(read).to.be.within(11, 13)
  })
})

/** A history with a number of events per board. Only positions are read. */
function historyOf(boards: Record<string, number>) {
  const positions: (string | null)[] = []
  const history: Pick<History, 'nth'> = {
    async nth(filter, after, count) {
      positions.push(after)
      const index = Number(after ?? 0) + count
      const has = ('board' in filter ? boards[filter.board] : undefined) ?? 0
      return index > has ? null : ({ position: String(index) } as Awaited<ReturnType<History['nth']>>)
    },
  }
  return { history: history as History, positions }
}

describe('counting the events of a board', () => {
  it('counts up to the last event, and later only the new ones', async () => {
    const boards = { a: 100_003, b: 1, c: 0 }
    const { history, positions } = historyOf(boards)
    expect(await countEvents(history, 'a')).to.equal(100_003)
    expect(await countEvents(history, 'b')).to.equal(1)
    expect(await countEvents(history, 'c')).to.equal(0)
    boards.a += 8_200
    positions.length = 0
    expect(await countEvents(history, 'a')).to.equal(108_203)
    expect(positions[0]).to.equal('100003')
    expect(await countEvents(history, 'a')).to.equal(108_203)
    expect(await Promise.all([countEvents(history, 'b'), countEvents(history, 'a')])).to.deep.equal([1, 108_203])
  })

  it('counts each history separately', async () => {
    expect(await countEvents(historyOf({ a: 5 }).history, 'a')).to.equal(5)
    expect(await countEvents(historyOf({ a: 3 }).history, 'a')).to.equal(3)
  })
})
