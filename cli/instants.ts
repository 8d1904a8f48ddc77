// Times as people type them: `yesterday`, `7d`, a date. Everything else goes to the server as it is, which checks it.
// And times as tables show them.

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }
/** For the help of options that take an instant. */
export const INSTANT =
  'ISO 8601 with an offset, a date (its end, UTC), yesterday (24 hours ago), or 30m, 12h, 7d, 2w ago'

/**
 * The instant that an option names, as the API takes it. A date is its last millisecond, as of `--until`; one that has
 * not ended is `nowMs`.
 */
export function instantOf(text: string, nowMs: number): string {
  if (text === 'yesterday') return isoOf(nowMs - 86_400_000)
  const [, number, unit = ''] = /^([0-9]{1,6})([mhdw])$/.exec(text) ?? []
  if (number !== undefined) return isoOf(nowMs - Number(number) * (UNITS_MS[unit] ?? 0))
  const endMs = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) ? Date.parse(`${text}T23:59:59.999Z`) : Number.NaN
  // Some days that no month has are parsed as one of the next month.
  if (Number.isNaN(endMs) || !isoOf(endMs).startsWith(text)) return text
  // Only of a day that is running: one in the future is refused by the server.
  return endMs > nowMs && endMs - nowMs < 86_400_000 ? isoOf(nowMs) : isoOf(endMs)
}

/** `2026-11-30 12:33:45`: an instant of the API in UTC, to the second. */
export const utcText = (iso: string): string => iso.slice(0, 19).replace('T', ' ')

const isoOf = (ms: number): string => new Date(Math.max(0, ms)).toISOString()
