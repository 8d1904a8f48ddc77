// The published JSON Schema of each event type, for readers of the history. A schema describes one line of GET events.

import { z } from 'zod'
import type { AnyEvent } from '../../domain/event-types.ts'
import { BUCKET_EVENTS, FILE_EVENTS, FOLDER_EVENTS, QUOTA_EVENTS, UPLOAD_EVENTS } from './files.ts'
import { DELETED_GAME_EVENTS, GAME_EVENTS, KEY_EVENTS, OPERATOR_KEY_EVENTS, SLOT_EVENTS } from './games.ts'
import { BOARD_KEY_EVENTS, LEADERBOARD_EVENTS, SCORE_EVENTS } from './leaderboards.ts'
import { EXTERNAL_EVENTS, LOGIN_EVENTS, PLAYER_EVENTS, SESSION_EVENTS } from './players.ts'
import { type EventSchema, noData } from './schema.ts'

const ALL: Readonly<Record<AnyEvent['type'], EventSchema>> = {
  ...BOARD_KEY_EVENTS,
  ...BUCKET_EVENTS,
  ...DELETED_GAME_EVENTS,
  ...EXTERNAL_EVENTS,
  ...FILE_EVENTS,
  ...FOLDER_EVENTS,
  ...GAME_EVENTS,
  ...KEY_EVENTS,
  ...LEADERBOARD_EVENTS,
  ...LOGIN_EVENTS,
  ...OPERATOR_KEY_EVENTS,
  ...PLAYER_EVENTS,
  ...QUOTA_EVENTS,
  ...SCORE_EVENTS,
  ...SESSION_EVENTS,
  ...SLOT_EVENTS,
  ...UPLOAD_EVENTS,
  CallAnswered: noData('A call with an Idempotency-Key changed nothing.'),
}

/** By type, sorted. */
export const EVENT_SCHEMAS: ReadonlyMap<string, EventSchema> = new Map(
  Object.entries(ALL).sort(([a], [b]) => (a < b ? -1 : 1)),
)

/** The version of every event format: `v` in its metadata. */
export const EVENT_VERSION = 1

export const schemaPath = (type: string): string => `/api/schemas/events/${type}.json`

const id = (what: string) => z.string().meta({ description: `The id of ${what}.` })

const meta = z.strictObject({
  v: z.literal(EVENT_VERSION).meta({ description: 'The version of the format of this event type.' }),
  game: z.string().nullable().meta({ description: 'The id of the game; null: the installation.' }),
  board: id('the leaderboard').optional(),
  player: id('the player').optional(),
  command: id('the command that recorded it'),
  call: z.string().meta({ description: 'Hash of a call with an Idempotency-Key.' }).optional(),
  actor: z.string().nullable().meta({ description: 'The prefix of the API key; null: the service itself.' }),
  request: z.string().nullable().meta({ description: 'The X-Request-Id of the call; null: the service itself.' }),
  time: z.string().meta({ description: 'When it was decided.', format: 'date-time' }),
})

/** An event of this type as the history answers it, without unknown fields. */
export function eventLineOf(type: string, { data }: EventSchema) {
  return z.strictObject({
    position: z.string().meta({ description: 'Position in the log: opaque, ordered as text.' }),
    stream: z.string().meta({ description: 'The stream, such as `player-…`.' }),
    revision: z.int().nonnegative().meta({ description: 'Position in its stream, from 0.' }),
    id: id('the event'),
    type: z.literal(type),
    time: z.string().meta({ description: 'When it was decided: ISO 8601, UTC, milliseconds.', format: 'date-time' }),
    data,
    meta,
  })
}

/**
 * The published schema. It allows unknown fields, since later versions of the service may add some. `baseUrl`: where
 * the API is served.
 */
export function publishedSchema(type: string, schema: EventSchema, baseUrl: string): object {
  const { $schema, ...own } = z.toJSONSchema(eventLineOf(type, schema), { reused: 'inline' })
  return {
    $schema,
    $id: baseUrl.replace(/\/$/, '') + schemaPath(type),
    title: type,
    description: schema.about,
    'x-version': EVENT_VERSION,
    ...(withUnknownFields(own) as object),
  }
}

function withUnknownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownFields)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name, member]) => name !== 'additionalProperties' || member !== false)
  return Object.fromEntries(members.map(([name, member]) => [name, withUnknownFields(member)]))
}
