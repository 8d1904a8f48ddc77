// The progress through the log, for people.

import type { Position } from '../../domain/event.ts'

/**
 * The approximate share of the log up to a position, from 0 to 1. Every kind of position begins with the hexadecimal
 * digits of a number that grows with the log.
 */
export function shareOf(position: Position, head: Position): number {
  const [done, all] = [Number.parseInt(position.slice(0, 16), 16), Number.parseInt(head.slice(0, 16), 16)]
  return all > 0 && done >= 0 ? Math.min(1, done / all) : 1
}
