// The orders of score lists, and which part of a list surrounds a rank.

import type { Ranked } from './entry.ts'

export type Order = 'best' | 'worst' | 'newest' | 'oldest'

/**
 * The offset at which `limit` of `count` rows begin, so that the row with `before` rows before it is in the middle;
 * shifted, not shortened, at either end.
 */
export function centred(before: number, count: number, limit: number): number {
  return Math.max(0, Math.min(before - Math.floor(limit / 2), count - limit))
}

/** `ranked` comes best first. */
export function inOrder(ranked: readonly Ranked[], order: Order): Ranked[] {
  if (order === 'best') return [...ranked]
  if (order === 'worst') return ranked.toReversed()
  const later = order === 'newest' ? -1 : 1
  return ranked.toSorted((a, b) => {
    if (a.entry.updated === b.entry.updated) return a.rank - b.rank
    return a.entry.updated < b.entry.updated ? -later : later
  })
}
