// The seasons of a leaderboard: intervals numbered from 1, each with a ranking of its own. Both instants of a season
// are recorded when it opens. It is closed once, by an event; which season a submission joins follows from the
// submission's position and time (season-records.ts).

import { type Decision, Refusal } from './decider.ts'
import type { Decimal } from './decimal.ts'
import { isoOf } from './iso.ts'
import { checkSchedule, nextBoundary, type SeasonSchedule, sameSchedule } from './season-schedule.ts'

/** Most players that a recorded standing names. */
export const STANDING_FIRST = 10

/**
 * Most seasons whose end has passed that a change of the schedule closes itself: its one append stays below 512 KiB.
 */
export const MAX_CLOSED_BY_CHANGE = 200
const CLOSING_RETRY_S = 1

/** What a season ended with, before any later ban or deletion. */
export type SeasonStanding = {
  readonly players: number
  readonly entries: number
  /** The best entries, best first, at most `STANDING_FIRST`. */
  readonly first: readonly { readonly player: string; readonly score: Decimal }[]
}

export const SEASON_EVENTS = [
  'SeasonScheduleSet',
  'SeasonOpened',
  'SeasonClosed',
  'SeasonStandingRecorded',
] as const satisfies readonly SeasonEvent['type'][]

export type SeasonEvent =
  /** Null: no seasons any longer. */
  | { readonly type: 'SeasonScheduleSet'; readonly data: { readonly schedule: SeasonSchedule | null } }
  | { readonly type: 'SeasonOpened'; readonly data: OpenSeason }
  /** `ends`: only of a season that ended before its time, because the schedule changed. */
  | { readonly type: 'SeasonClosed'; readonly data: { readonly season: number; readonly ends?: string } }
  | { readonly type: 'SeasonStandingRecorded'; readonly data: { readonly season: number } & SeasonStanding }

/** A half-open interval. ISO 8601, UTC, milliseconds. */
export type OpenSeason = {
  readonly season: number
  readonly starts: string
  readonly ends: string
}

/** The part of a leaderboard's state about its seasons. */
export interface Seasons {
  /** Null: no season is open, and none follows. */
  readonly schedule: SeasonSchedule | null
  /** The number of the newest season. */
  readonly last: number
  readonly open: OpenSeason | null
  /** Closed seasons whose standing is not recorded yet, in order. */
  readonly unrecorded: readonly number[]
}

/** The seasons of a leaderboard that never had any. */
export const NO_SEASONS: Seasons = { schedule: null, last: 0, open: null, unrecorded: [] }

/** What decisions about seasons need of a leaderboard. `seasons` is absent if it never had any. */
interface WithSeasons {
  readonly archived: boolean
  readonly seasons?: Seasons
}

export const seasonsOf = (state: Pick<WithSeasons, 'seasons'>): Seasons => state.seasons ?? NO_SEASONS

export function evolveSeasons<State extends WithSeasons>(state: State, event: SeasonEvent): State {
  const seasons = seasonsOf(state)
  switch (event.type) {
    case 'SeasonScheduleSet':
      return { ...state, seasons: { ...seasons, schedule: event.data.schedule } }
    case 'SeasonOpened':
      return { ...state, seasons: { ...seasons, last: event.data.season, open: event.data } }
    case 'SeasonClosed': {
      const unrecorded = [...seasons.unrecorded, event.data.season]
      return { ...state, seasons: { ...seasons, open: null, unrecorded } }
    }
    case 'SeasonStandingRecorded': {
      const unrecorded = seasons.unrecorded.filter((season) => season !== event.data.season)
      return { ...state, seasons: { ...seasons, unrecorded } }
    }
    default:
      return state
  }
}

/** The first season of a new leaderboard. Throws as `checkSchedule`; `nowMs`: Unix milliseconds. */
export function firstSeason(schedule: SeasonSchedule | null, nowMs: number): readonly SeasonEvent[] {
  return setSchedule({ archived: false }, schedule, nowMs)
}

/** Whether submissions joined the season of this number before it was opened, by the views. */
export interface NextSeason {
  readonly season: number
  readonly hasSubmissions: boolean
}

/**
 * Ends the open season at `nowMs` (Unix milliseconds) and opens the next one by another schedule; null: opens none.
 * Seasons whose end has passed are closed first. Records nothing if the leaderboard has this schedule. `next`: the
 * season after the newest one, where that is closed and none followed. Throws as `checkSchedule`, and 503 `busy` if
 * more than `MAX_CLOSED_BY_CHANGE` ends have passed, or if `next` is of another season.
 */
export function setSchedule(
  state: WithSeasons,
  schedule: SeasonSchedule | null,
  nowMs: number,
  next: NextSeason | null = null,
): readonly SeasonEvent[] {
  const before = seasonsOf(state)
  if (sameSchedule(before.schedule, schedule)) return []
  if (schedule !== null) checkSchedule(schedule)
  const { events: closings, seasons } = closeAllEnded(before, nowMs)
  const { open, last } = seasons
  const now = isoOf(Math.floor(nowMs))
  // A clock may have been set back to before the season began.
  const at = open !== null && open.starts > now ? open.starts : now
  // Before the closing: a reader that sees only these two knows whether a season follows.
  const events: SeasonEvent[] = [...closings, { type: 'SeasonScheduleSet', data: { schedule } }]
  if (open !== null) events.push(endedAt(open.season, at))
  if (schedule === null) return events
  if (open !== null || last === 0 || !isJoined(last + 1, next)) return [...events, opened(schedule, last + 1, at)]
  // They were recorded long before: only they are of that season, which ends where it begins.
  return [...events, opened(schedule, last + 1, at), endedAt(last + 1, at), opened(schedule, last + 2, at)]
}

const endedAt = (season: number, ends: string): SeasonEvent => ({ type: 'SeasonClosed', data: { season, ends } })

/** 503 `busy` while the views are behind the leaderboard. */
function isJoined(season: number, next: NextSeason | null): boolean {
  if (next?.season === season) return next.hasSubmissions
  const detail = 'The last season of this leaderboard is being closed. Send the call again in a moment.'
  throw new Refusal('unavailable', 'busy', detail, { retry_after: CLOSING_RETRY_S })
}

/**
 * Closes the open season if its end has passed, and opens the next one; only one season, however many ends have passed.
 * `nowMs`: Unix milliseconds.
 */
export function closeEndedSeason(nowMs: number): Decision<WithSeasons | null, SeasonEvent> {
  return (state) => (state === null || state.archived ? [] : closeEnded(seasonsOf(state), nowMs))
}

/** Closes seasons until the open one is not over: each keeps the end that was recorded when it opened. */
function closeAllEnded(before: Seasons, nowMs: number) {
  const events: SeasonEvent[] = []
  let seasons = before
  for (let closed = 0; ; closed++) {
    const closings = closeEnded(seasons, nowMs)
    if (closings.length === 0) return { events, seasons }
    if (closed === MAX_CLOSED_BY_CHANGE) throw stillClosing()
    events.push(...closings)
    seasons = seasonsOf(closings.reduce<WithSeasons>(evolveSeasons, { archived: false, seasons }))
  }
}

/** Nothing was recorded: the service closes the seasons meanwhile. */
function stillClosing(): Refusal {
  const detail = 'Many seasons of this leaderboard have ended, and are being closed. Send the call again in a moment.'
  return new Refusal('unavailable', 'busy', detail, { retry_after: CLOSING_RETRY_S })
}

function closeEnded({ open, schedule }: Seasons, nowMs: number): readonly SeasonEvent[] {
  if (open === null || schedule === null || Date.parse(open.ends) > nowMs) return []
  const { season, ends } = open
  return [{ type: 'SeasonClosed', data: { season } }, opened(schedule, season + 1, ends)]
}

function opened(schedule: SeasonSchedule, season: number, starts: string): SeasonEvent {
  const ends = isoOf(nextBoundary(schedule, Date.parse(starts)))
  return { type: 'SeasonOpened', data: { season, starts, ends } }
}

/** Records nothing if the season's standing is recorded, or the season is not closed. */
export function recordStanding(season: number, standing: SeasonStanding): Decision<WithSeasons | null, SeasonEvent> {
  return (state) => {
    if (state === null || !seasonsOf(state).unrecorded.includes(season)) return []
    return [{ type: 'SeasonStandingRecorded', data: { season, ...standing } }]
  }
}

/** 400 `recut_needed`: a new schedule and other rules in one change. */
export function recutNeeded(): Refusal {
  const detail = 'seasons and other rules cannot be changed together: send them in two calls.'
  return new Refusal('malformed', 'recut_needed', detail, {
    errors: [{ pointer: '/seasons', detail: 'cannot be changed together with other rules' }],
  })
}
