// Schemas of all room events, for both directions. The AsyncAPI document is generated from them, and no other event is
// sent or accepted.

import { z } from 'zod'
import { ID_GRAMMAR, ID_MAX_CHARACTERS, isIdText } from '../domain/id-text.ts'
import { composedName, NAME_MAX_CHARACTERS, nameFault } from '../domain/name.ts'
import {
  BOARD_TOP_DEFAULT,
  BOARD_TOP_MAX,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  LIST_OFFSET_MAX,
  ROOM_SIZE_MAX,
} from './limits.ts'

const idText = z
  .string('must be an id, which is text')
  .min(1, 'must not be empty')
  .max(ID_MAX_CHARACTERS, 'is too long')
  .regex(ID_GRAMMAR, 'must be an id: only letters, digits, _ and -')
/** Every key has the form of an id. */
const idOrKey = idText.describe('The id of a leaderboard, or its key.')
const whole = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`
  return z.int(message).min(least, message).max(most, message)
}

const roomName = z.string('must be text').transform((text, context) => {
  const composed = composedName(text)
  const fault = nameFault(composed)
  if (fault === null) return composed
  context.addIssue(fault)
  return z.NEVER
})

const roomShape = z.strictObject({
  id: z.string(),
  name: z.string(),
  members: z.int(),
  max_members: z.int(),
  fixed: z.boolean(),
})
const playerShape = z.strictObject({ id: z.string(), name: z.string() }).nullable()
const memberShape = z.strictObject({ member: z.string(), player: playerShape })
const messageShape = z.strictObject({
  room: z.string(),
  from: z.string().describe('The sender’s member id.'),
  data: z.unknown(),
  seq: z.int().nullable().describe('Rises by one per message of the room; null for a direct message.'),
  sent_at: z.string().describe('ISO 8601, UTC.'),
})
const scoreShape = z.strictObject({
  id: z.string(),
  player: z.string(),
  player_name: z.string().nullable(),
  score: z.string(),
  secondary_score: z.string().nullable(),
  added: z.string(),
  updated: z.string(),
  extra_data: z.unknown(),
  rank: z.int(),
})
const watchedSeason = z.int().optional().describe('The season of the scores; only if a season is watched.')

export const CLIENT_EVENTS = {
  rooms: z.strictObject({
    search: z.string('must be text').max(NAME_MAX_CHARACTERS, 'must be at most 64 characters').optional(),
    limit: whole(1, LIST_LIMIT_MAX).default(LIST_LIMIT_DEFAULT),
    offset: whole(0, LIST_OFFSET_MAX).default(0),
  }),
  create: z.strictObject({
    name: roomName,
    max_members: whole(1, ROOM_SIZE_MAX).optional(),
    listed: z.boolean('must be true or false').default(true),
  }),
  join: z.strictObject({ room: idText, since: whole(0, Number.MAX_SAFE_INTEGER).optional() }),
  leave: z.strictObject({ room: idText }),
  listen: z.strictObject({ room: idText }),
  send: z.strictObject({ room: idText, data: z.unknown(), to: idText.optional() }),
  watch: z.strictObject({
    leaderboard: idOrKey,
    top: whole(1, BOARD_TOP_MAX).default(BOARD_TOP_DEFAULT),
    season: z
      .literal('current', 'must be "current"')
      .describe('Follows the current season, and the next one when it ends.')
      .optional(),
  }),
  unwatch: z.strictObject({ leaderboard: idOrKey }),
} as const

/**
 * Fast path for `send`: true if the schema would accept the body unchanged. If false, use the schema, which gives the
 * error. Most events are `send`, and parsing them by schema costs more than all other work on them.
 */
export function isPlainlySent(body: unknown): body is Sent<'send'> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false
  for (const name of Object.keys(body)) if (name !== 'room' && name !== 'data' && name !== 'to') return false
  const { room, to, data } = body as { readonly room?: unknown; readonly to?: unknown; readonly data?: unknown }
  return isId(room) && (to === undefined || isId(to)) && data !== undefined
}

const isId = (text: unknown): boolean => typeof text === 'string' && isIdText(text)

export const SERVER_EVENTS = {
  rooms: z.strictObject({ rooms: z.array(roomShape), count: z.int() }),
  joined: z.strictObject({
    room: roomShape,
    members: z.array(memberShape),
    member: z.string().describe('One’s own id in this room.'),
    seq: z.int().describe('The last one used.'),
    missed: z.array(messageShape).nullable(),
  }),
  listening: z.strictObject({
    room: z.string(),
    members: z.array(memberShape),
    seq: z.int().describe('The last one used.'),
  }),
  left: z.strictObject({ room: z.string() }),
  member_joined: z.strictObject({ room: z.string(), member: z.string(), player: playerShape }),
  member_left: z.strictObject({ room: z.string(), member: z.string(), reason: z.string() }),
  message: messageShape,
  refused: z.strictObject({ event: z.string(), code: z.string(), detail: z.string() }),
  board: z.strictObject({
    leaderboard: z.string(),
    season: watchedSeason,
    scores: z.array(scoreShape),
    seq: z.int(),
  }),
  board_changed: z.strictObject({
    leaderboard: z.string(),
    season: watchedSeason,
    changes: z.array(z.strictObject({ rank: z.int(), score: scoreShape.nullable() })),
    seq: z.int(),
  }),
  unwatched: z.strictObject({ leaderboard: z.string() }),
  closing: z.strictObject({ code: z.string(), detail: z.string() }).describe('The connection is about to be cut.'),
} as const

export type ClientEvent = keyof typeof CLIENT_EVENTS
export type ServerEvent = keyof typeof SERVER_EVENTS
export type Sent<Event extends ClientEvent> = z.output<(typeof CLIENT_EVENTS)[Event]>
export type ServerEventBody<Event extends ServerEvent> = z.output<(typeof SERVER_EVENTS)[Event]>

export const REFUSALS = [
  'malformed',
  'unknown_event',
  'search_off',
  'create_off',
  'room_not_found',
  'room_full',
  'too_many_rooms',
  'already_in_room',
  'not_in_room',
  'member_not_found',
  'message_too_large',
  'too_fast',
  'permission_needed',
  'listen_only',
  'too_many_listeners',
  'leaderboard_not_found',
  'no_seasons',
  'unavailable',
] as const
export type RefusalCode = (typeof REFUSALS)[number]

/** A rejected client event. The client receives it as `refused`; the connection stays open. */
export class RoomRefusal extends Error {
  readonly code: RefusalCode
  constructor(code: RefusalCode, detail: string) {
    super(detail)
    this.name = 'RoomRefusal'
    this.code = code
  }
}

export type CutReason =
  | 'slow_consumer'
  | 'too_fast'
  | 'revoked'
  | 'unavailable'
  | 'rooms_off'
  | 'rooms_lost'
  | 'closing'
