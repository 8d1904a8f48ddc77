// The seasons of a leaderboard in the order of the log: which season a submission joins, and which seasons are open at
// a position. The order of the log decides, so live views and rebuilt ones agree. The records are kept in a head, with
// the newest ones, and in chunks, so that neither a call nor the opening of a season handles all of them.

import type { Rules } from './board-rules.ts'
import { type Position, type StoredEvent, unsafeCast } from './event.ts'
import type { SeasonEvent } from './seasons.ts'

/** How a season was closed. */
export type SeasonClosing = {
  /** Of SeasonClosed. */
  readonly position: Position
  readonly time: string
  /** The entries that it closed with, and the rules that rank them. */
  readonly generation: number
  readonly rules: Rules
}

export type SeasonRecord = {
  /** The interval, half-open: ISO 8601, UTC, milliseconds. */
  readonly starts: string
  readonly ends: string
  /** The end that was recorded when it opened; `ends` is earlier if the schedule changed. */
  readonly due: string
  /** Position of SeasonOpened. */
  readonly opened: Position
  /** Null: not closed. */
  readonly closed: SeasonClosing | null
  /** Whether its standing is recorded. */
  readonly recorded: boolean
}

/** Names a numbering of a leaderboard's seasons. All seasons have one number in each. */
export const FIRST_NUMBERING = 1

/**
 * Records of a chunk: the embedded store caches documents of up to 8 KiB. A record stays in the chunk of its number.
 */
export const SEASONS_PER_CHUNK = 20
/** A new submission joins one of these, or the next. Older records are for repeated calls, rebuilds and old seasons. */
const NEWEST_RECORDS = 2

/** A leaderboard with a schedule, or which had seasons. */
export type SeasonsHead = {
  readonly game: string | null
  readonly numbering: number
  /** The active generation of entries, which the open season has too, and its rules. */
  readonly generation: number
  readonly rules: Rules
  /** Whether a season follows the newest one. */
  readonly isScheduled: boolean
  /** The number of the newest season. */
  readonly count: number
  /** The newest records, at most `NEWEST_RECORDS`, in order. */
  readonly newest: readonly SeasonRecord[]
  /** Where the first season of each chunk was opened. */
  readonly chunkStarts: readonly Position[]
}

/** Seasons n × `SEASONS_PER_CHUNK` + 1 and following, as far as they are opened. */
export type SeasonsChunk = {
  readonly game: string | null
  readonly records: readonly SeasonRecord[]
}

/** The seasons of a leaderboard, as far as a caller has read them. */
export interface BoardSeasons {
  readonly head: SeasonsHead
  /** The records of a chunk, from 0. Called only for chunks that exist. */
  chunk(number: number): readonly SeasonRecord[]
}

/** The season whose record an event changes; null: none. */
export const seasonChangedBy = ({ type, data }: StoredEvent): number | null =>
  type === 'SeasonOpened' || type === 'SeasonClosed' || type === 'SeasonStandingRecorded' ? Number(data.season) : null

/** The number of the chunk with a season. */
export const chunkOf = (season: number): number => Math.floor((season - 1) / SEASONS_PER_CHUNK)

/** The active generation of a leaderboard's entries, and its rules. */
export type ActiveRules = Pick<SeasonsHead, 'generation' | 'rules'>

/**
 * The head after an event of its leaderboard; null if it has none. `present`: null before the first event of seasons;
 * `active`: as of the event.
 */
export function headAfter(present: SeasonsHead | null, event: StoredEvent, active: ActiveRules): SeasonsHead | null {
  const { generation, rules } = active
  if (event.type === 'LeaderboardRulesChanged') return present && { ...present, generation, rules }
  const one = unsafeCast<SeasonEvent>(event)
  const empty = { isScheduled: false, count: 0, newest: [], chunkStarts: [] }
  const head = present ?? { game: event.meta.game, numbering: FIRST_NUMBERING, generation, rules, ...empty }
  switch (one.type) {
    case 'SeasonScheduleSet':
      return { ...head, isScheduled: one.data.schedule !== null }
    case 'SeasonOpened':
      return withOpened(head, one.data.season, event, active)
    case 'SeasonClosed':
    case 'SeasonStandingRecorded': {
      const { season } = one.data
      const newest = head.newest.map((record, at) =>
        numberOfNewest(head, at) === season ? (recordAfter(record, event, active) ?? record) : record,
      )
      return { ...head, newest }
    }
    default:
      return present
  }
}

function withOpened(head: SeasonsHead, season: number, event: StoredEvent, active: ActiveRules): SeasonsHead {
  const record = recordAfter(null, event, active)
  const newest = record === null ? head.newest : [...head.newest, record].slice(-NEWEST_RECORDS)
  const beginsChunk = (season - 1) % SEASONS_PER_CHUNK === 0
  const chunkStarts = beginsChunk ? [...head.chunkStarts, event.position] : head.chunkStarts
  return { ...head, count: season, newest, chunkStarts }
}

/** The chunk with the season that `event` changes. */
export function chunkAfter(present: SeasonsChunk | null, event: StoredEvent, active: ActiveRules): SeasonsChunk {
  const records = [...(present?.records ?? [])]
  const at = (Number(event.data.season) - 1) % SEASONS_PER_CHUNK
  const record = recordAfter(records[at] ?? null, event, active)
  if (record !== null) records[at] = record
  return { game: event.meta.game, records }
}

/** Null before it is opened. */
function recordAfter(present: SeasonRecord | null, event: StoredEvent, active: ActiveRules): SeasonRecord | null {
  const { meta, position } = event
  const one = unsafeCast<SeasonEvent>(event)
  if (one.type === 'SeasonOpened') {
    const { starts, ends } = one.data
    return { starts, ends, due: ends, opened: position, closed: null, recorded: false }
  }
  if (present === null) return null
  if (one.type === 'SeasonStandingRecorded') return { ...present, recorded: true }
  if (one.type !== 'SeasonClosed') return present
  const { generation, rules } = active
  const { ends = present.ends } = one.data
  return { ...present, ends, closed: { position, time: meta.time, generation, rules } }
}

const numberOfNewest = ({ count, newest }: SeasonsHead, at: number): number => count - newest.length + 1 + at

/** Null: it is not opened. */
export function recordOf({ head, chunk }: BoardSeasons, season: number): SeasonRecord | null {
  if (season < 1 || season > head.count) return null
  const newest = head.newest[season - numberOfNewest(head, 0)]
  return newest ?? chunk(chunkOf(season))[(season - 1) % SEASONS_PER_CHUNK] ?? null
}

/**
 * Whether a chunk has all that a head does not: the records before its newest ones, which are closed. A store may have
 * written the head alone.
 */
export function isUpTo(records: readonly SeasonRecord[], chunk: number, head: SeasonsHead): boolean {
  const last = Math.min(head.count - head.newest.length - chunk * SEASONS_PER_CHUNK, SEASONS_PER_CHUNK)
  return last <= 0 || (records[last - 1]?.closed ?? null) !== null
}

/** Whether a season was closed before a position in the log; not if it is not opened. */
export const isClosedAt = (record: SeasonRecord | null, position: Position): boolean =>
  record?.closed != null && record.closed.position < position

const isOpenAt = (record: SeasonRecord | null, position: Position): boolean =>
  record !== null && record.opened < position && !isClosedAt(record, position)

interface Submitted {
  readonly position: Position
  readonly time: string
}

/**
 * The number of the season that a submission joins; null: none is open at its position. From the end of a season until
 * it is closed, submissions join the next one, which may not be open yet. O(log n), and at most one chunk.
 */
export function seasonJoined(seasons: BoardSeasons, { position, time }: Submitted): number | null {
  const season = newestBefore(seasons, position)
  const record = recordOf(seasons, season)
  if (record === null || isClosedAt(record, position)) return null
  return time >= record.due ? season + 1 : season
}

/** The newest season that was opened before a position; 0: none. */
function newestBefore(seasons: BoardSeasons, position: Position): number {
  const { head } = seasons
  for (let at = head.newest.length - 1; at >= 0; at--) {
    if ((head.newest[at]?.opened ?? '') < position) return numberOfNewest(head, at)
  }
  const chunk = countBefore(head.chunkStarts, position) - 1
  if (chunk < 0) return 0
  const opened = seasons.chunk(chunk).map((record) => record.opened)
  return chunk * SEASONS_PER_CHUNK + countBefore(opened, position)
}

/** How many of ascending positions are before another. */
function countBefore(positions: readonly Position[], position: Position): number {
  let [low, high] = [0, positions.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((positions[middle] ?? '') < position) low = middle + 1
    else high = middle
  }
  return low
}

/** A season, and the one before it; null: it is not opened, or there is none. */
export interface SeasonAndPrevious {
  readonly own: SeasonRecord | null
  readonly previous: SeasonRecord | null
}

export const seasonAndPrevious = (seasons: BoardSeasons, season: number): SeasonAndPrevious => ({
  own: recordOf(seasons, season),
  previous: recordOf(seasons, season - 1),
})

/** Whether a submission joins the season: as `seasonJoined` has it. */
export function joins({ own, previous }: SeasonAndPrevious, { position, time }: Submitted): boolean {
  if (isOpenAt(own, position)) return time < (own?.due ?? '')
  return isOpenAt(previous, position) && time >= (previous?.due ?? '')
}

/** The seasons that reads name `current` and `last` at an instant; null: there is none. */
export interface NamedSeasons {
  readonly current: number | null
  readonly last: number | null
}

/** `now`: ISO 8601, UTC, milliseconds. */
export function namedSeasons({ count, newest, isScheduled }: SeasonsHead, now: string): NamedSeasons {
  const record = newest.at(-1) ?? null
  if (record === null || record.closed !== null) {
    // The next one is opened by the same append: a reader may see the events before it alone.
    return { current: isScheduled ? count + 1 : null, last: count === 0 ? null : count }
  }
  return now >= record.due
    ? { current: count + 1, last: count }
    : { current: count, last: count > 1 ? count - 1 : null }
}
