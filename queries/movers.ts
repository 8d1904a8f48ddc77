// The players whose rank differs between two states of a board, ordered by how far they move.

import type { TimeSlices } from '../runtime/time-slices.ts'

/** The rank of a player's best entry before and after; null if they have none. */
export interface Mover {
  readonly player: string
  readonly before: number | null
  readonly after: number | null
}

/** Movers in order: an array, or packed ones. */
export interface MoverList {
  readonly length: number
  slice(from: number, to: number): readonly Mover[]
}

type Order = (a: Mover, b: Mover) => number

/** Movers sorted or merged between two looks at the clock. */
const RUN = 1_000

/**
 * The biggest move first; a player who enters or leaves counts as coming from or going to the rank after the last.
 * `size`: the number of entries of the larger state.
 */
export function byDistance(size: number): Order {
  const rankOf = (rank: number | null) => rank ?? size + 1
  const distance = ({ before, after }: Mover) => Math.abs(rankOf(before) - rankOf(after))
  const best = ({ before, after }: Mover) => Math.min(rankOf(before), rankOf(after))
  return (a, b) => distance(b) - distance(a) || best(a) - best(b) || (a.player < b.player ? -1 : 1)
}

/** Sorts in time slices. O(n log n). */
export async function sortedMovers(movers: readonly Mover[], order: Order, slices: TimeSlices): Promise<Mover[]> {
  let runs: Mover[][] = []
  for (let from = 0; from < movers.length; from += RUN) {
    runs.push(movers.slice(from, from + RUN).sort(order))
    await slices.yieldIfDue()
  }
  while (runs.length > 1) {
    const merged: Mover[][] = []
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], order, slices))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge(left: readonly Mover[], right: readonly Mover[], order: Order, slices: TimeSlices) {
  const merged: Mover[] = []
  for (let l = 0, r = 0; l < left.length || r < right.length; ) {
    const [a, b] = [left[l], right[r]]
    if (a !== undefined && (b === undefined || order(a, b) <= 0)) {
      merged.push(a)
      l++
    } else if (b !== undefined) {
      merged.push(b)
      r++
    }
    if (merged.length % RUN === 0) await slices.yieldIfDue()
  }
  return merged
}
