// When the demo's scores are submitted: all now, or spread over the days before now by a clock that is behind and catches up.

import type { Dice } from './demo-scenery.ts'

const HOUR_MS = 3_600_000
const HOURS_A_DAY = 24
/** Share of the scores of a quiet hour that the busiest hour of a day has on top. */
const EVENING = 3
/** How much more is played on the last day than on the first, as a share. */
const GROWTH = 1
/** How much luck a single hour has. */
const CHANCE = 0.8

/** Scores that are submitted together, so many milliseconds before now. */
export interface DemoHour {
  readonly agoMs: number
  readonly scores: number
}

/** All at once for 0 days, else by the hour, the oldest first: more in the evening (UTC), and more from day to day. */
export function demoHours(days: number, scores: number, dice: Dice): DemoHour[] {
  if (days === 0) return [{ agoMs: 0, scores }]
  const hours = days * HOURS_A_DAY
  const weights = Array.from({ length: hours }, (_, hour) => weightOf(hour, hours, dice()))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  let reached = 0
  let before = 0
  return weights.map((weight, hour) => {
    reached += weight
    const sent = hour === hours - 1 ? scores : Math.round((reached / all) * scores)
    const own = { agoMs: (hours - 1 - hour) * HOUR_MS, scores: sent - before }
    before = sent
    return own
  })
}

function weightOf(hour: number, hours: number, luck: number): number {
  const evening = (1 - Math.cos((2 * Math.PI * (hour % HOURS_A_DAY)) / HOURS_A_DAY)) / 2
  return (1 + EVENING * evening) * (1 + (GROWTH * hour) / hours) * (1 - CHANCE * luck)
}

/** A clock that is behind by as much as was set last, and never goes back. */
export interface DemoClock {
  /** Unix milliseconds. */
  now(): number
  /** Rejects a value that would turn the clock back. */
  setBehind(ms: number): void
}

/** Set to the first of the hours. */
export function demoClock(days: number): DemoClock {
  let behindMs = Math.max(0, days * HOURS_A_DAY - 1) * HOUR_MS
  return {
    now: () => Date.now() - behindMs,
    setBehind: (ms) => {
      if (ms > behindMs) throw new RangeError('a clock of the demo cannot be turned back')
      behindMs = ms
    },
  }
}
