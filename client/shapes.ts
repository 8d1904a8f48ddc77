// The records of the protocol as a caller sees them, field by field as in docs/protocol.md.

export type Algorithm = 'hmac-sha256' | 'ed25519'
export type KeyKind = 'server' | 'client'
export type Ordering = 'desc' | 'asc'

/** Any value that JSON has. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue }

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

/** Scores and bounds are decimal strings, so that no precision is lost. */
export interface LeaderboardRules {
  readonly ordering: Ordering
  readonly secondary_ordering: Ordering
  /** One entry per player, their best. */
  readonly unique: boolean
  readonly min_score: string | null
  readonly max_score: string | null
}

export interface Leaderboard extends LeaderboardRules {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly game: string
  readonly entries: number
}

export interface NewLeaderboard extends Partial<LeaderboardRules> {
  readonly name: string
  readonly description?: string
  readonly ordering: Ordering
}

export interface LeaderboardChange extends Partial<LeaderboardRules> {
  readonly name?: string
  readonly description?: string
}

export interface Score {
  readonly id: string
  readonly player: string
  readonly player_name: string | null
  readonly score: string
  readonly secondary_score: string | null
  readonly added: string
  readonly updated: string
  readonly extra_data: JsonValue
}

export interface RankedScore extends Score {
  readonly rank: number
}

/** The player's best entry, as it stands after the submission. */
export interface SubmittedScore extends RankedScore {
  /** Whether this submission is now their best. */
  readonly improved: boolean
  /** Id of the entry that this call made, if any. */
  readonly submitted: string | null
}

export interface NewScore {
  /** A decimal string: up to 30 digits before the point, 18 after it. */
  readonly score: string
  readonly secondary_score?: string | null
  readonly extra_data?: JsonValue
  /** Shown beside this score instead of the player's name. */
  readonly player_name?: string | null
  /** For another player than the one signed in; needs `submit_for`. */
  readonly player?: string
}

export interface ScoresQuery {
  /** 1 to 100, default 20. */
  readonly limit?: number
  readonly offset?: number
  /** From 1; takes the place of `offset`. */
  readonly page?: number
  readonly order?: 'best' | 'worst' | 'newest' | 'oldest'
  /** ISO 8601: from this instant, or from the start of this day (UTC). Ranks are counted inside the window. */
  readonly since?: string
  /** Up to this instant (exclusive), or to the end of this day (UTC). */
  readonly until?: string
  /** Ranks each player's best submission made inside the window, not the standing entry. */
  readonly window?: 'best'
  /** These three narrow the list and never the ranks. */
  readonly player_name?: string
  readonly min_score?: string
  readonly max_score?: string
  /** Only this player's entries. */
  readonly player?: string
  /** `limit` entries centred on this player's best. */
  readonly around?: string
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

export interface ScoresPage extends Page<'scores', RankedScore> {
  readonly leaderboard: string
  /** Only with `around`; null where that player has no entry. */
  readonly player_rank?: number | null
  readonly player_score?: string | null
}
