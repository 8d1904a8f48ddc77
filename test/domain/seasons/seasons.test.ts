// Given the seasons of a leaderboard, when one ends or the schedule changes, then these events follow; and which season
// a submission joins.

import { expect } from 'chai'
import type { Rules } from '../../../domain/board-rules.ts'
import { Refusal } from '../../../domain/decider.ts'
import { parseDecimal } from '../../../domain/decimal.ts'
import {
  archiveLeaderboard,
  changeLeaderboard,
  createLeaderboard,
  type LeaderboardEvent,
  leaderboard,
} from '../../../domain/leaderboard.ts'
import { namedSeasons, type SeasonRecord, seasonJoined } from '../../../domain/season-records.ts'
import { closeEndedSeason, MAX_CLOSED_BY_CHANGE, type NextSeason, recordStanding } from '../../../domain/seasons.ts'
import { refusalIn } from '../../refusal-of.ts'
import { seasonsOfRecords } from '../../seasons-of-records.ts'
import { given } from '../given.ts'

const rules: Rules = {
  ordering: 'desc',
  secondaryOrdering: 'desc',
  unique: true,
  minScore: null,
  maxScore: null,
}
const WEEKLY = { cron: 'weekly', timeZone: 'Europe/Berlin' }
const DAILY = { cron: 'daily', timeZone: 'UTC' }
/** A Saturday. */
const STARTS = '2026-11-21T07:05:01.123Z'
const FIRST_END = '2026-11-22T23:00:00.000Z'
const SECOND_END = '2026-11-29T23:00:00.000Z'
const THIRD_END = '2026-12-06T23:00:00.000Z'
const WEEK_MS = 7 * 86_400_000
const at = (instant: string) => Date.parse(instant)

const data = { name: 'Laps', description: '', rules }
const created: LeaderboardEvent = { type: 'LeaderboardCreated', data }
const scheduled = (schedule: typeof WEEKLY | null): LeaderboardEvent => ({
  type: 'SeasonScheduleSet',
  data: { schedule },
})
const opened = (season: number, starts: string, ends: string): LeaderboardEvent => {
  return { type: 'SeasonOpened', data: { season, starts, ends } }
}
const closed = (season: number, ends?: string): LeaderboardEvent => {
  return { type: 'SeasonClosed', data: ends === undefined ? { season } : { season, ends } }
}
const recorded = (season: number): LeaderboardEvent => ({
  type: 'SeasonStandingRecorded',
  data: { season, players: 1, entries: 1, first: [] },
})
const WITH_SEASONS = [created, scheduled(WEEKLY), opened(1, STARTS, FIRST_END)]
const setTo = (schedule: typeof WEEKLY | null, instant: string, next: NextSeason | null = null) =>
  changeLeaderboard({ seasons: { schedule, fromMs: at(instant), next } }, '', () => {})

describe('the seasons of a leaderboard', () => {
  it('begin with the leaderboard, and the first one ends at the next boundary', () => {
    given(leaderboard)
      .when(createLeaderboard({ ...data, seasons: { schedule: WEEKLY, fromMs: at(STARTS) } }))
      .then(...WITH_SEASONS)
    expect(given(leaderboard, ...WITH_SEASONS).state()?.seasons).to.deep.equal({
      schedule: WEEKLY,
      last: 1,
      open: { season: 1, starts: STARTS, ends: FIRST_END },
      unrecorded: [],
    })
  })

  it('begin with a schedule that is set later', () => {
    given(leaderboard, created)
      .when(setTo(WEEKLY, STARTS))
      .then(scheduled(WEEKLY), opened(1, STARTS, FIRST_END))
    given(leaderboard, created).when(setTo(null, STARTS)).then()
  })

  it('are refused with a schedule that is none', () => {
    const faulty = { cron: 'never', timeZone: 'UTC' }
    const create = () => createLeaderboard({ ...data, seasons: { schedule: faulty, fromMs: at(STARTS) } })
    expect(refusalIn(create)?.code).to.equal('malformed')
    given(leaderboard, ...WITH_SEASONS)
      .when(setTo(faulty, FIRST_END))
      .refused('malformed', 'malformed')
  })

  it('end at their end and not a millisecond before, one by one', () => {
    const before = closeEndedSeason(at(FIRST_END) - 1)
    given(leaderboard, ...WITH_SEASONS)
      .when(before)
      .then()
    given(leaderboard, ...WITH_SEASONS)
      .when(closeEndedSeason(at(FIRST_END)))
      .then(closed(1), opened(2, FIRST_END, SECOND_END))
    // Two ends have passed.
    const first = [closed(1), opened(2, FIRST_END, SECOND_END)]
    const second = [closed(2), opened(3, SECOND_END, THIRD_END)]
    const late = closeEndedSeason(at(SECOND_END))
    expect(late(given(leaderboard, ...WITH_SEASONS).state(), 2)).to.deep.equal(first)
    given(leaderboard, ...WITH_SEASONS, ...first)
      .when(late)
      .then(...second)
  })

  it('of an archived leaderboard, and of none, stay as they are', () => {
    const archived = archiveLeaderboard(given(leaderboard, ...WITH_SEASONS).state(), 2)
    given(leaderboard, ...WITH_SEASONS, ...archived)
      .when(closeEndedSeason(at(THIRD_END)))
      .then()
    given(leaderboard)
      .when(closeEndedSeason(at(THIRD_END)))
      .then()
    given(leaderboard, created)
      .when(closeEndedSeason(at(THIRD_END)))
      .then()
  })

  it('end early when the schedule changes, and go on by the new one', () => {
    const change = '2026-11-22T10:00:00.000Z'
    given(leaderboard, ...WITH_SEASONS)
      .when(setTo(DAILY, change))
      .then(scheduled(DAILY), closed(1, change), opened(2, change, '2026-11-23T00:00:00.000Z'))
    given(leaderboard, ...WITH_SEASONS)
      .when(setTo(null, change))
      .then(scheduled(null), closed(1, change))
    given(leaderboard, ...WITH_SEASONS)
      .when(setTo(WEEKLY, change))
      .then()
  })

  it('keep their end when the schedule changes after it, before they are closed', () => {
    const change = '2026-11-23T08:00:00.000Z'
    given(leaderboard, ...WITH_SEASONS)
      .when(setTo(DAILY, change))
      .then(
        closed(1),
        opened(2, FIRST_END, SECOND_END),
        scheduled(DAILY),
        closed(2, change),
        opened(3, change, '2026-11-24T00:00:00.000Z'),
      )
  })

  it('all keep their ends when the schedule changes after several ends have passed', () => {
    const change = '2026-12-06T23:00:00.000Z'
    const closings = [
      closed(1),
      opened(2, FIRST_END, SECOND_END),
      closed(2),
      opened(3, SECOND_END, THIRD_END),
      closed(3),
      opened(4, THIRD_END, '2026-12-13T23:00:00.000Z'),
    ]
    given(leaderboard, ...WITH_SEASONS)
      .when(setTo(DAILY, change))
      .then(...closings, scheduled(DAILY), closed(4, change), opened(5, change, '2026-12-07T00:00:00.000Z'))
    given(leaderboard, ...WITH_SEASONS)
      .when(setTo(null, change))
      .then(...closings, scheduled(null), closed(4, change))
  })

  it('are closed by the service before their schedule can change, where very many ends have passed', () => {
    const change = (ends: number) => setTo(DAILY, new Date(at(FIRST_END) + (ends - 1) * WEEK_MS).toISOString())
    const utc = { cron: '0 23 * * 0', timeZone: 'UTC' }
    const past = [created, scheduled(utc), opened(1, STARTS, FIRST_END)]
    const most = change(MAX_CLOSED_BY_CHANGE)
    expect(most(given(leaderboard, ...past).state(), 2)).to.have.length(2 * MAX_CLOSED_BY_CHANGE + 3)
    given(leaderboard, ...past)
      .when(change(MAX_CLOSED_BY_CHANGE + 1))
      .refused('unavailable', 'busy', { retry_after: 1 })
  })

  it('never end before they begin, where a clock was set back', () => {
    given(leaderboard, ...WITH_SEASONS)
      .when(setTo(null, '2026-11-20T00:00:00.000Z'))
      .then(scheduled(null), closed(1, STARTS))
  })

  it('begin again with the next number after a time without seasons', () => {
    const ended = [scheduled(null), closed(1, '2026-11-22T10:00:00.000Z')]
    const change = '2026-11-24T08:00:00.000Z'
    const tomorrow = '2026-11-25T00:00:00.000Z'
    given(leaderboard, ...WITH_SEASONS, ...ended)
      .when(setTo(DAILY, change, { season: 2, hasSubmissions: false }))
      .then(scheduled(DAILY), opened(2, change, tomorrow))
    // A clock that was ahead recorded some in season 2, before season 1 was ended before its time.
    given(leaderboard, ...WITH_SEASONS, ...ended)
      .when(setTo(DAILY, change, { season: 2, hasSubmissions: true }))
      .then(scheduled(DAILY), opened(2, change, tomorrow), closed(2, change), opened(3, change, tomorrow))
    // The views do not show the closing yet.
    for (const next of [null, { season: 1, hasSubmissions: false }]) {
      given(leaderboard, ...WITH_SEASONS, ...ended)
        .when(setTo(DAILY, change, next))
        .refused('unavailable', 'busy', { retry_after: 1 })
    }
  })

  it('cannot change together with other rules', () => {
    const seasons = { schedule: DAILY, fromMs: at(FIRST_END) }
    given(leaderboard, ...WITH_SEASONS)
      .when(changeLeaderboard({ seasons, rules: { ordering: 'asc' } }, 'c1', () => {}))
      .refused('malformed', 'recut_needed')
    // Refused before what a retry may not meet: a change since the caller read it, and another rule change that runs.
    const running: LeaderboardEvent = {
      type: 'LeaderboardRulesRequested',
      data: { change: 'c0', generation: 2, rules: { ...rules, unique: false } },
    }
    const stale = () => {
      throw new Refusal('precondition', 'precondition_failed', 'It has changed.')
    }
    given(leaderboard, ...WITH_SEASONS, running)
      .when(changeLeaderboard({ seasons, rules: { ordering: 'asc' } }, 'c1', stale))
      .refused('malformed', 'recut_needed')
    // The same rules are no others.
    const same = changeLeaderboard({ seasons, rules: { ordering: 'desc' } }, 'c1', () => {})
    expect(same(given(leaderboard, ...WITH_SEASONS).state(), 2)).to.have.length(5)
  })

  it('have their standing recorded once, after they are closed', () => {
    const standing = { players: 1, entries: 1, first: [{ player: 'p1', score: decimal('1') }] }
    given(leaderboard, ...WITH_SEASONS)
      .when(recordStanding(1, standing))
      .then()
    given(leaderboard, ...WITH_SEASONS, closed(1), opened(2, FIRST_END, SECOND_END))
      .when(recordStanding(1, standing))
      .then({ type: 'SeasonStandingRecorded', data: { season: 1, ...standing } })
    const events = [...WITH_SEASONS, closed(1), opened(2, FIRST_END, SECOND_END), closed(2), recorded(1)]
    expect(given(leaderboard, ...events).state()?.seasons?.unrecorded).to.deep.equal([2])
    given(leaderboard).when(recordStanding(1, standing)).then()
  })
})

describe('a submission', () => {
  const season = (opened: string, closed: string | null, ends: string): SeasonRecord => {
    const closing = closed === null ? null : { position: closed, time: ends, generation: 1, rules }
    return { starts: '', due: ends, opened, closed: closing, ends, recorded: false }
  }
  // Season 3 ended early, at a change of the schedule to none.
  const records = [
    season('05', '10', FIRST_END),
    season('11', '20', SECOND_END),
    { ...season('21', '30', THIRD_END), ends: SECOND_END },
    season('40', null, THIRD_END),
  ]
  const joined = (position: string, time: string) => seasonJoined(seasonsOfRecords(records), { position, time })

  it('joins the season that is open at its position, whatever the clock says', () => {
    for (const position of ['06', '09']) expect(joined(position, '2000-01-01T00:00:00.000Z')).to.equal(1)
    expect(joined('12', STARTS)).to.equal(2)
    expect(joined('41', STARTS)).to.equal(4)
  })
  it('joins the next season from the end of the open one until that is closed', () => {
    expect(joined('09', FIRST_END)).to.equal(2)
    expect(joined('09', '2026-11-22T22:59:59.999Z')).to.equal(1)
    expect(joined('09', THIRD_END)).to.equal(2)
    expect(joined('50', THIRD_END)).to.equal(5)
  })
  it('is judged by the end that was recorded when the season opened', () => {
    expect(joined('25', SECOND_END)).to.equal(3)
  })
  it('joins none before the first season, and none while no season is open', () => {
    expect(joined('04', STARTS)).to.equal(null)
    expect(joined('31', STARTS)).to.equal(null)
    expect(seasonJoined(seasonsOfRecords([]), { position: '04', time: STARTS })).to.equal(null)
  })

  it('would join the season that reads name current, and last is the newest that has ended', () => {
    const named = (some: readonly SeasonRecord[], now: string, isScheduled = true) =>
      namedSeasons(seasonsOfRecords(some, { isScheduled }).head, now)
    expect(named([season('05', null, FIRST_END)], STARTS)).to.deep.equal({ current: 1, last: null })
    expect(named([season('05', null, FIRST_END)], FIRST_END)).to.deep.equal({ current: 2, last: 1 })
    expect(named(records.slice(0, 3), THIRD_END, false)).to.deep.equal({ current: null, last: 3 })
    expect(named(records, SECOND_END)).to.deep.equal({ current: 4, last: 3 })
    expect(named(records, '2027-01-01T00:00:00.000Z')).to.deep.equal({ current: 5, last: 4 })
  })

  it('would join the next season, where one is scheduled and its opening is not seen yet', () => {
    const named = (some: readonly SeasonRecord[], isScheduled: boolean) =>
      namedSeasons(seasonsOfRecords(some, { isScheduled }).head, THIRD_END)
    expect(named([], true)).to.deep.equal({ current: 1, last: null })
    expect(named([], false)).to.deep.equal({ current: null, last: null })
    expect(named(records.slice(0, 3), true)).to.deep.equal({ current: 4, last: 3 })
  })
})

function decimal(text: string) {
  const parsed = parseDecimal(text)
  if (parsed === null) throw new Error(`${text} is no decimal`)
  return parsed
}
