// The parameters of a score list, and a page of it.

import type { Decimal } from '../../domain/decimal.ts'
import type { Ranked } from './entry.ts'

export interface ScoresQuery {
  readonly limit: number
  readonly offset: number
  readonly order: Order
  /** Half-open window `[since, until)` on the time an entry was set; ISO 8601, UTC, milliseconds. */
  readonly since: string | null
  readonly until: string | null
  /** `window=best`: ranks what each player's submissions inside the window show, instead of entries set inside it. */
  readonly shownInside: boolean
  readonly playerName: string | null
  readonly minScore: Decimal | null
  readonly maxScore: Decimal | null
  readonly player: string | null
  readonly around: string | null
}

export interface ScoresPage {
  readonly rows: readonly Ranked[]
  readonly count: number
  readonly offset: number
  /** Only with `around`: the player's best entry, or null if they have none. */
  readonly own?: Ranked | null
  /** Only of a season: the ranks of the rows at its closing; null as in `finalRanks` (queries/closed-season/). */
  readonly finalRanks?: readonly (number | null)[]
}

// The orders of score lists.

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
