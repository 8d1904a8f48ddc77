// How times and positions of documents are stored: as numbers, which take fewer bytes than text.

import type { Position } from '../../domain/event.ts'
import { isoOf } from '../../domain/iso.ts'
import { parsePosition, positionOf } from './log-schema.ts'

/**
 * Added to the milliseconds since 1970: a stored time counts from the year 0, which begins at 1. 0 is the value of
 * documents without the field.
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

/** The driver writes large numbers as doubles, of which SQLite's JSON has 15 digits. */
const MAX_NUMBER = 10 ** 15 - 1

/** A position of the embedded log as its number; any other text as it is. */
export function encodePosition(position: Position): string | number {
  const number = parsePosition(position)
  return number === undefined || number > MAX_NUMBER ? position : number
}

export const decodePosition = (stored: string | number): Position =>
  typeof stored === 'number' ? positionOf(stored) : stored
