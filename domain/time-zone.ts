// Local times of IANA time zones. Local times are Unix milliseconds of the same date and time of day in UTC.

import { OTHER_ZONE_NAMES } from './time-zone-names.ts'

const HOUR_MS = 3_600_000
const SECOND_MS = 1_000
/** A local time is an instant between this much before and after the same time in UTC, plus an hour. */
const AHEAD_MS = 15 * HOUR_MS
const BEHIND_MS = 13 * HOUR_MS

let names: ReadonlySet<string> | null = null

/** Whether this is the name of a time zone in IANA's spelling, which Node knows. */
export function isTimeZone(name: string): boolean {
  names ??= new Set([...Intl.supportedValuesOf('timeZone'), ...OTHER_ZONE_NAMES])
  return names.has(name) && formatOf(name) !== null
}

/** The local time at an instant. `zone`: one for which `isTimeZone` is true, as in all functions here. */
export function localTimeAt(instant: number, zone: string): number {
  const second = Math.floor(instant / SECOND_MS) * SECOND_MS
  // `MM/DD/YYYY, hh:mm:ss`; `formatToParts` takes five times as long.
  const [month = Number.NaN, day, year = Number.NaN, hour, minute, ofMinute] = (
    formatOf(zone)?.format(second).match(/\d+/g) ?? []
  ).map(Number)
  return Date.UTC(year, month - 1, day, hour, minute, ofMinute) + (instant - second)
}

/**
 * The first instant at which a zone has this local time. If a clock change skips the local time: the first instant
 * after the change. No zone changes its clocks twice within the 28 hours around a local time.
 */
export function firstInstantOf(local: number, zone: string): number {
  const offsetAt = (instant: number): number => localTimeAt(instant, zone) - instant
  const before = offsetAt(local - AHEAD_MS)
  const after = offsetAt(local + BEHIND_MS)
  if (before === after || offsetAt(local - before) === before) return local - before
  if (offsetAt(local - after) === after) return local - after
  return firstWith(offsetAt, after, local - after, local - before)
}

/** The first instant with this offset, by bisection: `from` has another one, `until` has it. Whole seconds. */
function firstWith(offsetAt: (instant: number) => number, offset: number, from: number, until: number): number {
  let [without, having] = [from / SECOND_MS, until / SECOND_MS]
  while (having - without > 1) {
    const middle = Math.floor((without + having) / 2)
    if (offsetAt(middle * SECOND_MS) === offset) having = middle
    else without = middle
  }
  return having * SECOND_MS
}

/** At most one per name of `isTimeZone`: about 600. */
const formats = new Map<string, Intl.DateTimeFormat | null>()

/** Null if Node does not know the zone. */
function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const made = newFormat(zone)
  formats.set(zone, made)
  return made
}

function newFormat(timeZone: string): Intl.DateTimeFormat | null {
  const twoDigits = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', ...twoDigits, hourCycle: 'h23' })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
