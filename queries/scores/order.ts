// The orders of score lists.

import type { Ranked } from './entry.ts'

export type Order = 'best' | 'worst' | 'newest' | 'oldest'

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
