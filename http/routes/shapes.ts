// The records that answers hold, field by field, for the OpenAPI document and the tests.

import { z } from 'zod'
import { count, decimalOut, fields, id, isoTime, listOf } from '../fields.ts'

const signInShape = fields({
  guest: z.boolean(),
  password: z.boolean(),
  code: z.boolean(),
  ticket: z.boolean(),
})

/** Of a game whose rooms are on. */
export const roomSettingsShape = fields({
  require_player: z.boolean(),
  allow_search: z.boolean(),
  allow_create: z.boolean(),
  max_room_size: count,
  max_rooms: count,
  max_message_bytes: count,
  messages_per_second: count,
})

const realtimeShape = fields({ enabled: z.boolean(), ...roomSettingsShape.shape })

export const fixedRoomShape = fields({ id: z.string(), name: z.string(), max_members: count, listed: z.boolean() })

export const gameShape = fields({
  id,
  name: z.string(),
  created: isoTime,
  cors_origins: z.array(z.string()),
  sign_in: signInShape,
  realtime: realtimeShape,
  fixed_rooms: z.array(fixedRoomShape),
}).meta({ id: 'Game' })

const keyFields = {
  prefix: z.string(),
  name: z.string(),
  game: id.nullable(),
  kind: z.enum(['server', 'client']),
  algorithm: z.enum(['hmac-sha256', 'ed25519']),
  permissions: z.array(z.string()),
  created: isoTime,
  revoked: z.boolean(),
}

export const keyShape = fields(keyFields).meta({ id: 'Key' })

export const madeKeyShape = fields({
  ...keyFields,
  secret: z.string().optional().meta({ description: 'HMAC keys: the secret, shown this once.' }),
  private_key: z.string().optional().meta({ description: 'Ed25519 pairs made here: the seed, shown this once.' }),
}).meta({ id: 'MadeKey' })

export const leaderboardShape = fields({
  id,
  name: z.string(),
  description: z.string(),
  game: id,
  ordering: z.enum(['desc', 'asc']),
  secondary_ordering: z.enum(['desc', 'asc']),
  unique: z.boolean(),
  min_score: decimalOut.nullable(),
  max_score: decimalOut.nullable(),
  entries: count,
}).meta({ id: 'Leaderboard' })

export const ruleChangeShape = fields({ rebuild: id, leaderboard: leaderboardShape }).meta({ id: 'RuleChange' })

export const rebuildShape = fields({
  id,
  leaderboard: id,
  state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  done: count,
  total: count,
  per_second: count,
  eta_seconds: count.nullable(),
  started: isoTime,
  finished: isoTime.nullable(),
  error: z.string().nullable(),
}).meta({ id: 'Rebuild' })

const placeOf = count.nullable()
export const previewShape = fields({
  entries_before: count,
  entries_after: count,
  changed: count,
  top: z.array(fields({ player: id, player_name: z.string().nullable(), before: placeOf, after: placeOf })).max(20),
}).meta({ id: 'Preview' })

export const playerShape = fields({
  id,
  name: z.string().nullable(),
  created: isoTime,
  guest: z.boolean(),
  external_id: z.string().nullable(),
  banned: fields({ since: isoTime, until: isoTime.nullable(), reason: z.string().nullable() }).nullable(),
}).meta({ id: 'Player' })

export const ownPlayerShape = fields({ id, name: z.string().nullable(), created: isoTime, guest: z.boolean() }).meta({
  id: 'OwnPlayer',
})

const scoreFields = {
  id,
  player: id,
  player_name: z.string().nullable(),
  score: decimalOut,
  secondary_score: decimalOut.nullable(),
  added: isoTime,
  updated: isoTime,
  extra_data: z.unknown(),
}
const rank = z.int().positive()

export const scoreShape = fields(scoreFields).meta({ id: 'Score' })
const rankedScoreShape = fields({ ...scoreFields, rank }).meta({ id: 'RankedScore' })
export const submittedShape = fields({
  ...scoreFields,
  rank: rank
    .nullable()
    .describe(
      'Null only while no store can tell, or where the player was banned meanwhile; the submission is recorded all the same.',
    ),
  improved: z.boolean(),
  submitted: id.nullable(),
}).meta({ id: 'SubmittedScore' })

export const scoresShape = fields({
  leaderboard: id,
  count,
  offset: count,
  limit: count,
  next_offset: count.nullable(),
  scores: z.array(rankedScoreShape),
  player_rank: rank.nullable().optional(),
  player_score: id.nullable().optional(),
})

export const movementShape = fields({
  points: z.array(fields({ time: isoTime, rank: rank.nullable(), score: decimalOut.nullable() })),
})

export const challengeShape = fields({
  request_id: z.string(),
  nonce: z.string(),
  expires_at: isoTime,
  algorithm: z.enum(['hmac-sha256', 'ed25519']),
  message_format: z.string(),
  permissions_format: z.string(),
})

const tokenFields = {
  token: z.string(),
  expires_at: z.int().meta({ description: 'Unix seconds.' }),
  permissions: z.array(z.string()),
  declined: z.array(z.string()),
}
export const tokenShape = fields(tokenFields).meta({ id: 'Token' })
export const signedInShape = fields({
  ...tokenFields,
  refresh_token: z.string(),
  player: ownPlayerShape,
  guest_token: z.string().optional().meta({ description: 'Brings this guest back; shown this once.' }),
}).meta({ id: 'SignedIn' })

export const codeSentShape = fields({ expires_in: count.meta({ description: 'Seconds.' }) })
export const ticketShape = fields({
  ticket: z.string().meta({ description: 'Signs the player in, once; shown this once.' }),
  expires_in: count.meta({ description: 'Seconds.' }),
})

export const deletedShape = fields({ deleted: z.string() })
export const gamesShape = listOf('games', gameShape)
export const keysShape = listOf('keys', keyShape)
export const leaderboardsShape = listOf('leaderboards', leaderboardShape)
export const playersShape = listOf('players', playerShape)
