// Counts of recorded submissions and of the players who made them, per UTC hour and day. A list of counts has rows
// `[hour or day, ...]`, ascending, without those of which nothing was recorded. Hours and days are numbers since 1970.

/** Readers show 24 hours and 30 days; a clock may be set back by a day. */
export const HOURS_KEPT = 48
export const DAYS_KEPT = 32

const HOUR_MS = 3_600_000
const HOURS_PER_DAY = 24

/** `time`: ISO 8601, UTC. */
export const hourOf = (time: string): number => Math.floor(Date.parse(time) / HOUR_MS)

export const dayOf = (hour: number): number => Math.floor(hour / HOURS_PER_DAY)

type Row = readonly [at: number, ...rest: unknown[]]
export type Counts = readonly [at: number, submissions: number, players: number]
/** The log position of a player's first submission of an hour or day. */
export type First = readonly [at: number, position: string]
export type Submissions = readonly [hour: number, submissions: number]

export interface GameActivity {
  readonly hours: readonly Counts[]
  readonly days: readonly Counts[]
}

export interface BoardActivity {
  /** The last one with a submission. */
  readonly hour: number
  readonly hours: readonly Submissions[]
}

export interface PlayerActivity {
  readonly hours: readonly First[]
  readonly days: readonly First[]
}

/** The row of an hour or day, or null. Searches from the end, because the newest one is nearly always asked for. */
export function rowAt<Any extends Row>(rows: readonly Any[], at: number): Any | null {
  for (let index = rows.length - 1; index >= 0; index--) {
    const row = rows[index] as Any
    if (row[0] === at) return row
    if (row[0] < at) return null
  }
  return null
}

/** The rows with this one in its place, and without those that are `kept` or more hours or days before it. */
export function withRow<Any extends Row>(rows: readonly Any[], row: Any, kept: number): readonly Any[] {
  const [at] = row
  const [first, last] = [rows[0], rows.at(-1)]
  // The usual case, without a look at each row.
  if (first !== undefined && last?.[0] === at && first[0] > at - kept) return rows.with(-1, row)
  const recent = rows.filter(([other]) => other > at - kept && other !== at)
  const after = recent.findIndex(([other]) => other > at)
  return after < 0 ? [...recent, row] : [...recent.slice(0, after), row, ...recent.slice(after)]
}

/** The counts with one more submission, `isNewPlayer`: the player's first one of that hour or day. */
export function withSubmission(
  rows: readonly Counts[],
  at: number,
  isNewPlayer: boolean,
  kept: number,
): readonly Counts[] {
  const [, submissions, players] = rowAt(rows, at) ?? [at, 0, 0]
  return withRow(rows, [at, submissions + 1, isNewPlayer ? players + 1 : players], kept)
}

/** Whether a submission is the player's first one of an hour or day, given that row of theirs. */
export const isFirst = (row: First | null, position: string): boolean => row === null || row[1] === position
