// The time of an event, and how far a node's clock may be behind the newest event. Clocks of nodes differ and may be
// set to any time: an event takes its stream's last time if that is at most 60 s ahead of the clock.

import { isoOf } from './iso.ts'

/** An event takes its stream's last time if that is at most this far ahead of the clock. */
export const MAX_LEAD_MS = 60_000
/** A clock that is further behind the newest event than this is reported. */
export const REPORTED_BEHIND_MS = 60_000
/** A node whose clock is further behind the newest event than this records nothing. */
export const REFUSED_BEHIND_MS = 24 * 60 * 60 * 1_000

/**
 * The time of an event: the clock (`clockMs`: Unix milliseconds, rounded down), or the latest of `earlier` that is
 * later than the clock by at most `MAX_LEAD_MS`. `earlier`: ISO 8601 in UTC with milliseconds, as `toISOString` writes
 * it, or '' for no time. So an event dated years ahead does not change the time of later ones.
 */
export function eventTime(clockMs: number, ...earlier: readonly string[]): string {
  let time = isoOf(Math.floor(clockMs))
  // Times of this form sort as their texts do.
  for (const one of earlier) if (one > time && Date.parse(one) - clockMs <= MAX_LEAD_MS) time = one
  return time
}

/** How far a clock is behind the newest event; 0 if it is not, or if there is none (null). */
export function behindMs(clockMs: number, newest: string | null): number {
  return newest === null ? 0 : Math.max(0, Date.parse(newest) - clockMs)
}

/** The warning about a clock that is behind, with both times; null if it is not to be reported. For operators. */
export function clockWarning(clockMs: number, newest: string | null): string | null {
  const behind = behindMs(clockMs, newest)
  if (behind <= REPORTED_BEHIND_MS) return null
  const clock = new Date(clockMs).toISOString()
  return `the clock is at ${clock}, ${durationText(behind)} behind the newest event, of ${newest}`
}

const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'days'],
  [3_600_000, 'hours'],
  [60_000, 'minutes'],
]

/** In the largest unit of which there are at least two, rounded down; else in seconds. */
function durationText(ms: number): string {
  const [unitMs, name] = UNITS.find(([size]) => ms >= 2 * size) ?? [1_000, 'seconds']
  return `${Math.floor(ms / unitMs).toLocaleString('en')} ${name}`
}
