// The labels of an axis of time, in the reader's zone.

const DAY_S = 86_400
const YEAR_S = 365 * DAY_S

const FORMATS = {
  year: new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short' }),
  day: new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' }),
  minute: new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' }),
  second: new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit', second: '2-digit' }),
}

/**
 * `ticks`: in seconds since 1970, in order. `step`: seconds between two. Times of a day have its date on a second line,
 * below the first tick of each day.
 */
export function timeTicks(ticks: readonly number[], step: number): string[] {
  const [first = 0, last = 0] = [ticks[0], ticks.at(-1)]
  if (step >= DAY_S) {
    const format = last - first > YEAR_S ? FORMATS.year : FORMATS.day
    return ticks.map((seconds) => format.format(seconds * 1_000))
  }
  const format = step >= 60 ? FORMATS.minute : FORMATS.second
  const days = ticks.map((seconds) => FORMATS.day.format(seconds * 1_000))
  return ticks.map((seconds, at) => {
    const time = format.format(seconds * 1_000)
    return days[at] === days[at - 1] ? time : `${time}\n${days[at]}`
  })
}
