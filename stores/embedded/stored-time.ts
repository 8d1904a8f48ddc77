// How a time is stored: as the milliseconds since the year 0. A page of 20 rows has 20 times, so both directions avoid `toISOString`,
// which takes a microsecond.

/** Added to the milliseconds since 1970, so that the year 0 begins at 1; 0 is the value of documents without the field. */
const OFFSET = 1 - Date.parse('0000-01-01T00:00:00.000Z')
const DAY_MS = 86_400_000
/** From this day on, counted from year 0, `toISOString` writes years of more than four digits. */
const END_DAY = (Date.parse('9999-12-31T23:59:59.999Z') + OFFSET) / DAY_MS

/** Undefined for a text that `toISOString` would not write, or with another year than of four digits. */
export function encodeTime(text: string): number | undefined {
  const stored = Date.parse(text) + OFFSET
  return stored > 0 && stored <= END_DAY * DAY_MS && decodeTime(stored) === text ? stored : undefined
}

export function decodeTime(stored: number): string {
  const sinceStart = stored - 1
  const day = Math.floor(sinceStart / DAY_MS)
  const ms = sinceStart - day * DAY_MS
  const seconds = Math.floor(ms / 1_000)
  const minutes = Math.floor(seconds / 60)
  const time = `${PAIRS[Math.floor(minutes / 60)]}:${PAIRS[minutes % 60]}:${PAIRS[seconds % 60]}`
  return `${dayText(day)}${time}.${String(ms % 1_000).padStart(3, '0')}Z`
}

/** `00` to `59`. */
const PAIRS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))

const MAX_CACHED_DAYS = 1_000
const days = new Map<number, string>()

/** The date of a day, counted from year 0, through the `T`. */
function dayText(day: number): string {
  const cached = days.get(day)
  if (cached !== undefined) return cached
  const text = new Date(day * DAY_MS + 1 - OFFSET).toISOString().slice(0, -'00:00:00.000Z'.length)
  if (days.size >= MAX_CACHED_DAYS) days.clear()
  days.set(day, text)
  return text
}
