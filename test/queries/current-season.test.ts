// Which season is current, and when it ends: before its end, between its end and its closing, and where the view has
// applied the closing of a season but not the opening of the next one.

import { expect } from 'chai'
import { unsafeCast } from '../../domain/event.ts'
import type { BoardSeasons, SeasonRecord } from '../../domain/season-records.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { Board } from '../../queries/leaderboard.ts'
import { currentSeason } from '../../queries/seasons.ts'

const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour)).toISOString()
const msAt = (hour: number) => Date.parse(at(hour))
const SCHEDULE = { cron: '0 * * * *', timeZone: 'UTC' }

/** A season of one hour. */
const record = (hour: number, isClosed: boolean): SeasonRecord =>
  unsafeCast<SeasonRecord>({
    starts: at(hour),
    ends: at(hour + 1),
    due: at(hour + 1),
    closed: isClosed ? 'closed' : null,
    generation: isClosed ? 1 : null,
  })

/** `records` null: the leaderboard never had seasons. Answers its number and end. */
async function current(records: readonly SeasonRecord[] | null, nowMs: number, schedule: object | null = SCHEDULE) {
  const seasons = records && unsafeCast<BoardSeasons>({ game: 'g1', generation: 2, rules: { 1: {}, 2: {} }, records })
  const views = { current: async () => [seasons && { body: seasons }] }
  const board = unsafeCast<Board>({ id: 'b1', game: 'g1', generation: 2, state: { rules: {}, seasons: { schedule } } })
  const found = await currentSeason(unsafeCast<QueryDeps>({ views, viewKey: () => 'entries' }), board, nowMs)
  return found && [found.board.season, found.board.generation, found.endsMs]
}

describe('the current season of a leaderboard', () => {
  it('is the open one until its end, and the next one from then on', async () => {
    const records = [record(0, true), record(1, false)]
    expect(await current(records, msAt(2) - 1)).to.deep.equal([2, 2, msAt(2)])
    expect(await current(records, msAt(2))).to.deep.equal([3, 2, null])
    expect(await current(records, msAt(5))).to.deep.equal([3, 2, null])
  })

  it('is the next one while the view has its opening not yet, and none once the schedule is removed', async () => {
    const records = [record(0, true), record(1, true)]
    expect(await current(records, msAt(2))).to.deep.equal([3, 2, null])
    expect(await current(records, msAt(2), null)).to.equal(null)
  })

  it('is none where there never was one', async () => {
    expect(await current(null, msAt(0))).to.equal(null)
  })
})
