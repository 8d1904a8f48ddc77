// The seasons of a leaderboard in the order of the log: which season a submission joins, and which seasons are open at
// a position. The order of the log decides, so live views and rebuilt ones agree.

import type { Rules } from './board-rules.ts'
import { type Position, type StoredEvent, unsafeCast } from './event.ts'
import type { SeasonEvent } from './seasons.ts'

export type SeasonRecord = {
  /** The interval, half-open: ISO 8601, UTC, milliseconds. */
  readonly starts: string
  readonly ends: string
  /** The end that was recorded when it opened; `ends` is earlier if the schedule changed. */
  readonly due: string
  /** Positions of SeasonOpened and SeasonClosed; null: not closed. */
  readonly opened: Position
  readonly closed: Position | null
  /** The time of SeasonClosed. */
  readonly closedAt: string | null
  /** The generation of entries that it closed with; null: not closed. */
  readonly generation: number | null
  /** Whether its standing is recorded. */
  readonly recorded: boolean
}

/** All seasons of a leaderboard; season n is at index n − 1. */
export type SeasonRecords = readonly SeasonRecord[]

/** The seasons of a leaderboard that ever had any, and the rules that their entries are ranked by. */
export interface BoardSeasons {
  readonly game: string | null
  /** The active generation of entries, which the open season has too. */
  readonly generation: number
  /** Of the active generation, and of those that seasons closed with. */
  readonly rules: Readonly<Record<string, Rules>>
  readonly records: SeasonRecords
}

/**
 * The seasons after an event of their leaderboard. `present` is null before the first one; `active`: the generation of
 * entries that is active then.
 */
export function seasonsAfter(
  present: BoardSeasons | null,
  { type, data, meta, position }: StoredEvent,
  active: Pick<BoardSeasons, 'generation'> & { readonly rules: Rules },
): BoardSeasons | null {
  const { generation, rules } = active
  if (type === 'LeaderboardRulesChanged') {
    return present && withNeededRules({ ...present, generation, rules: { ...present.rules, [generation]: rules } })
  }
  const event = unsafeCast<SeasonEvent>({ type, data })
  const before = present ?? { game: meta.game, generation, rules: { [generation]: rules }, records: [] }
  switch (event.type) {
    case 'SeasonOpened': {
      const { starts, ends } = event.data
      const open = { starts, ends, due: ends, opened: position, closed: null, closedAt: null, generation: null }
      return { ...before, records: [...before.records, { ...open, recorded: false }] }
    }
    case 'SeasonClosed': {
      const { season, ends } = event.data
      const closed = { closed: position, closedAt: meta.time, generation: before.generation, ...(ends && { ends }) }
      return { ...before, records: changed(before.records, season, closed) }
    }
    case 'SeasonStandingRecorded':
      return { ...before, records: changed(before.records, event.data.season, { recorded: true }) }
    default:
      return present
  }
}

const changed = (records: SeasonRecords, season: number, change: Partial<SeasonRecord>): SeasonRecords =>
  records.map((record, at) => (at === season - 1 ? { ...record, ...change } : record))

function withNeededRules(seasons: BoardSeasons): BoardSeasons {
  const needed = new Set([seasons.generation, ...seasons.records.map(({ generation }) => generation)].map(String))
  return { ...seasons, rules: Object.fromEntries(Object.entries(seasons.rules).filter(([key]) => needed.has(key))) }
}

/** Whether a season was closed before a position in the log. */
export const isClosedAt = (records: SeasonRecords, season: number, position: Position): boolean => {
  const closed = records[season - 1]?.closed ?? null
  return closed !== null && closed < position
}

/**
 * The number of the season that a submission joins; null: none is open at its position. From the end of a season until
 * it is closed, submissions join the next one, which may not be open yet. O(log n).
 */
export function seasonJoined(
  records: SeasonRecords,
  { position, time }: { readonly position: Position; readonly time: string },
): number | null {
  let [low, high] = [0, records.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((records[middle]?.opened ?? '') < position) low = middle + 1
    else high = middle
  }
  const season = low
  const record = records[season - 1]
  if (record === undefined || isClosedAt(records, season, position)) return null
  return time >= record.due ? season + 1 : season
}

/** The seasons that reads name `current` and `last` at an instant; null: there is none. */
export interface NamedSeasons {
  readonly current: number | null
  readonly last: number | null
}

/** `now`: ISO 8601, UTC, milliseconds. */
export function namedSeasons(records: SeasonRecords, now: string): NamedSeasons {
  const newest = records.length
  const record = records[newest - 1]
  const before = newest > 1 ? newest - 1 : null
  if (record === undefined) return { current: null, last: null }
  if (record.closed !== null) return { current: null, last: newest }
  return now >= record.due ? { current: newest + 1, last: newest } : { current: newest, last: before }
}
