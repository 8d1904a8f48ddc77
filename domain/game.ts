// A game: its name, CORS origins, sign-in methods and the settings of its rooms.

import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { streamName } from './streams.ts'

export const gameStream = (game: string): string => streamName('game-', game)

export interface SignIn {
  readonly guest: boolean
  readonly password: boolean
  readonly code: boolean
  readonly ticket: boolean
}

export interface Realtime {
  readonly enabled: boolean
  readonly require_player: boolean
  readonly allow_search: boolean
  readonly allow_create: boolean
  readonly max_room_size: number
  readonly max_rooms: number
  readonly max_message_bytes: number
  readonly messages_per_second: number
}

export interface FixedRoom {
  readonly id: string
  readonly name: string
  readonly max_members: number
  readonly listed: boolean
}

export interface GameSettings {
  readonly corsOrigins: readonly string[]
  readonly signIn: SignIn
  readonly realtime: Realtime
}

/** Limits that the operator sets for a game; the tenant does not see them. */
export interface GameLimits {
  /** Bytes that a day's calls may record; null: no limit. */
  readonly recordedBytesPerDay: number | null
  /** Codes mailed in 15 minutes, not counting those to confirmed addresses. */
  readonly mailsPerQuarterHour: number
}

/** The limits if the operator has set none. */
export const NO_LIMITS: GameLimits = { recordedBytesPerDay: null, mailsPerQuarterHour: 3_000 }

export type GameEvent =
  | { readonly type: 'GameLimitsSet'; readonly data: Partial<GameLimits> }
  | { readonly type: 'GameCreated'; readonly data: { readonly name: string } }
  | { readonly type: 'GameRenamed'; readonly data: { readonly name: string } }
  | { readonly type: 'GameConfigured'; readonly data: GameSettings }
  | { readonly type: 'FixedRoomsSet'; readonly data: { readonly rooms: readonly FixedRoom[] } }
  | { readonly type: 'GameDeleted'; readonly data: Readonly<Record<string, never>> }
  /** The last event of the game; the events before it are being removed. */
  | { readonly type: 'GameErasureBegun'; readonly data: Readonly<Record<string, never>> }

/** The events of a deleted game that readers still return; they skip all others. */
export const LEFT_OF_DELETED: ReadonlySet<string> = new Set<GameEvent['type']>(['GameDeleted', 'GameErasureBegun'])

export interface Game extends GameSettings {
  readonly name: string
  readonly created: string
  readonly fixedRooms: readonly FixedRoom[]
  /** Absent if the operator has set none. Only the stream has them; no view does. */
  readonly limits?: GameLimits
}

export const NEW_GAME: GameSettings = {
  corsOrigins: [],
  signIn: { guest: true, password: true, code: true, ticket: true },
  realtime: {
    enabled: false,
    require_player: true,
    allow_search: true,
    allow_create: true,
    max_room_size: 32,
    max_rooms: 100,
    max_message_bytes: 4096,
    messages_per_second: 20,
  },
}

export const game: Aggregate<Game | null, GameEvent> = {
  name: 'game',
  initial: null,
  evolve(state, event, at) {
    if (event.type === 'GameCreated') {
      return { ...NEW_GAME, name: event.data.name, created: at.time, fixedRooms: [] }
    }
    if (state === null) return null
    switch (event.type) {
      case 'GameLimitsSet':
        return { ...state, limits: { ...NO_LIMITS, ...event.data } }
      case 'GameRenamed':
        return { ...state, name: event.data.name }
      case 'GameConfigured':
        return { ...state, ...event.data }
      case 'FixedRoomsSet':
        return { ...state, fixedRooms: event.data.rooms }
      case 'GameDeleted':
        return null
      default:
        return state
    }
  },
}

export function createGame(name: string): Decision<Game | null, GameEvent> {
  return (state) => (state === null ? [{ type: 'GameCreated', data: { name } }] : [])
}

export interface GameChange {
  readonly name?: string | undefined
  readonly corsOrigins?: readonly string[] | undefined
  readonly signIn?: Partial<{ [K in keyof SignIn]: boolean | undefined }> | undefined
  readonly realtime?: Partial<{ [K in keyof Realtime]: Realtime[K] | undefined }> | undefined
  readonly fixedRooms?: readonly FixedRoom[] | undefined
}

/** Changes the given fields only; records nothing if they have these values already. */
export function changeGame(change: GameChange, expect: (state: Game) => void): Decision<Game | null, GameEvent> {
  return (state) => {
    if (state === null) throw noSuchGame()
    expect(state)
    const settings: GameSettings = {
      corsOrigins: change.corsOrigins ?? state.corsOrigins,
      signIn: merge(state.signIn, change.signIn),
      realtime: merge(state.realtime, change.realtime),
    }
    const before: GameSettings = { corsOrigins: state.corsOrigins, signIn: state.signIn, realtime: state.realtime }
    const events: GameEvent[] = []
    if (change.name !== undefined && change.name !== state.name) {
      events.push({ type: 'GameRenamed', data: { name: change.name } })
    }
    if (differ(settings, before)) events.push({ type: 'GameConfigured', data: settings })
    if (change.fixedRooms !== undefined && differ(change.fixedRooms, state.fixedRooms)) {
      events.push({ type: 'FixedRoomsSet', data: { rooms: change.fixedRooms } })
    }
    return events
  }
}

/** Changes the given limits only. */
export function setLimits(
  change: {
    [K in keyof GameLimits]?: GameLimits[K] | undefined
  },
): Decision<Game | null, GameEvent> {
  return (state) => {
    if (state === null) throw new Refusal('not_found', 'game_not_found', 'There is no such game.')
    const before = { ...NO_LIMITS, ...state.limits }
    const limits = merge(before, change)
    return differ(limits, before) ? [{ type: 'GameLimitsSet', data: limits }] : []
  }
}

function merge<T extends object>(base: T, over: { [K in keyof T]?: T[K] | undefined } | undefined): T {
  const result = { ...base }
  if (over === undefined) return result
  for (const key of Object.keys(base) as (keyof T)[]) {
    const value = over[key]
    if (value !== undefined) result[key] = value
  }
  return result
}

/** Compares JSON texts: both values have the same keys in the same order. */
function differ(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b)
}

/** 409 `name_mismatch` unless `name` is the game's name; 404 if the game is already deleted. */
export function deleteGame(name: string): Decision<Game | null, GameEvent> {
  return (state) => {
    if (state === null) throw noSuchGame()
    if (state.name !== name) {
      const detail =
        'The name sent is not this game’s. Nothing was deleted. Send the name exactly as GET /api/gm/ lists it.'
      throw new Refusal('conflict', 'name_mismatch', detail)
    }
    return [{ type: 'GameDeleted', data: {} }]
  }
}

/** Recorded once, by the reaction that removes a deleted game's data. */
export const beginErasure: Decision<Game | null, GameEvent> = (state) =>
  state === null ? [{ type: 'GameErasureBegun', data: {} }] : []

export const noSuchGame = (): Refusal => new Refusal('not_found', 'game_not_found', 'There is no such game.')
