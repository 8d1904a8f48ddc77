// The records of the protocol as a caller sees them, field by field as in docs/protocol.md.

export type Algorithm = 'hmac-sha256' | 'ed25519'
export type KeyKind = 'server' | 'client'

export interface Token {
  readonly token: string
  /** Unix seconds. */
  readonly expires_at: number
  readonly permissions: readonly string[]
  /** Asked for, but not held by the key. */
  readonly declined: readonly string[]
}

export interface OwnPlayer {
  readonly id: string
  readonly name: string | null
  readonly created: string
  readonly guest: boolean
}

export interface SignedIn extends Token {
  readonly refresh_token: string
  readonly player: OwnPlayer
  /** Brings a new guest back later; only in the answer that made them. */
  readonly guest_token?: string
}

/** A player to be: `login` is compared without regard to case; `password` has at least 8 characters. */
export interface Registration {
  readonly login: string
  readonly password: string
  readonly name?: string
  readonly email?: string
}

/** Whom a ticket is for: one of the game's players, or a user whom the tenant's own server knows by this id. */
export type TicketFor = { readonly player: string } | { readonly external_id: string; readonly name?: string }

export interface Ticket {
  readonly ticket: string
  /** Seconds. */
  readonly expires_in: number
}

export interface Player extends OwnPlayer {
  readonly external_id: string | null
  readonly banned: { readonly since: string; readonly until: string | null; readonly reason: string | null } | null
}

export interface SignInMethods {
  readonly guest: boolean
  readonly password: boolean
  readonly code: boolean
  readonly ticket: boolean
}

export interface RealtimeSettings {
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

export interface Game {
  readonly id: string
  readonly name: string
  readonly created: string
  readonly cors_origins: readonly string[]
  readonly sign_in: SignInMethods
  readonly realtime: RealtimeSettings
  readonly fixed_rooms: readonly FixedRoom[]
}

/** What is left out stays as it is. */
export interface GameChange {
  readonly name?: string
  readonly cors_origins?: readonly string[]
  readonly sign_in?: Partial<SignInMethods>
  readonly realtime?: Partial<RealtimeSettings>
  readonly fixed_rooms?: readonly FixedRoom[]
}

export interface Key {
  readonly prefix: string
  readonly name: string
  readonly game: string | null
  readonly kind: KeyKind
  readonly algorithm: Algorithm
  readonly permissions: readonly string[]
  readonly created: string
  readonly revoked: boolean
}

/** A key as the call that made it answers: with what is shown this once. */
export interface MadeKey extends Key {
  readonly secret?: string
  /** base64url of the 32-byte seed, where the server made the pair. */
  readonly private_key?: string
}

export interface NewKey {
  readonly name: string
  readonly kind: KeyKind
  readonly algorithm: Algorithm
  /** Default: what the kind usually holds. */
  readonly permissions?: readonly string[]
  /** ed25519: 32 bytes as base64url. Left out, the server makes the pair. */
  readonly public_key?: string
}

export interface Paging {
  readonly limit?: number
  readonly offset?: number
}

/** A page of a list; `next_offset` is null on the last one. */
export type Page<Plural extends string, Item> = { readonly [name in Plural]: readonly Item[] } & {
  readonly count: number
  readonly offset: number
  readonly limit: number
  readonly next_offset: number | null
}
