// A player of a game, from creation through bans to deletion; and the claim that gives an external id to one player.

import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { confirmed, type Link, type LinkEvent, type Linked, linked } from './links.ts'
import { streamName } from './streams.ts'

export const playerStream = (player: string): string => streamName('player-', player)

/** `digest` is a keyed hash of the external id, so that the log does not contain the id. */
export const externalStream = (game: string, digest: string): string => streamName('external-', game, digest)

export interface PlayerCreatedData {
  /** Encrypted in the log; null once the player is deleted. */
  readonly name: string | null
  readonly guest: boolean
  /** Encrypted in the log. */
  readonly externalId: string | null
}

export interface PlayerBannedData {
  /** When a reaction ends the ban (ISO 8601, UTC, milliseconds); null: never. */
  readonly until: string | null
  /** Free text by the tenant. */
  readonly reason: string | null
}

export interface PlayerDeletedData {
  /** Digest of the player's external id, which names the claim's stream: the id itself is no longer readable. */
  readonly external: string | null
  /** Their logins and addresses, with the ids of their secrets. */
  readonly links: readonly Pick<Link, 'kind' | 'digest' | 'secret'>[]
}

export interface PlayerSignedOutData {
  /** Number of sign-outs including this one: every session started with a lower count is over. */
  readonly times: number
  /** Number of open sessions that it ended, which repeated calls answer too. Absent in older events. */
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
  /** When the player was first banned; changes of end and reason keep it. */
  readonly since: string
}

export interface Player extends PlayerCreatedData, Linked {
  readonly created: string
  /** Set until the event that ends the ban, even after `until` has passed. */
  readonly banned: Ban | null
  readonly deleted: boolean
  /** Number of sign-outs everywhere. A count and not a time: node clocks differ, and views lag. */
  readonly signOuts: number
}

/** The part of a player's state that decides whether they may act; contains no personal text. */
export function statusOf({ banned, deleted, signOuts }: Player) {
  return { banned: banned === null ? null : { until: banned.until, reason: banned.reason }, deleted, signOuts }
}

const NEW = { banned: null, deleted: false, links: [], takenOver: null, signOuts: 0 }

export const player: Aggregate<Player | null, PlayerEvent> = {
  name: 'player',
  initial: null,
  evolve(state, event, at) {
    if (event.type === 'PlayerCreated') return { ...event.data, created: at.time, ...NEW }
    if (state === null) return null
    switch (event.type) {
      case 'PlayerNamed':
        return { ...state, name: event.data.name }
      case 'PlayerBanned':
        return { ...state, banned: { since: state.banned?.since ?? at.time, ...event.data } }
      case 'PlayerUnbanned':
        return { ...state, banned: null }
      case 'PlayerDeleted':
        return { ...state, name: null, externalId: null, banned: null, deleted: true, links: [] }
      case 'PlayerSignedOut':
        return { ...state, signOuts: event.data.times }
      case 'PlayerLinked':
        return linked(state, event.data)
      case 'PlayerEmailConfirmed':
        return confirmed(state, event.data, at.time)
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

/** Bans a player, or changes a ban's end and reason. 422 `ban_end_passed` unless the end is after `nowMs` (Unix ms). */
export function banPlayer({ until, reason }: PlayerBannedData, nowMs: number): Decision<Player | null, PlayerEvent> {
  return (state) => {
    const { banned } = present(state)
    if (until !== null && Date.parse(until) <= nowMs) {
      throw new Refusal(
        'unprocessable',
        'ban_end_passed',
        'The end of the ban is in the past: send a time in the future.',
      )
    }
    const isSame = banned !== null && banned.until === until && banned.reason === reason
    return isSame ? [] : [{ type: 'PlayerBanned', data: { until, reason } }]
  }
}

export const unbanPlayer: Decision<Player | null, PlayerEvent> = (state) =>
  present(state).banned === null ? [] : [{ type: 'PlayerUnbanned', data: {} }]

/**
 * Ends every session started with `after` sign-outs or fewer; records nothing if they have ended. `sessions`: the
 * number of open ones.
 */
export function signOutPlayer(after: number, sessions: number): Decision<Player | null, PlayerEvent> {
  return (state) => {
    const { signOuts } = present(state)
    return signOuts > after ? [] : [{ type: 'PlayerSignedOut', data: { times: signOuts + 1, sessions } }]
  }
}

/** Ends a ban whose end has passed; records nothing if the ban was ended or changed since. */
export function endDueBan(nowMs: number): Decision<Player | null, PlayerEvent> {
  return (state) => {
    const until = state?.banned?.until ?? null
    return until === null || Date.parse(until) > nowMs ? [] : [{ type: 'PlayerUnbanned', data: {} }]
  }
}

/** `digestOf` computes the digest that names an external id's stream. */
export function deletePlayer(digestOf: (externalId: string) => string): Decision<Player | null, PlayerEvent> {
  return (state) => {
    const { externalId: id, links } = present(state)
    const claimed = links.map(({ kind, digest, secret }) => ({ kind, digest, secret }))
    return [{ type: 'PlayerDeleted', data: { external: id === null ? null : digestOf(id), links: claimed } }]
  }
}

/** 404 `player_not_found` for an unknown or deleted player. */
function present(state: Player | null): Player {
  if (state !== null && !state.deleted) return state
  throw new Refusal('not_found', 'player_not_found', 'There is no such player in this game.')
}

/** False once the ban's end has passed, even if the event that ends it is not recorded yet. */
export function isBanned<Banned extends PlayerBannedData>(ban: Banned | null, nowMs: number): ban is Banned {
  return ban !== null && (ban.until === null || Date.parse(ban.until) > nowMs)
}

/** 403 `player_banned`, with the ban's end and reason if it has them. */
export function bannedRefusal({ until, reason }: PlayerBannedData): Refusal {
  const fields = { ...(until === null ? {} : { until }), ...(reason === null ? {} : { reason }) }
  return new Refusal('forbidden', 'player_banned', 'This player is banned from the game.', fields)
}

export interface ExternalClaimedData {
  readonly player: string
  /** Data of the new player, so that any node can finish an interrupted creation. Encrypted in the log. */
  readonly name: string | null
  readonly externalId: string | null
}

export type ExternalEvent =
  | { readonly type: 'ExternalClaimed'; readonly data: ExternalClaimedData }
  | { readonly type: 'ExternalReleased'; readonly data: { readonly player: string } }

/** The claim on an external id of a game; null if it is free. */
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

/** 409 `external_id_taken` if another player has it. */
export function claimExternalId(data: ExternalClaimedData): Decision<ExternalClaimedData | null, ExternalEvent> {
  return (state) => {
    if (state === null) return [{ type: 'ExternalClaimed', data }]
    throw new Refusal('conflict', 'external_id_taken', 'A player of this game already has this external id.', {
      player: state.player,
    })
  }
}

/** Releases the claim of a deleted player; records nothing if another player has the id. */
export function releaseExternalId(holder: string): Decision<ExternalClaimedData | null, ExternalEvent> {
  return (state) => (state?.player === holder ? [{ type: 'ExternalReleased', data: { player: holder } }] : [])
}
