// Positions in EventStoreDB's log: a pair (commit, prepare) of unsigned 64-bit integers inside; outside, a text that
// compares by code unit as the pairs do.

import type { Position } from '../../domain/event.ts'

const POSITION = /^([0-9a-f]{16})(z|[0-9a-f]{16})$/
/** The number 0 in sixteen hexadecimal digits. */
export const ZERO = '0000000000000000'

/** A place as the server takes it: decimal digits. */
interface Place {
  readonly commit: string
  readonly prepare: string
}

/**
 * The text of a pair, each number as its sixteen hexadecimal digits. An event's prepare is at most its commit, and
 * equal in all that is written today: that is said by one `z`, which comes after every digit and so keeps the order.
 */
export function positionOf(commit: string, prepare: string): Position {
  return commit === prepare ? `${commit}z` : commit + prepare
}

/** Sixteen hexadecimal digits of a number given in two halves of 32 bits. */
export function hexOf(high: number, low: number): string {
  const text = high === 0 ? low.toString(16) : high.toString(16) + low.toString(16).padStart(8, '0')
  return ZERO.slice(text.length) + text
}

/** Sixteen hexadecimal digits of a number given in decimal digits. */
export function hexOfDecimal(digits: string): string {
  return BigInt(digits).toString(16).padStart(16, '0')
}

/** Null for what is no position of this kind of log. */
export function placeOf(position: Position): Place | null {
  const [, commit, prepare] = POSITION.exec(position) ?? []
  if (commit === undefined || prepare === undefined) return null
  return { commit: decimal(commit), prepare: decimal(prepare === 'z' ? commit : prepare) }
}

/** Throws a TypeError for what is no position of this kind of log. */
export function requirePlace(position: Position): Place {
  const place = placeOf(position)
  if (place === null) throw new TypeError(`${JSON.stringify(position)} is no position of this log`)
  return place
}

const decimal = (hex: string): string => BigInt(`0x${hex}`).toString()
