// How the position of a document is stored: one of the embedded log as its number, which takes fewer bytes than its text.

import type { Position } from '../../domain/event.ts'

const DIGITS = 16
/** The driver writes large numbers as doubles, of which SQLite's JSON has 15 digits. */
const MAX_NUMBER = 10 ** 15 - 1
const HEXADECIMAL = /^[0-9a-f]{16}$/

/** A position of the embedded log as its number; any other text as it is. */
export function encodePosition(position: Position): string | number {
  if (!HEXADECIMAL.test(position)) return position
  const number = Number.parseInt(position, 16)
  return number <= MAX_NUMBER ? number : position
}

export const decodePosition = (stored: string | number): Position =>
  typeof stored === 'number' ? stored.toString(16).padStart(DIGITS, '0') : stored
