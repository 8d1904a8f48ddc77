// Times that callers send, in the notations of ISO 8601 that clients write. Parsed strictly: JavaScript's own parser
// turns the 30th of February into the 2nd of March, and takes a time without an offset as local.

export const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** The last instant with a four-digit year. */
export const LAST_INSTANT_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Seconds may be left out, `T` and `Z` be in lower case, and an offset be `+01`, `+0100` or `+01:00`. */
const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

/** Unix milliseconds of a datetime with its offset (finer fractions are cut off), or null. */
export function instantMs(text: string): number | null {
  const found = INSTANT.exec(text)
  if (found === null) return null
  const [, year, month, day, hour, minute, second = '00', fraction = '', sign, offsetHour, offsetMinute = '00'] = found
  const startMs = dayStartMs(`${year}-${month}-${day}`)
  if (startMs === null) return null
  const time = `${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`
  const inDayMs = Date.parse(`1970-01-01T${time}Z`)
  const offsetMs = sign === undefined ? 0 : (Number(offsetHour) * 60 + Number(offsetMinute)) * MINUTE_MS
  const ms = startMs + inDayMs + (sign === '-' ? offsetMs : -offsetMs)
  return ms > LAST_INSTANT_MS ? null : ms
}

/** Unix milliseconds at which a date such as 2026-11-21 begins in UTC, or null. */
export function dayStartMs(text: string): number | null {
  const [, year, month, day] = DAY.exec(text) ?? []
  if (year === undefined || year === '0000') return null
  const monthNumber = Number(month)
  if (monthNumber < 1 || monthNumber > 12) return null
  const date = new Date(0)
  date.setUTCFullYear(Number(year), monthNumber, 0)
  if (Number(day) < 1 || Number(day) > date.getUTCDate()) return null
  return Date.parse(`${text}T00:00:00.000Z`)
}
