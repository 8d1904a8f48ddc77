// Events of games, their keys, and their numbers of leaderboards, keys and buckets.

import { z } from 'zod'
import type { DeletedGamesEvent, GameSecretsListed } from '../../domain/deleted-games.ts'
import type { GameEvent } from '../../domain/game.ts'
import type { KeyEvent } from '../../domain/key.ts'
import type { OperatorKeyEvent } from '../../domain/operator-keys.ts'
import type { SlotEvent } from '../../domain/slots.ts'
import { count } from '../fields.ts'
import { bytes, eventSchema, idOf, maybeIdOf, maybeText, noData, permissions, schemasOf, text } from './schema.ts'

const name = text('The name of the game.')

const realtime = z.strictObject({
  enabled: z.boolean(),
  require_player: z.boolean(),
  allow_search: z.boolean(),
  allow_create: z.boolean(),
  max_room_size: count,
  max_rooms: count,
  max_message_bytes: count,
  messages_per_second: count,
})
const signIn = z.strictObject({ guest: z.boolean(), password: z.boolean(), code: z.boolean(), ticket: z.boolean() })
const fixedRoom = z.strictObject({ id: z.string(), name: z.string(), max_members: count, listed: z.boolean() })

export const GAME_EVENTS = schemasOf<GameEvent>()({
  GameCreated: eventSchema('The operator created the game.', { name }),
  GameRenamed: eventSchema('The game got another name.', { name }),
  GameConfigured: eventSchema('The settings of the game changed; all of them are here.', {
    corsOrigins: z.array(z.string()).meta({ description: 'Web origins that may call.' }),
    signIn,
    realtime,
  }),
  FixedRoomsSet: eventSchema('The fixed rooms of the game changed; all of them are here.', {
    rooms: z.array(fixedRoom),
  }),
  GameLimitsSet: eventSchema('The operator set limits of the game; those that changed are here.', {
    recordedBytesPerDay: count.nullable().meta({ description: 'Null: no limit.' }).exactOptional(),
    mailsPerQuarterHour: count.exactOptional(),
  }),
  GameDeleted: noData('The operator deleted the game.'),
  GameErasureBegun: noData('The removal of the deleted game’s events has begun; this is its last event.'),
})

const secretIds = z.array(z.string()).exactOptional()

export const DELETED_GAME_EVENTS = schemasOf<DeletedGamesEvent | GameSecretsListed>()({
  GameDeletionListed: eventSchema('A deleted game was added to the list of deleted games.', { game: idOf('the game') }),
  GameErased: eventSchema('All data of a deleted game is removed.', {
    game: idOf('the game'),
    events: count.meta({ description: 'How many events it had.' }),
  }),
  GameSecretsListed: eventSchema('Kinds and ids of the secrets that a deleted game had.', {
    secrets: z.strictObject({
      'key-secret': secretIds,
      'refresh-token': secretIds,
      'guest-token': secretIds,
      password: secretIds,
      login: secretIds,
      email: secretIds,
      'player-key': secretIds,
    }),
  }),
})

export const KEY_EVENTS = schemasOf<KeyEvent>()({
  KeyIssued: eventSchema('An API key was issued.', {
    game: maybeIdOf('the game', 'the operator’s key'),
    name: text('What the tenant calls the key.'),
    kind: z.enum(['server', 'client']),
    algorithm: z.enum(['hmac-sha256', 'ed25519']),
    permissions,
    publicKey: maybeText('Of an Ed25519 key: 32 bytes in base64url.'),
  }),
  KeyPermissionsChanged: eventSchema('A key got other permissions; all of them are here.', { permissions }),
  KeyRevoked: noData('A key was revoked.'),
})

export const OPERATOR_KEY_EVENTS = schemasOf<OperatorKeyEvent>()({
  OperatorKeyRevocationListed: eventSchema('It was decided to revoke an operator key; KeyRevoked follows.', {
    key: text('The prefix of the key.'),
  }),
})

const kind = z.enum(['leaderboards', 'keys', 'buckets'])
const id = idOf('the leaderboard, key or bucket')

export const SLOT_EVENTS = schemasOf<SlotEvent>()({
  SlotsCounted: eventSchema('How many a game had before they were counted.', { kind, count: bytes('The number.') }),
  SlotTaken: eventSchema('A leaderboard, key or bucket began to count against the game’s limit.', { kind, id }),
  SlotReleased: eventSchema('A leaderboard, key or bucket no longer counts against the game’s limit.', { kind, id }),
})
