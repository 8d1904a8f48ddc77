// The fields of a score on the wire: in the body of a submission, and in answers. `extra_data` is any JSON within
// limits, stored as canonical text.

import canonicalize from 'canonicalize'
import { z } from 'zod'
import { Refusal } from '../../domain/decider.ts'
import type { Json } from '../../domain/event.ts'
import type { ScoreContent } from '../../domain/score.ts'
import { count, decimal, decimalOut, fields, freeJson, id, idText, isoTime, name, nullAsLeftOut } from '../fields.ts'

export const newScore = fields({
  score: decimal.meta({ description: 'The score as a decimal string, so that no precision is lost.' }),
  // Omitted and null mean the same, also when the call is repeated.
  secondary_score: decimal
    .nullable()
    .default(null)
    .meta({ description: 'Decides between equal scores. Null: none, which ranks after all others.' }),
  extra_data: freeJson
    .default(null)
    .meta({ description: 'Any JSON of at most 8 KiB, shown with the entry. Null: none.' }),
  player_name: name
    .nullable()
    .default(null)
    .meta({ description: 'Shown with this entry instead of the player’s name. Null: the player’s name.' }),
  player: nullAsLeftOut(idText).meta({
    description: 'The player who gets the score. Default: the player of the token. Another needs `submit_for`.',
  }),
})

/** The content of a submission. Throws 422 `extra_data_too_large`. */
export const contentFrom = (body: z.infer<typeof newScore>): ScoreContent => ({
  score: body.score,
  secondary: body.secondary_score,
  extra: extraText(body.extra_data),
  playerName: body.player_name,
})

const EXTRA_MAX_BYTES = 8 * 1024
const EXTRA_MAX_LEVELS = 32

/** Canonical JSON (RFC 8785), or null for null. Throws 422 `extra_data_too_large`. */
function extraText(extra: unknown): string | null {
  if (extra === null) return null
  const text = canonicalize(extra) ?? 'null'
  if (Buffer.byteLength(text) <= EXTRA_MAX_BYTES && levelsOf(extra as Json) <= EXTRA_MAX_LEVELS) return text
  throw new Refusal(
    'unprocessable',
    'extra_data_too_large',
    `extra_data is too large. It may have at most ${EXTRA_MAX_BYTES} bytes as JSON and ${EXTRA_MAX_LEVELS} levels.`,
  )
}

function levelsOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Object.values(value).reduce((deepest: number, one: Json) => Math.max(deepest, levelsOf(one)), 0)
}

export const contentFields = {
  score: decimalOut,
  secondary_score: decimalOut.nullable(),
  extra_data: z.unknown(),
  player_name: z.string().nullable().meta({ description: 'The name sent with it; null: none.' }),
}

const scoreFields = {
  id,
  player: id,
  player_name: z.string().nullable(),
  score: decimalOut,
  secondary_score: decimalOut.nullable(),
  added: isoTime.describe('When the entry was new.'),
  updated: isoTime.describe(
    'The time of the submission that the entry shows; of a total, the last one that it counts.',
  ),
  extra_data: z.unknown().describe('JSON that was submitted with the score; null: none.'),
}
export const rankShape = z.int().positive().describe('1 is first.')

export const seasonNumber = z.int().positive().describe('The number of the season, from 1.')

export const scoreShape = fields(scoreFields).meta({ id: 'Score' })
export const rankedScoreShape = fields({ ...scoreFields, rank: rankShape }).meta({ id: 'RankedScore' })
export const submittedShape = fields({
  ...scoreFields,
  rank: rankShape
    .nullable()
    .describe(
      'Null only while no store can answer the rank, or if the player was banned or deleted meanwhile; the submission is recorded in any case.',
    ),
  improved: z.boolean().meta({
    description:
      'Whether the entry ranks better than before by its score, then its secondary score; true for the first one.',
  }),
  submitted: id.nullable().meta({
    description:
      'The id of the entry that this call created; null if it created none. Where each submission is an entry, the answer is the player’s ' +
      'best one, and this is the id of the submission’s own.',
  }),
  season: fields({
    season: seasonNumber,
    rank: rankShape.nullable().describe('The player’s rank in that season. Null as `rank`.'),
    improved: z.boolean().describe('Whether the player’s entry of that season ranks better than before.'),
  })
    .meta({ id: 'SubmittedInSeason' })
    .nullable()
    .optional()
    .meta({
      description:
        'The season that the submission joined; null: none was open. Only of a leaderboard that ever had seasons.',
    }),
}).meta({ id: 'SubmittedScore' })

const listedScoreShape = fields({
  ...rankedScoreShape.shape,
  final_rank: rankShape.nullable().optional().meta({
    description:
      'With `season`: the rank at the closing of the season. Null in an open one, and for an entry that was hidden at the closing.',
  }),
}).meta({ id: 'ListedScore' })

export const scoresShape = fields({
  leaderboard: id,
  count,
  offset: count,
  limit: count,
  next_offset: count.nullable(),
  season: seasonNumber.optional().meta({ description: 'With `season`: the number of that season.' }),
  scores: z.array(listedScoreShape),
  player_rank: rankShape
    .nullable()
    .optional()
    .meta({ description: 'With `around`: the rank of the player’s best entry.' }),
  player_score: id.nullable().optional().meta({ description: 'With `around`: the id of that entry.' }),
}).meta({ id: 'ScoreList' })
