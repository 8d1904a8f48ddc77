// Types of the protocol, as in docs/protocol.md.

export type Algorithm = 'hmac-sha256' | 'ed25519'
export type KeyKind = 'server' | 'client'

export interface Token {
  readonly token: string
  /** Unix seconds. */
  readonly expires_at: number
  readonly permissions: readonly string[]
  /** Requested, but not permissions of the key. */
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
  /** Restores a new guest later. Only in the answer that created the guest. */
  readonly guest_token?: string
}

/** A new player. `login` is case-insensitive; `password` has at least 8 characters. */
export interface Registration {
  readonly login: string
  readonly password: string
  readonly name?: string
  readonly email?: string
}

/** The subject of a ticket: a player of the game, or a user by the tenant's own id. */
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

/** Absent fields are unchanged. */
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
  /** The last day on which a token of the key was used (`YYYY-MM-DD`, UTC); null: never. */
  readonly last_used: string | null
}

/** A key with its secret, which only the creating call returns. */
export interface MadeKey extends Key {
  readonly secret?: string
  /** base64url of the 32-byte seed, if the server generated the key pair. */
  readonly private_key?: string
}

export interface NewKey {
  readonly name: string
  readonly kind: KeyKind
  readonly algorithm: Algorithm
  /** Default: the usual permissions of the kind. */
  readonly permissions?: readonly string[]
  /** ed25519: 32 bytes as base64url. If absent, the server generates the key pair. */
  readonly public_key?: string
}

export type NewOperatorKey = Pick<NewKey, 'name' | 'algorithm' | 'public_key'>

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

/** A ticket to the rooms of a game, valid for one connection within 30 seconds. */
export interface RoomTicket {
  readonly ticket: string
  readonly url: string
  readonly expires_in: number
}
