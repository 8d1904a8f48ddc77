// Times, numbers and texts of others, as people read them.

import { localDecimal } from './decimals.ts'

const FORMATS = {
  second: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }),
  minute: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }),
}

/** The reader's time zone, such as `Europe/Berlin`. */
export const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

export type Precision = keyof typeof FORMATS

/** Date and time in the reader's zone. */
export function localTime(iso: string, precision: Precision = 'second'): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  return FORMATS[precision].format(date)
}

/** The days of a range in the reader's zone; its end is exclusive: `Nov 23 – 29, 2026`. */
export const localDays = (from: string, to: string): string =>
  FORMATS.day.formatRange(Date.parse(from), Math.max(Date.parse(from), Date.parse(to) - 1))

/** A time in the reader's zone as a field of the type `datetime-local` has it: `2026-11-25T09:23:50`. */
export function localField(iso: string | undefined, precision: 'minute' | 'second' = 'second'): string {
  if (iso === undefined) return ''
  const date = new Date(iso)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, precision === 'minute' ? 16 : 19)
}

/** `2026-11-25 08:23:50.123 UTC`. */
export const utcTime = (iso: string): string => {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? iso : `${date.toISOString().slice(0, -1).replace('T', ' ')} UTC`
}

/** A count in the reader's notation, never cut. */
export const whole = (value: number): string => localDecimal(String(value))

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** As `bytesIn` reads it: a field shows it. */
export function bytes(value: number): string {
  let [left, unit] = [value, 0]
  while (left >= 1024 && unit < UNITS.length - 1) {
    left /= 1024
    unit++
  }
  return `${unit === 0 ? left : left.toFixed(left < 10 ? 2 : 1)} ${UNITS[unit]}`
}

/** `512`, `512 B`, `1.5 GiB`, `2 GB` (which is read as GiB) as bytes; null for other texts. */
export function bytesIn(text: string): number | null {
  const [, number, unit = ''] = /^\s*(\d{1,15}(?:\.\d{1,6})?)\s*([kmgtp]?)i?b?\s*$/i.exec(text) ?? []
  if (number === undefined) return null
  const power = unit === '' ? 0 : 'kmgtp'.indexOf(unit.toLowerCase()) + 1
  return Math.round(Number(number) * 1024 ** power)
}

/** Format and control characters, which can hide or reorder what stands around them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u115f\u1160\u3164\uffa0\u2800]/gu
const ESCAPED = /(?![\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Whether a text shows something. */
export const isVisible = (text: string): boolean => text.replace(INVISIBLE, '').trim() !== ''

/** JSON with two spaces of indentation, in which invisible and reordering characters are written as escapes. */
export function readableJson(value: unknown): string {
  return (JSON.stringify(value, null, 2) ?? 'null').replace(ESCAPED, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}
