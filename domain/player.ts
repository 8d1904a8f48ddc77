// A player of a game, and the claim that makes an external id belong to one player only.

import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { confirmed, type Link, type LinkEvent, linked } from './links.ts'

export const playerStream = (player: string): string => `player-${player}`

/** `digest` is a keyed hash of the external id, so that the log does not show it. */
export const externalStream = (game: string, digest: string): string => `external-${game}.${digest}`

export interface PlayerCreatedData {
  /** Sealed in the log; null once the player is deleted. */
  readonly name: string | null
  readonly guest: boolean
  /** Sealed in the log. */
  readonly externalId: string | null
}

export type PlayerEvent =
  | { readonly type: 'PlayerCreated'; readonly data: PlayerCreatedData }
  | { readonly type: 'PlayerNamed'; readonly data: { readonly name: string | null } }
  | LinkEvent

export interface Player extends PlayerCreatedData {
  readonly created: string
  /** What they sign in by, beside a guest token and the tenant's tickets. */
  readonly links: readonly Link[]
  /** When whoever owns their address took them over, making void what was set before; null: never. */
  readonly takenOver: string | null
}

export const player: Aggregate<Player | null, PlayerEvent> = {
  name: 'player',
  initial: null,
  evolve(state, event, moment) {
    if (event.type === 'PlayerCreated') return { ...event.data, created: moment.time, links: [], takenOver: null }
    if (state === null) return null
    switch (event.type) {
      case 'PlayerNamed':
        return { ...state, name: event.data.name }
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
    if (state === null) throw new Refusal('not_found', 'player_not_found', 'There is no such player in this game.')
    return state.name === name ? [] : [{ type: 'PlayerNamed', data: { name } }]
  }
}

export interface ExternalClaimedData {
  readonly player: string
  /** What the player is made from, so that the making can be finished by whoever finds it undone. Sealed in the log. */
  readonly name: string | null
  readonly externalId: string | null
}

export type ExternalEvent = { readonly type: 'ExternalClaimed'; readonly data: ExternalClaimedData }

/** Who holds an external id of a game; null while nobody does. */
export const externalId: Aggregate<ExternalClaimedData | null, ExternalEvent> = {
  name: 'external',
  initial: null,
  evolve: (state, event) => (event.type === 'ExternalClaimed' ? event.data : state),
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
