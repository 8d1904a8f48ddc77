// How the position of a document is stored: one of the embedded log as its number, which takes fewer bytes than its
// text.

import type { Position } from '../../domain/event.ts'
import { parsePosition, positionOf } from './log-position.ts'

/** The driver writes large numbers as doubles, of which SQLite's JSON has 15 digits. */
const MAX_NUMBER = 10 ** 15 - 1

/** A position of the embedded log as its number; any other text as it is. */
export function encodePosition(position: Position): string | number {
  const number = parsePosition(position)
  return number === undefined || number > MAX_NUMBER ? position : number
}

export const decodePosition = (stored: string | number): Position =>
  typeof stored === 'number' ? positionOf(stored) : stored
