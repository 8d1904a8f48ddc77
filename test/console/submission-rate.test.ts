// The console's rate of submissions reads the last minute once, and then only what is new.

import { expect } from 'chai'
import type { EventsQuery, GameEvent } from '../../console/src/api.ts'
import { SubmissionRate } from '../../console/src/submission-rate.ts'

const START_MS = Date.UTC(2026, 0, 1)
const isoOf = (ms: number): string => new Date(ms).toISOString()

/** A game whose events query has `since`, `from` and `limit`; `asked` has the queries. */
function fakeGame() {
  const events: { readonly position: string; readonly time: string }[] = []
  const asked: EventsQuery[] = []
  return {
    asked,
    submit: (ms: number, count = 1) => {
      for (let n = 0; n < count; n += 1)
        events.push({ position: String(events.length).padStart(6, '0'), time: isoOf(ms) })
    },
    async *eventsOnce(_game: string, query: EventsQuery = {}) {
      asked.push(query)
      const { since = '', from = '', limit } = query
      yield* events.filter(({ time, position }) => time >= since && position > from).slice(0, limit) as GameEvent[]
    },
  }
}

describe('console: the rate of submissions', () => {
  it('counts those of the last minute, and asks for those after the last one it knows', async () => {
    const game = fakeGame()
    const rate = new SubmissionRate(game, 'g1')
    const perMinute = async (ms: number) => (await rate.read(START_MS + ms)).perMinute
    game.submit(START_MS - 70_000)
    game.submit(START_MS - 50_000, 2)
    game.submit(START_MS - 10_000)
    expect(await perMinute(0)).to.equal(3)
    game.submit(START_MS + 4_000, 4)
    expect(await perMinute(5_000)).to.equal(7)
    expect(await perMinute(15_000)).to.equal(5)
    expect(await perMinute(64_000)).to.equal(4)
    const [from, limit] = [START_MS - 60_000, 2_000]
    const type = 'ScoreSubmitted'
    expect(game.asked).to.deep.equal([
      { type, since: isoOf(from), limit },
      { type, from: '000003', limit },
      { type, from: '000007', limit },
      { type, from: '000007', limit },
    ])
  })

  it('asks by time again once the last submission is older than a minute', async () => {
    const game = fakeGame()
    const rate = new SubmissionRate(game, 'g1')
    game.submit(START_MS)
    await rate.read(START_MS)
    expect(await rate.read(START_MS + 60_001)).to.deep.equal({ perMinute: 0, isEstimate: false })
    expect(game.asked.at(-1)?.since).to.equal(isoOf(START_MS + 1))
  })

  it('estimates the rate from the first 2,000, and is exact once it has read all', async () => {
    const game = fakeGame()
    const rate = new SubmissionRate(game, 'g1')
    for (let second = 0; second < 60; second += 1) game.submit(START_MS + second * 1_000, 50)
    const now = START_MS + 60_000
    expect(await rate.read(now)).to.deep.equal({ perMinute: Math.round((2_000 * 60) / 39), isEstimate: true })
    expect(await rate.read(now)).to.deep.equal({ perMinute: 3_000, isEstimate: false })
  })
})
