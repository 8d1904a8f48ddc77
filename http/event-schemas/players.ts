// Events of players: who they are, how they sign in, and their sessions.

import { z } from 'zod'
import type { LoginEvent } from '../../domain/login.ts'
import type { ExternalEvent, PlayerEvent } from '../../domain/player.ts'
import type { SessionEvent } from '../../domain/session.ts'
import { count } from '../fields.ts'
import { eventSchema, idOf, maybeText, noData, permissions, personal, schemasOf, text, time } from './schema.ts'

const kind = z.enum(['login', 'email'])
const digest = text('Keyed hash of the login or address.')
const secret = idOf('its secrets in the vault')
const player = idOf('the player')
const name = personal('The name.')
const externalId = personal('The tenant’s own id of the player.')

export const PLAYER_EVENTS = schemasOf<PlayerEvent>()({
  PlayerCreated: eventSchema('A player was created.', {
    name,
    guest: z.boolean().meta({ description: 'Whether they signed in as a guest.' }),
    externalId,
  }),
  PlayerNamed: eventSchema('A player got another name.', { name }),
  PlayerBanned: eventSchema('A player was banned, or the end and the reason of a ban changed.', {
    until: time('When the ban ends; null: only by an unban.').nullable(),
    reason: maybeText('The tenant’s own text.'),
  }),
  PlayerUnbanned: noData('The ban of a player ended.'),
  PlayerSignedOut: eventSchema('All sessions of a player were ended.', {
    times: count.meta({ description: 'How often that has happened, including this time.' }),
    sessions: count
      .meta({ description: 'How many sessions it ended. Older events have no such field.' })
      .exactOptional(),
  }),
  PlayerDeleted: eventSchema('A player was deleted; their texts are unreadable from now on.', {
    external: maybeText('Keyed hash of their external id; null: none.'),
    links: z.array(z.strictObject({ kind, digest, secret })),
  }),
  PlayerLinked: eventSchema('A player got a login or an e-mail address.', {
    kind,
    digest,
    secret,
    confirmed: z.boolean().meta({ description: 'False for an address until a mailed code confirms it.' }),
  }),
  PlayerEmailConfirmed: eventSchema('A mailed code confirmed the address of a player.', {
    digest,
    takesOver: z.boolean().meta({ description: 'Whether it ended earlier sign-in methods and sessions.' }),
    login: z.strictObject({ digest, secret }).nullable().meta({ description: 'The login that became invalid.' }),
    session: idOf('the session that the code began'),
  }),
})

export const EXTERNAL_EVENTS = schemasOf<ExternalEvent>()({
  ExternalClaimed: eventSchema('An external id began to belong to a player.', { player, name, externalId }),
  ExternalReleased: eventSchema('The external id of a deleted player is free again.', { player }),
})

export const LOGIN_EVENTS = schemasOf<LoginEvent>()({
  LoginBegun: eventSchema('Somebody began to claim a login or address.', { secret }),
  LoginClaimed: eventSchema('A login or address began to belong to a player.', {
    kind,
    player,
    secret,
    makes: z.boolean().meta({ description: 'Whether the claim creates the player.' }),
    name: personal('The name of the created player, or a new name.'),
    email: maybeText('Of a login: keyed hash of the address that came with it.'),
  }),
  LoginReleased: eventSchema('A login or address is free again.', { player }),
  LoginContested: eventSchema('Somebody tried to claim the address of another player.', { player }),
})

export const SESSION_EVENTS = schemasOf<SessionEvent>()({
  SessionStarted: eventSchema('A player signed in.', {
    player,
    key: text('The prefix of the API key of the call.'),
    permissions,
    expires: time('When the session ends at the latest.'),
    signOuts: count
      .meta({ description: 'How often the player had been signed out everywhere. Older events have no such field.' })
      .exactOptional(),
  }),
  SessionEnded: noData('A session ended.'),
})
