// What a tenant and the operator see of a running game: rooms, sessions, entries, who moves under other rules, and the
// state of the server.

import { type Caller, pathTo } from './caller.ts'
import type { RoomMember } from './room-shapes.ts'
import type { LeaderboardChange, Mover, Preview, RankedScore } from './score-shapes.ts'
import type { Page, Paging, RoomTicket } from './shapes.ts'

export interface Room {
  readonly id: string
  readonly name: string
  /** In the order of joining. */
  readonly members: readonly RoomMember[]
  readonly max_members: number
  /** Whether it is one of the game's settings and never ends. */
  readonly fixed: boolean
}

export interface Session {
  readonly id: string
  /** When the player signed in. */
  readonly created: string
  /** The last day (UTC) on which the session got a token; null: unknown. */
  readonly last_used: string | null
}

export type PlayerEntry = RankedScore & { readonly leaderboard: string; readonly leaderboard_name: string }

/** A preview with a page of everybody whose rank differs. */
export type MoversPage = Preview & {
  readonly movers: readonly Mover[]
  readonly count: number
  readonly next_offset: number | null
}

export interface ServerStatus {
  readonly health: {
    readonly status: 'ready' | 'degraded' | 'not ready'
    /** What does not answer as it should, and why. */
    readonly reasons: Readonly<Record<string, string>>
  }
  readonly lag: {
    /** Milliseconds for which the oldest event that the views lack has waited; null: unknown. */
    readonly ms: number | null
    /** Position of the last event; null: the log is empty. */
    readonly log: string | null
    /** Position that all views have reached; null: unknown. */
    readonly views: string | null
  }
  /** Streams that a view ignores since an event could not be applied; lists at most 100. */
  readonly parked: {
    readonly count: number
    readonly streams: readonly { readonly view: string; readonly stream: string; readonly position: string }[]
  }
  readonly versions: { readonly server: string; readonly node: string; readonly views: readonly string[] }
}

/** Of the last 24 hours and 30 days in UTC, oldest first; the last one is running. */
export interface ActivitySeries {
  readonly hours: readonly number[]
  readonly days: readonly number[]
}

/** Something that a person changed. */
export interface Action {
  readonly time: string
  /** The prefix of the key that did it, and its name. */
  readonly actor: string
  readonly actor_name: string | null
  /** The type of the event, such as `PlayerBanned`. */
  readonly type: string
  readonly about: {
    readonly kind: 'game' | 'leaderboard' | 'player' | 'key' | 'bucket'
    readonly id: string
    /** Its present name; null: none, or it was deleted. */
    readonly name: string | null
  }
}

/** What happens in a game; lists have at most 20 rows. */
export interface Overview {
  /** When it was computed: at most a minute ago. */
  readonly at: string
  /** Recorded submissions. */
  readonly submissions: ActivitySeries
  /** Players who submitted. */
  readonly players: ActivitySeries
  /** The present first of each leaderboard, the one set last first. */
  readonly firsts: readonly PlayerEntry[]
  /** Entries that changed in the last 24 hours and are far better than the median, the farthest first. */
  readonly unusual: readonly (PlayerEntry & { readonly reason: string })[]
  /** Newest first. */
  readonly actions: readonly Action[]
  /** The last verification of the installation that ended; null: none. */
  readonly verified: { readonly at: string; readonly equal: boolean } | null
}

export interface AdminCalls {
  overview(game: string): Promise<Overview>
  /**
   * The rooms of a game with their members, also unlisted ones. A page may be shorter than its limit: `next_offset`
   * continues.
   */
  rooms(game: string, paging?: Paging): Promise<Page<'rooms', Room>>
  /** A ticket for one connection that hears rooms and takes no seat in them. */
  listenTicket(game: string): Promise<RoomTicket>
  /** The open sessions of a player. */
  sessions(game: string, player: string, paging?: Paging): Promise<Page<'sessions', Session>>
  /** The entries of a player on all leaderboards, each with its rank. */
  entries(game: string, player: string, paging?: Paging): Promise<Page<'entries', PlayerEntry>>
  /**
   * A page of all players that move under other rules, biggest move first. Changes nothing. A page with an `offset`
   * continues the list that the last call without one began, for 10 minutes. `summary`: also how many move, enter and
   * leave, and the first three before and after.
   */
  movers(
    leaderboard: string,
    change: LeaderboardChange,
    query?: Paging & { readonly summary?: boolean },
  ): Promise<MoversPage>
  /** Operator only. */
  serverStatus(): Promise<ServerStatus>
}

export function adminCalls({ call }: Pick<Caller, 'call'>): AdminCalls {
  const of = (game: string, player: string, what: string, paging: Paging) =>
    pathTo(['gm', game, 'players', player, what], { ...paging })
  return {
    overview: (game) => call('GET', pathTo(['gm', game, 'overview'])),
    rooms: (game, paging = {}) => call('GET', pathTo(['gm', game, 'rooms'], { ...paging })),
    listenTicket: (game) => call('POST', pathTo(['gm', game, 'rt', 'listen'])),
    sessions: (game, player, paging = {}) => call('GET', of(game, player, 'sessions', paging)),
    entries: (game, player, paging = {}) => call('GET', of(game, player, 'entries', paging)),
    // Without a page, the server answers the plain preview.
    movers: (leaderboard, change, { limit = 100, offset = 0, summary = false } = {}) =>
      call('POST', pathTo(['lb', leaderboard, 'preview'], { limit, offset, summary: summary ? 1 : undefined }), change),
    serverStatus: () => call('GET', pathTo(['sys', 'status'])),
  }
}
