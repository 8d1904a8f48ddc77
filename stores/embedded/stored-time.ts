// How a time is stored: as the milliseconds since the year 0.

import { isoOf } from '../../domain/iso.ts'

/**
 * Added to the milliseconds since 1970, so that the year 0 begins at 1; 0 is the value of documents without the field.
 */
const OFFSET = 1 - Date.parse('0000-01-01T00:00:00.000Z')
/** The last time: from then on `toISOString` writes years of more than four digits. */
export const MAX_TIME = Date.parse('9999-12-31T23:59:59.999Z') + OFFSET

/** Undefined for a text that `toISOString` would not write, or with another year than of four digits. */
export function encodeTime(text: string): number | undefined {
  const stored = Date.parse(text) + OFFSET
  return stored > 0 && stored <= MAX_TIME && decodeTime(stored) === text ? stored : undefined
}

export const decodeTime = (stored: number): string => isoOf(stored - OFFSET)
