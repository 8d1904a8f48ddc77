// The orders that scores are listed in, and which part of a list is around a place.

import type { Ranked } from './entry.ts'

export type Order = 'best' | 'worst' | 'newest' | 'oldest'

/**
 * Where a list of `count` begins so that place `before` is in the middle of `limit`: shifted, not shortened, at an end.
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
