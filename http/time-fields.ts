// Schema fields for times, normalised to ISO 8601, UTC, milliseconds, `Z`. Every message says what to send instead.

import { z } from 'zod'
import { DAY_MS, dayStartMs, instantMs, LAST_INSTANT_MS } from './pipeline/time-text.ts'

const NOT_AN_INSTANT =
  'must be an ISO 8601 datetime with its offset, such as 2026-11-21T07:05:01Z (in a query, send the + of an offset as %2B)'
const NOT_A_DAY_OR_INSTANT = `must be a date such as 2026-11-21, or ${NOT_AN_INSTANT.slice('must be '.length)}`

function timeField<Read>(read: (text: string) => Read | null, message: string, description: string) {
  return z
    .string(message)
    .transform((text, context) => {
      const found = text.length > 40 ? null : read(text)
      if (found !== null) return found
      context.addIssue(message)
      return z.NEVER
    })
    .meta({ description, examples: ['2026-11-21T07:05:01.123Z'] })
}

/** ISO 8601, UTC, milliseconds; null stays. */
const isoOf = (ms: number | null): string | null =>
  ms === null ? null : new Date(Math.min(ms, LAST_INSTANT_MS)).toISOString()

/** A datetime with offset; becomes ISO 8601, UTC, milliseconds, `Z`. */
export const instant = timeField((text) => isoOf(instantMs(text)), NOT_AN_INSTANT, 'ISO 8601 datetime with its offset.')

/** A past instant as ISO 8601, UTC, milliseconds. */
export const pastInstant = timeField(
  (text) => isoOf(instantMs(text)),
  NOT_AN_INSTANT,
  'The state at this instant. ISO 8601 datetime with its offset, not in the future.',
)

/** The first instant inside: a bare date means the start of that day in UTC. Becomes ISO 8601, UTC, milliseconds. */
export const sinceInstant = timeField(
  (text) => isoOf(dayStartMs(text) ?? instantMs(text)),
  NOT_A_DAY_OR_INSTANT,
  'From this instant on (inclusive). ISO 8601 datetime with its offset, or a date, which means the start of that day in UTC.',
)

/** The end of a window: the first instant outside, as ISO 8601, UTC, milliseconds. A bare date includes that day. */
export interface Until {
  readonly before: string
  readonly wholeDay: boolean
}

/** The first instant outside the window, and whether a whole day was given. */
export const untilInstant = timeField(
  (text): Until | null => {
    const day = dayStartMs(text)
    const before = isoOf(day === null ? instantMs(text) : day + DAY_MS)
    return before === null ? null : { before, wholeDay: day !== null }
  },
  NOT_A_DAY_OR_INSTANT,
  'Up to this instant (exclusive). ISO 8601 datetime with its offset, or a date, which includes that day in UTC.',
)
