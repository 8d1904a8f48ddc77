// Positions in EventStoreDB's log: a pair (commit, prepare) of unsigned 64-bit integers inside; outside, a text that
// compares by code unit as the pairs do.

import type { Position } from '../../domain/event.ts'

const POSITION = /^([0-9a-f]{16})(z|[0-9a-f]{16})$/
/** The number 0 in sixteen hexadecimal digits. */
export const ZERO = '0000000000000000'

/** A position in the server's format: decimal digits. */
interface LogPosition {
  readonly commit: string
  readonly prepare: string
}

/**
 * The text of a pair, each number as sixteen hexadecimal digits. An event's prepare is at most its commit. If both are
 * equal, as in all current records, prepare is written as `z`, which sorts after every digit and so keeps the order.
 */
export function positionOf(commit: string, prepare: string): Position {
  return commit === prepare ? `${commit}z` : commit + prepare
}

/** Sixteen hexadecimal digits of a number in two 32-bit halves. */
export function hexOf(high: number, low: number): string {
  const text = high === 0 ? low.toString(16) : high.toString(16) + low.toString(16).padStart(8, '0')
  return ZERO.slice(text.length) + text
}

/** Sixteen hexadecimal digits of a decimal number. */
export function hexOfDecimal(digits: string): string {
  return BigInt(digits).toString(16).padStart(16, '0')
}

/** Null for a text that is not a position of this log. */
export function parsePosition(position: Position): LogPosition | null {
  const [, commit, prepare] = POSITION.exec(position) ?? []
  if (commit === undefined || prepare === undefined) return null
  return { commit: decimal(commit), prepare: decimal(prepare === 'z' ? commit : prepare) }
}

/** Throws a TypeError for a text that is not a position of this log. */
export function requirePosition(position: Position): LogPosition {
  const at = parsePosition(position)
  if (at === null) throw new TypeError(`${JSON.stringify(position)} is not a position of this log`)
  return at
}

const decimal = (hex: string): string => BigInt(`0x${hex}`).toString()
