// The query of GET scores: what it may hold, what does not go together, and what it asks for.

import { z } from 'zod'
import { Refusal } from '../../domain/decider.ts'
import { compareDecimals, type Decimal } from '../../domain/decimal.ts'
import type { ScoresQuery } from '../../queries/scores/query.ts'
import { decimal, fields, givenOffset, idText, inOrder, limit, page, word } from '../fields.ts'
import { pastInstant, sinceInstant, type Until, untilInstant } from '../time-fields.ts'

/** A name of 64 characters has at most so many code units. */
const SEARCH_MAX_UNITS = 128

export const scoresQuery = fields({
  limit,
  offset: givenOffset,
  page,
  order: word(['best', 'worst', 'newest', 'oldest']).optional(),
  since: sinceInstant.optional(),
  until: untilInstant.optional(),
  window: word(['best']).optional(),
  player_name: z.string().min(1, 'must not be empty').max(SEARCH_MAX_UNITS).optional(),
  min_score: decimal.optional(),
  max_score: decimal.optional(),
  player: idText.optional(),
  around: idText.optional(),
  as_of: pastInstant.optional(),
})
  .superRefine(inOrder<'since', 'until', string, Until>('since', 'until', isReversed))
  .superRefine(inOrder('min_score', 'max_score', (least: Decimal, most: Decimal) => compareDecimals(least, most) > 0))

type ScoresQueryIn = z.output<typeof scoresQuery>

/** 400 `conflicting_parameters`. */
export function refuseConflicts(query: ScoresQueryIn): void {
  const notBest = query.order !== undefined && query.order !== 'best'
  if (query.around === undefined) return
  if (query.page === undefined && query.offset === undefined && query.player === undefined && !notBest) return
  const detail = '`around` places the page by itself: leave out page, offset, player, and any order but best.'
  throw new Refusal('malformed', 'conflicting_parameters', detail, {
    errors: [{ pointer: '/around', detail: 'does not go with page, offset, player, or an order other than best' }],
  })
}

export function askedOf(query: ScoresQueryIn): ScoresQuery {
  return {
    limit: query.limit,
    offset: query.page === undefined ? (query.offset ?? 0) : (query.page - 1) * query.limit,
    order: query.order ?? 'best',
    since: query.since ?? null,
    until: query.until?.before ?? null,
    bestInside: query.window === 'best',
    playerName: query.player_name ?? null,
    minScore: query.min_score ?? null,
    maxScore: query.max_score ?? null,
    player: query.player ?? null,
    around: query.around ?? null,
  }
}

/** The last day of a window must not lie before its beginning. */
export function isReversed(since: string, { before, wholeDay }: Until): boolean {
  return wholeDay ? since >= before : since > before
}
