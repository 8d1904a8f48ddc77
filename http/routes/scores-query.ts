// The query parameters of GET scores, their conflicts, and their conversion to a query.

import { z } from 'zod'
import { Refusal } from '../../domain/decider.ts'
import { compareDecimals, type Decimal } from '../../domain/decimal.ts'
import type { ScoresQuery } from '../../queries/scores/query.ts'
import {
  decimal,
  fields,
  givenOffset,
  idText,
  inOrder,
  limit,
  page,
  pastInstant,
  sinceInstant,
  type Until,
  untilInstant,
  wantedSeason,
  word,
} from '../fields.ts'

/** Maximum code units of a name with 64 characters. */
const SEARCH_MAX_UNITS = 128

export const scoresQuery = fields({
  limit,
  offset: givenOffset,
  page,
  order: word(['best', 'worst', 'newest', 'oldest'])
    .optional()
    .meta({ description: 'The order of the page. Default: best.' }),
  since: sinceInstant.optional(),
  until: untilInstant.optional(),
  window: word(['best'])
    .optional()
    .meta({
      description:
        'On a unique leaderboard with `since` or `until`: ranks what each player’s submissions inside the window show (the best one, the ' +
        'latest one or their total, by `keep`), not their entry.',
    }),
  player_name: z
    .string()
    .min(1, 'must not be empty')
    .max(SEARCH_MAX_UNITS)
    .optional()
    .meta({ description: 'Only entries of players whose name contains this text, in any case.' }),
  min_score: decimal.optional().meta({ description: 'Only entries with at least this score, as a decimal.' }),
  max_score: decimal.optional().meta({ description: 'Only entries with at most this score, as a decimal.' }),
  player: idText.optional().meta({ description: 'Only the entries of this player, by id.' }),
  around: idText.optional().meta({ description: 'The id of a player: a page with their best entry in the middle.' }),
  as_of: pastInstant.optional(),
  season: wantedSeason.optional(),
})
  .superRefine(inOrder<'since', 'until', string, Until>('since', 'until', isReversed))
  .superRefine(inOrder('min_score', 'max_score', (min: Decimal, max: Decimal) => compareDecimals(min, max) > 0))

/** The parameters that choose an interval of their own. */
const INTERVALS = ['since', 'until', 'window', 'as_of'] as const

type ScoresQueryIn = z.output<typeof scoresQuery>

/** 400 `conflicting_parameters`. */
export function refuseConflicts(query: ScoresQueryIn): void {
  const given = INTERVALS.filter((name) => query[name] !== undefined)
  if (query.season !== undefined && given.length > 0) {
    const detail = '`season` chooses the interval itself. Leave out since, until, window and as_of.'
    throw new Refusal('malformed', 'conflicting_parameters', detail, {
      errors: [{ pointer: '/season', detail: `cannot be combined with ${given.join(', ')}` }],
    })
  }
  const notBest = query.order !== undefined && query.order !== 'best'
  if (query.around === undefined) return
  if (query.page === undefined && query.offset === undefined && query.player === undefined && !notBest) return
  const detail = '`around` chooses the page itself. Leave out page, offset, player, and any order other than best.'
  throw new Refusal('malformed', 'conflicting_parameters', detail, {
    errors: [
      { pointer: '/around', detail: 'cannot be combined with page, offset, player, or an order other than best' },
    ],
  })
}

export function queryOf(query: ScoresQueryIn): ScoresQuery {
  return {
    limit: query.limit,
    offset: query.page === undefined ? (query.offset ?? 0) : (query.page - 1) * query.limit,
    order: query.order ?? 'best',
    since: query.since ?? null,
    until: query.until?.before ?? null,
    shownInside: query.window === 'best',
    playerName: query.player_name ?? null,
    minScore: query.min_score ?? null,
    maxScore: query.max_score ?? null,
    player: query.player ?? null,
    around: query.around ?? null,
  }
}

/** Whether `until` is before `since`; a whole day includes its last instant. */
export function isReversed(since: string, { before, wholeDay }: Until): boolean {
  return wholeDay ? since >= before : since > before
}
