// Parses times strictly: JavaScript's own parser turns the 30th of February into the 2nd of March.

/** The last instant with a four-digit year; `until=9999-12-31` is clamped to it. */
export const LAST_INSTANT_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
export const DAY_MS = 86_400_000

const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

function dayExists(year: string, month: string, day: string): boolean {
  const monthNumber = Number(month)
  if (year === '0000' || monthNumber < 1 || monthNumber > 12) return false
  const date = new Date(0)
  date.setUTCFullYear(Number(year), monthNumber, 0)
  return Number(day) >= 1 && Number(day) <= date.getUTCDate()
}

/** Unix milliseconds of an ISO 8601 datetime with offset (finer fractions are cut off), or null. */
export function instantMs(text: string): number | null {
  const [, year = '', month = '', day = '', hour, minute, second, fraction = '', offset] = INSTANT.exec(text) ?? []
  if (offset === undefined || !dayExists(year, month, day)) return null
  const millis = fraction.slice(0, 3).padEnd(3, '0')
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}${offset}`)
  return ms > LAST_INSTANT_MS ? null : ms
}

/** Unix milliseconds at which a date such as 2026-11-21 begins in UTC, or null. */
export function dayStartMs(text: string): number | null {
  const [, year, month, day] = DAY.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined || !dayExists(year, month, day)) return null
  return Date.parse(`${text}T00:00:00.000Z`)
}
