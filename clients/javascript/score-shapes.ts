// Types of leaderboards and scores, as in docs/protocol.md.

import type { Fault } from './problem.ts'
import type { Page } from './shapes.ts'

export type Ordering = 'desc' | 'asc'

/** What a player's entry shows: their best submission, the latest one, or the sum of all. */
export type Keep = 'best' | 'latest' | 'total'

/**
 * What JSON can hold. `object` stands for its arrays and objects, because an interface has no index signature that
 * would say so. Read calls take a narrower type: `player.scores<Run>('weekly')`.
 */
export type JsonValue = null | boolean | number | string | object

/** Scores and bounds are decimal strings, so that no precision is lost. */
export interface LeaderboardRules {
  readonly ordering: Ordering
  readonly secondary_ordering: Ordering
  /** One entry per player, which shows what `keep` says; false: each submission is an entry. */
  readonly unique: boolean
  readonly min_score: string | null
  readonly max_score: string | null
  /** Only `best` where each submission is an entry. */
  readonly keep?: Keep
}

/** When the seasons of a leaderboard end. */
export interface SeasonSchedule {
  /** A cron expression of five fields, or `daily`, `weekly` (Monday) or `monthly`, which mean 00:00 of that day. */
  readonly cron: string
  /** A name of IANA, such as `Europe/Berlin`. */
  readonly time_zone: string
}

/** From `starts` up to `ends`, exclusive. */
export interface Season {
  /** From 1. */
  readonly season: number
  readonly starts: string
  readonly ends: string
  /** closing: no submission joins it any longer, and its standing is being recorded. */
  readonly state: 'open' | 'closing' | 'closed'
  /** As they are now. */
  readonly players: number
  readonly entries: number
  readonly closed_at: string | null
  readonly rules: LeaderboardRules
}

export interface Leaderboard extends LeaderboardRules {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly game: string
  readonly entries: number
  /** May be sent in place of the id; null: none. */
  readonly key: string | null
  readonly seasons: SeasonSchedule | null
  readonly keep: Keep
}

export interface NewLeaderboard extends Partial<LeaderboardRules> {
  readonly name: string
  readonly description?: string
  readonly ordering: Ordering
  readonly key?: string | null
  readonly seasons?: SeasonSchedule | null
}

export interface LeaderboardDescription {
  readonly name?: string
  readonly description?: string
  /** Null: it has no key any longer. */
  readonly key?: string | null
  /** Another schedule ends the open season now and begins the next one; null: none follows. Not with other rules. */
  readonly seasons?: SeasonSchedule | null
}

export interface LeaderboardChange extends LeaderboardDescription, Partial<LeaderboardRules> {}

/** A requested rule change, which takes effect when its rebuild is done. */
export interface RuleChange {
  readonly rebuild: string
  /** The leaderboard with the new rules. */
  readonly leaderboard: Leaderboard
}

export interface Rebuild {
  readonly id: string
  readonly leaderboard: string
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  /** In recorded events of the leaderboard. */
  readonly done: number
  readonly total: number
  readonly per_second: number
  readonly eta_seconds: number | null
  readonly started: string
  readonly finished: string | null
  readonly error: string | null
}

/** A player whose rank differs under other rules; null where they have none. */
export interface Mover {
  readonly player: string
  readonly player_name: string | null
  readonly before: number | null
  readonly after: number | null
}

export interface Preview {
  readonly entries_before: number
  readonly entries_after: number
  /** Players whose rank differs, who enter or who leave. */
  readonly changed: number
  /** The biggest movers, with their ranks. */
  readonly top: readonly Mover[]
  /** Only with `summary`. */
  readonly summary?: PreviewSummary
}

export interface PreviewSummary {
  /** Players who have another rank. Those who enter or leave are not among them. */
  readonly moved: number
  readonly entered: number
  readonly left: number
  /** At most three entries each, best first. */
  readonly podium: { readonly before: readonly PodiumPlace[]; readonly after: readonly PodiumPlace[] }
}

export interface PodiumPlace {
  readonly player: string
  readonly player_name: string | null
  readonly score: string
  readonly secondary_score: string | null
}

/** `Extra`: the type of `extra_data`, as this game submits it. The server does not check it. */
export interface Score<Extra = JsonValue> {
  readonly id: string
  readonly player: string
  readonly player_name: string | null
  readonly score: string
  readonly secondary_score: string | null
  readonly added: string
  readonly updated: string
  readonly extra_data: Extra
}

export interface RankedScore<Extra = JsonValue> extends Score<Extra> {
  readonly rank: number
  /** Only with `season`: the rank at its closing; null in an open season, and for an entry that was hidden then. */
  readonly final_rank?: number | null
}

/** The season that a submission joined, and the player's rank in it. */
export interface SubmittedInSeason {
  readonly season: number
  readonly rank: number | null
  readonly improved: boolean
}

/** The player's entry after the submission; where each submission is an entry, their best one. */
export interface SubmittedScore<Extra = JsonValue> extends Score<Extra> {
  /**
   * Null only while no store can answer the rank, or if the player was banned or deleted meanwhile; the submission is
   * recorded in any case.
   */
  readonly rank: number | null
  /** Whether the entry ranks better than before, without regard to when; true if it is new. */
  readonly improved: boolean
  /**
   * Id of the entry that this call created; null if it created none. Where each submission is an entry, it is that of
   * this one, also if another one is better.
   */
  readonly submitted: string | null
  /** Only of a leaderboard that ever had seasons; null: none was open. */
  readonly season?: SubmittedInSeason | null
}

export interface NewScore<Extra = JsonValue> {
  /** A decimal string: up to 30 digits before the point, 18 after it. */
  readonly score: string
  readonly secondary_score?: string | null
  readonly extra_data?: Extra
  /** Shown beside this score instead of the player's name. */
  readonly player_name?: string | null
  /** Another player than the signed-in one; needs `submit_for`. */
  readonly player?: string
}

/** One of many submissions. Exactly one of `player` and `external_id` is needed. */
export interface ManySubmission extends NewScore {
  /** Its id or its key. */
  readonly leaderboard: string
  /** Your own id of the player, in place of `player`. */
  readonly external_id?: string
  /** 1 to 255 printable ASCII characters. Default: a random one. A submission with the same key counts once. */
  readonly idempotency_key?: string
}

/** The result of one of many submissions. Only that of a refused one has a `code`. */
export type SubmissionResult = RecordedSubmission | RefusedSubmission

export interface RecordedSubmission {
  /** 201: it created an entry. */
  readonly status: 200 | 201
  /** The player's entry after the submission; where each submission is an entry, their best one. */
  readonly score: Score
  /** After the whole call; null as in SubmittedScore. */
  readonly rank: number | null
  readonly improved: boolean
  readonly submitted: string | null
  readonly season?: SubmittedInSeason | null
}

/** With the further fields of the problem, as a single call would be refused. */
export interface RefusedSubmission {
  readonly status: number
  readonly code: string
  readonly detail: string
  /** Pointers into the submission. */
  readonly errors?: readonly Fault[]
  /** The missing permission. */
  readonly needed?: string
  /** Seconds. */
  readonly retry_after?: number
  readonly [field: string]: unknown
}

/** Reads the state at a past instant: ISO 8601 with offset, not in the future. */
export interface AsOf {
  readonly as_of?: string
}

/** A player's entry at some instants, in order, their best one if they have several; null where they had none. */
export interface Movement {
  readonly points: readonly { readonly time: string; readonly rank: number | null; readonly score: string | null }[]
}

export interface ScoresQuery extends AsOf {
  /** 1 to 100, default 20. */
  readonly limit?: number
  readonly offset?: number
  /** From 1; replaces `offset`. */
  readonly page?: number
  readonly order?: 'best' | 'worst' | 'newest' | 'oldest'
  /** ISO 8601: from this instant, or from the start of this day (UTC). Ranks are counted inside the window. */
  readonly since?: string
  /** Up to this instant (exclusive), or to the end of this day (UTC). */
  readonly until?: string
  /**
   * With `since` or `until`: ranks what each player's submissions inside the window show, such as the best one or their
   * total. Without it, a window selects entries by `updated`: a player whose shown submission is older
   * is missing.
   */
  readonly window?: 'best'
  /** These three narrow the list and never the ranks. */
  readonly player_name?: string
  readonly min_score?: string
  readonly max_score?: string
  /** Only this player's entries. */
  readonly player?: string
  /** `limit` entries centred on this player's best. */
  readonly around?: string
  /** The ranking of one season; `last` is the newest one that has ended. Not with a window or `as_of`. */
  readonly season?: number | 'current' | 'last'
}

export interface ScoresPage<Extra = JsonValue> extends Page<'scores', RankedScore<Extra>> {
  readonly leaderboard: string
  /** Only with `season`. */
  readonly season?: number
  /** Only with `around`; null if that player has no entry. */
  readonly player_rank?: number | null
  readonly player_score?: string | null
}
