// Which season is current, and when it ends: before its end, between its end and its closing, and where the view has
// applied the closing of a season but not the opening of the next one. And a chunk of seasons that is older than its
// head.

import { expect } from 'chai'
import { type JsonObject, unsafeCast } from '../../domain/event.ts'
import { SEASONS_PER_CHUNK, type SeasonRecord } from '../../domain/season-records.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { Board } from '../../queries/leaderboard.ts'
import { currentSeason, findSeason, type WantedSeason } from '../../queries/seasons.ts'
import { refusalOf } from '../refusal-of.ts'
import { rulesOf } from '../rules.ts'
import { seasonsOfRecords } from '../seasons-of-records.ts'

const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour)).toISOString()
const msAt = (hour: number) => Date.parse(at(hour))
const RULES = rulesOf(true)
const BOARD = unsafeCast<Board>({ id: 'b1', game: 'g1', generation: 2, state: { rules: RULES } })

/** A season of one hour. */
const record = (hour: number, isClosed: boolean): SeasonRecord => ({
  starts: at(hour),
  ends: at(hour + 1),
  due: at(hour + 1),
  opened: at(hour),
  closed: isClosed ? { position: at(hour + 1), time: at(hour + 1), generation: 1, rules: RULES } : null,
  recorded: isClosed,
})

/** `records` null: the leaderboard never had seasons. `chunks`: what each read of a chunk finds. */
function depsOf(records: readonly SeasonRecord[] | null, isScheduled: boolean, chunks: (JsonObject | null)[] = []) {
  const head = records && seasonsOfRecords(records, { isScheduled, generation: 2 }).head
  const chunk = async () => [chunks.shift() ?? null].map((body) => body && { body })
  const current = async (_: string, collection: string) =>
    collection === 'seasons' ? [head && { body: head }] : chunk()
  return unsafeCast<QueryDeps>({ views: { current, get: chunk }, viewKey: () => 'entries' })
}

/** Answers its number and end. */
async function current(records: readonly SeasonRecord[] | null, nowMs: number, isScheduled = true) {
  const found = await currentSeason(depsOf(records, isScheduled), BOARD, nowMs)
  return found && [found.board.season, found.board.generation, found.endsMs]
}

const found = async (records: readonly SeasonRecord[], wanted: WantedSeason, isScheduled = true) =>
  (await findSeason(depsOf(records, isScheduled), BOARD, wanted, msAt(2))).season

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
    expect(await found(records, 'current')).to.equal(3)
    expect(await found(records, 3)).to.equal(3)
    expect(await current(records, msAt(2), false)).to.equal(null)
    expect((await refusalOf(found(records, 'current', false))).code).to.equal('season_not_found')
    expect((await refusalOf(found(records, 3, false))).code).to.equal('season_not_found')
  })

  it('is none where there never was one', async () => {
    expect(await current(null, msAt(0))).to.equal(null)
  })
})

describe('an old season of a leaderboard', () => {
  const COUNT = SEASONS_PER_CHUNK + 3
  const records = Array.from({ length: COUNT }, (_, hour) => record(hour, hour < COUNT - 1))
  const chunk = (length: number, areClosed: boolean): JsonObject =>
    unsafeCast<JsonObject>({ records: records.slice(0, length - 1).concat(record(length - 1, areClosed)) })
  const read = (...chunks: (JsonObject | null)[]) => findSeason(depsOf(records, true, chunks), BOARD, 1, msAt(COUNT))

  it('is read again while its chunk is older than the head', async () => {
    const older = [null, chunk(10, false), chunk(SEASONS_PER_CHUNK, false)]
    const { season, generation, isClosed } = await read(...older, chunk(SEASONS_PER_CHUNK, true))
    expect({ season, generation, isClosed }).to.deep.equal({ season: 1, generation: 1, isClosed: true })
  })

  it('is refused if that does not end', async () => {
    expect((await refusalOf(read())).code).to.equal('behind')
  })
})
