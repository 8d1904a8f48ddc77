// A player of a game: made, named, banned for a time or for good, deleted for ever; and the claim that makes an
// external id belong to one player only.

import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { confirmed, type Link, type LinkEvent, type Linked, linked } from './links.ts'
import { streamName } from './streams.ts'

export const playerStream = (player: string): string => streamName('player-', player)

/** `digest` is a keyed hash of the external id, so that the log does not show it. */
export const externalStream = (game: string, digest: string): string => streamName('external-', game, digest)

export interface PlayerCreatedData {
  /** Sealed in the log; null once the player is deleted. */
  readonly name: string | null
  readonly guest: boolean
  /** Sealed in the log. */
  readonly externalId: string | null
}

export interface PlayerBannedData {
  /** When a process ends it (ISO 8601, UTC, milliseconds); null: not by itself. */
  readonly until: string | null
  /** The tenant's own words, for people. */
  readonly reason: string | null
}

export interface PlayerDeletedData {
  /** Digest in the name of the stream where the player's external id is claimed, so that it can be released unread. */
  readonly external: string | null
  /** Likewise their logins and addresses, with what the vault keeps for them. */
  readonly links: readonly Pick<Link, 'kind' | 'digest' | 'secret'>[]
}

export interface PlayerSignedOutData {
  /** How often that was, with this time: every session that began after fewer is over. */
  readonly times: number
  /**
   * How many were open that it ended: what the call is answered, however often. Absent from
   * those before this was counted.
   */
  readonly sessions?: number
}

export type PlayerEvent =
  | { readonly type: 'PlayerCreated'; readonly data: PlayerCreatedData }
  | { readonly type: 'PlayerNamed'; readonly data: { readonly name: string | null } }
  | { readonly type: 'PlayerBanned'; readonly data: PlayerBannedData }
  | { readonly type: 'PlayerUnbanned'; readonly data: Readonly<Record<string, never>> }
  | { readonly type: 'PlayerDeleted'; readonly data: PlayerDeletedData }
  | { readonly type: 'PlayerSignedOut'; readonly data: PlayerSignedOutData }
  | LinkEvent

interface Ban extends PlayerBannedData {
  /** When the player was banned, however often its end and reason were changed since. */
  readonly since: string
}

export interface Player extends PlayerCreatedData, Linked {
  readonly created: string
  /** Stands until the event that ends it, also where its end has passed. */
  readonly banned: Ban | null
  readonly deleted: boolean
  /** How often they were signed out everywhere. A count, as clocks of nodes differ and the views lag. */
  readonly signOuts: number
}

/** What of a player's state decides whether they may act: nothing that they wrote. */
export function statusOf({ banned, deleted, signOuts }: Player) {
  return { banned: banned === null ? null : { until: banned.until, reason: banned.reason }, deleted, signOuts }
}

const NEW = { banned: null, deleted: false, links: [], takenOver: null, signOuts: 0 }

export const player: Aggregate<Player | null, PlayerEvent> = {
  name: 'player',
  initial: null,
  evolve(state, event, moment) {
    if (event.type === 'PlayerCreated') return { ...event.data, created: moment.time, ...NEW }
    if (state === null) return null
    switch (event.type) {
      case 'PlayerNamed':
        return { ...state, name: event.data.name }
      case 'PlayerBanned':
        return { ...state, banned: { since: state.banned?.since ?? moment.time, ...event.data } }
      case 'PlayerUnbanned':
        return { ...state, banned: null }
      case 'PlayerDeleted':
        return { ...state, name: null, externalId: null, banned: null, deleted: true, links: [] }
      case 'PlayerSignedOut':
        return { ...state, signOuts: event.data.times }
      case 'PlayerLinked':
        return linked(state, event.data)
      case 'PlayerEmailConfirmed':
        return confirmed(state, event.data, moment.time)
      default:
        return state
    }
  },
}

export function createPlayer(data: PlayerCreatedData): Decision<Player | null, PlayerEvent> {
  return (state) => (state === null ? [{ type: 'PlayerCreated', data }] : [])
}

export function namePlayer(name: string): Decision<Player | null, PlayerEvent> {
  return (state) => {
    return present(state).name === name ? [] : [{ type: 'PlayerNamed', data: { name } }]
  }
}

/**
 * Bans, or gives a ban another end and reason. 422 `ban_end_passed` for an end that is not
 * after `nowMs` (Unix milliseconds).
 */
export function banPlayer({ until, reason }: PlayerBannedData, nowMs: number): Decision<Player | null, PlayerEvent> {
  return (state) => {
    const { banned } = present(state)
    if (until !== null && Date.parse(until) <= nowMs) {
      throw new Refusal(
        'unprocessable',
        'ban_end_passed',
        'The ban would be over already: give an end that is to come.',
      )
    }
    const isSame = banned !== null && banned.until === until && banned.reason === reason
    return isSame ? [] : [{ type: 'PlayerBanned', data: { until, reason } }]
  }
}

export const unbanPlayer: Decision<Player | null, PlayerEvent> = (state) =>
  present(state).banned === null ? [] : [{ type: 'PlayerUnbanned', data: {} }]

/**
 * Ends every session that began after as many sign-outs or fewer; nothing if they are ended
 * already. `sessions`: how many of them are known to be open.
 */
export function signOutPlayer(after: number, sessions: number): Decision<Player | null, PlayerEvent> {
  return (state) => {
    const { signOuts } = present(state)
    return signOuts > after ? [] : [{ type: 'PlayerSignedOut', data: { times: signOuts + 1, sessions } }]
  }
}

/** Ends a ban whose end has come; nothing follows where it was ended, moved or made endless meanwhile. */
export function endDueBan(nowMs: number): Decision<Player | null, PlayerEvent> {
  return (state) => {
    const until = state?.banned?.until ?? null
    return until === null || Date.parse(until) > nowMs ? [] : [{ type: 'PlayerUnbanned', data: {} }]
  }
}

/** `digestOf` gives the digest that names an external id's stream. */
export function deletePlayer(digestOf: (externalId: string) => string): Decision<Player | null, PlayerEvent> {
  return (state) => {
    const { externalId: id, links } = present(state)
    const claimed = links.map(({ kind, digest, secret }) => ({ kind, digest, secret }))
    return [{ type: 'PlayerDeleted', data: { external: id === null ? null : digestOf(id), links: claimed } }]
  }
}

/** 404 `player_not_found` for one who is not there, or no more. */
function present(state: Player | null): Player {
  if (state !== null && !state.deleted) return state
  throw new Refusal('not_found', 'player_not_found', 'There is no such player in this game.')
}

/** A ban that is over by its own end counts no more, though the event that ends it is yet to come. */
export function isBanned<Banned extends PlayerBannedData>(ban: Banned | null, nowMs: number): ban is Banned {
  return ban !== null && (ban.until === null || Date.parse(ban.until) > nowMs)
}

/** What a banned player is refused with: 403 `player_banned`, with the ban's end and reason where it has them. */
export function bannedRefusal({ until, reason }: PlayerBannedData): Refusal {
  const fields = { ...(until === null ? {} : { until }), ...(reason === null ? {} : { reason }) }
  return new Refusal('forbidden', 'player_banned', 'This player is banned from the game.', fields)
}

export interface ExternalClaimedData {
  readonly player: string
  /** What the player is made from, so that any node can finish an interrupted registration. Encrypted in the log. */
  readonly name: string | null
  readonly externalId: string | null
}

export type ExternalEvent =
  | { readonly type: 'ExternalClaimed'; readonly data: ExternalClaimedData }
  | { readonly type: 'ExternalReleased'; readonly data: { readonly player: string } }

/** Who holds an external id of a game; null while nobody does. */
export const externalId: Aggregate<ExternalClaimedData | null, ExternalEvent> = {
  name: 'external',
  initial: null,
  evolve(state, event) {
    switch (event.type) {
      case 'ExternalClaimed':
        return event.data
      case 'ExternalReleased':
        return null
      default:
        return state
    }
  },
}

/** 409 `external_id_taken` where another player has it. */
export function claimExternalId(data: ExternalClaimedData): Decision<ExternalClaimedData | null, ExternalEvent> {
  return (state) => {
    if (state === null) return [{ type: 'ExternalClaimed', data }]
    throw new Refusal('conflict', 'external_id_taken', 'A player of this game already has this external id.', {
      player: state.player,
    })
  }
}

/** Gives up what a deleted player held; nothing follows where another has it by now. */
export function releaseExternalId(holder: string): Decision<ExternalClaimedData | null, ExternalEvent> {
  return (state) => (state?.player === holder ? [{ type: 'ExternalReleased', data: { player: holder } }] : [])
}
