// When the demo submits its scores: all now, or spread over past days by a clock that starts behind and catches up.

import type { Dice } from './demo-data.ts'

const HOUR_MS = 3_600_000
const HOURS_A_DAY = 24
/** The busiest hour of a day has this share more scores than a quiet hour. */
const EVENING = 3
/** The last day has this share more scores than the first day. */
const GROWTH = 1
/** Random variation of a single hour, as a share. */
const CHANCE = 0.8

/** Scores to submit `agoMs` milliseconds before now. */
export interface DemoHour {
  readonly agoMs: number
  readonly scores: number
}

/** One batch for 0 days, else one per hour, oldest first: more in the evening (UTC), and more each day. */
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

/** A clock that lags real time by the value last set. It never goes back. */
export interface DemoClock {
  /** Unix milliseconds. */
  now(): number
  /** Throws RangeError for a value that would turn the clock back. */
  setBehind(ms: number): void
}

/** The initial lag: that of the oldest hour. */
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
