// Positions in the embedded log: gapless integers from 1 inside, sixteen hexadecimal digits outside, so that they
// compare by code unit.

import type { Position } from '../../domain/event.ts'

const DIGITS = 16
const POSITION = /^[0-9a-f]{16}$/

/** The position of the n-th event, from 1. */
export function positionOf(at: number): Position {
  return at.toString(16).padStart(DIGITS, '0')
}

/** The number of a position, 0 for null; undefined for a text that is not a position of this log. */
export function parsePosition(position: Position | null): number | undefined {
  if (position === null) return 0
  return POSITION.test(position) ? Number.parseInt(position, 16) : undefined
}

/** Throws a TypeError for a text that is not a position. */
export function requirePosition(position: Position | null): number {
  const index = parsePosition(position)
  if (index === undefined) throw new TypeError(`${JSON.stringify(position)} is not a position of this log`)
  return index
}
