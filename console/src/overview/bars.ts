// The bars of the charts of the overview: of each hour in the reader's zone, of each day in UTC, as the server counts.

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export interface Bar {
  /** When it begins: ISO 8601, UTC. */
  readonly from: string
  /** All of it, such as `29 Nov, 14:00 – 15:00`. */
  readonly name: string
  /** Its beginning, for an axis. */
  readonly tick: string
  readonly value: number
}

const HOUR = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' })
const HOUR_TICK = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const DAYS = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** `values`: oldest first, the last one of the hour of `at`. */
export function hourBars(values: readonly number[], at: string): readonly Bar[] {
  return barsOf(values, at, HOUR_MS, (fromMs) => ({
    name: HOUR.formatRange(fromMs, fromMs + HOUR_MS),
    tick: HOUR_TICK.format(fromMs),
  }))
}

/** The days of the reader that hours are of, such as `Nov 28 – 29`. */
export const daysOf = (hours: readonly Bar[]): string =>
  DAYS.formatRange(Date.parse(hours[0]?.from ?? ''), Date.parse(hours.at(-1)?.from ?? ''))

/** `values`: oldest first, the last one of the day of `at`. */
export function dayBars(values: readonly number[], at: string): readonly Bar[] {
  return barsOf(values, at, DAY_MS, (fromMs) => ({ name: `${DAY.format(fromMs)} (UTC)`, tick: DAY.format(fromMs) }))
}

function barsOf(
  values: readonly number[],
  at: string,
  widthMs: number,
  named: (fromMs: number) => Pick<Bar, 'name' | 'tick'>,
): readonly Bar[] {
  const lastMs = Math.floor(Date.parse(at) / widthMs) * widthMs
  return values.map((value, index) => {
    const fromMs = lastMs - (values.length - 1 - index) * widthMs
    return { from: new Date(fromMs).toISOString(), ...named(fromMs), value }
  })
}

/** The least of 1, 2, 4, 10, 20, 40, 100 … that is not less: half of it is a whole number too, from 2 on. */
export function topOfScale(value: number): number {
  for (let unit = 1; ; unit *= 10) {
    for (const top of [unit, 2 * unit, 4 * unit]) if (top >= value) return top
  }
}

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
