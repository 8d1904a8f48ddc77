// Positions in the embedded log: gapless integers from 1 inside, sixteen hexadecimal digits outside, so that they
// compare by code unit.

import type { Position } from '../../domain/event.ts'

const DIGITS = 16
const POSITION = /^[0-9a-f]{16}$/

/** The position of the n-th event. */
export function positionOf(at: number): Position {
  return at.toString(16).padStart(DIGITS, '0')
}

/** The number of a position, 0 for null, or undefined for what is no position of this kind of log. */
export function placeOf(position: Position | null): number | undefined {
  if (position === null) return 0
  return POSITION.test(position) ? Number.parseInt(position, 16) : undefined
}

/** Throws a TypeError for a text that is no position. */
export function requirePlace(position: Position | null): number {
  const place = placeOf(position)
  if (place === undefined) throw new TypeError(`${JSON.stringify(position)} is no position of this log`)
  return place
}

/** Throws a RangeError for a limit that is no whole number from 1 on. */
export function atLeastOne(limit: number): number {
  if (!(Number.isSafeInteger(limit) && limit >= 1)) throw new RangeError(`A limit must be at least 1, not ${limit}`)
  return limit
}
