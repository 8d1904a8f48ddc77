// Calls that only the console makes.

import { type Caller, pathTo } from '../../client/caller.ts'
import type { EventsQuery, GameEvent } from '../../client/history.ts'
import type { LeaderboardRules, Preview, RankedScore } from '../../client/score-shapes.ts'
import type { Page } from '../../client/shapes.ts'

interface Range {
  readonly limit?: number
  readonly offset?: number
}

export interface Room {
  readonly id: string
  readonly name: string
  readonly members: readonly Member[]
  readonly max_members: number
  readonly fixed: boolean
}

export interface Member {
  readonly member: string
  readonly player: { readonly id: string; readonly name: string } | null
}

export interface ListenTicket {
  readonly ticket: string
  readonly url: string
}

export interface Listened {
  readonly room: { readonly id: string; readonly name: string }
  readonly members: readonly Member[]
  readonly seq: number
}

export interface Session {
  readonly id: string
  readonly created: string
  readonly last_used: string | null
}

export type PlayerEntry = RankedScore & { readonly leaderboard: string; readonly leaderboard_name: string }

export interface Mover {
  readonly player: string
  readonly player_name: string | null
  readonly before: number | null
  readonly after: number | null
}

export type MoversPage = Preview & {
  readonly movers: readonly Mover[]
  readonly count: number
  readonly next_offset: number | null
}

export interface ServerStatus {
  readonly health: unknown
  readonly lag: unknown
  readonly parked: unknown
  readonly versions: unknown
}

export interface ConsoleCalls {
  rooms(game: string, range?: Range): Promise<Page<'rooms', Room>>
  /** A ticket for one connection that listens to rooms and takes no seat in them. */
  listenTicket(game: string): Promise<ListenTicket>
  sessions(game: string, player: string, range?: Range): Promise<Page<'sessions', Session>>
  entries(game: string, player: string, range?: Range): Promise<Page<'entries', PlayerEntry>>
  /** Everybody who moves under other rules, biggest move first. */
  movers(board: string, rules: Partial<LeaderboardRules>, range: Range): Promise<MoversPage>
  /** Events recorded up to now, read once; for a continuing read use `events`. */
  eventsOnce(game: string, query: ReadQuery, signal?: AbortSignal): AsyncGenerator<GameEvent, void, undefined>
  serverStatus(): Promise<ServerStatus>
}

export type ReadQuery = Omit<EventsQuery, 'follow'> & { readonly request?: string; readonly follow?: boolean }

export function consoleCalls({ call, lines }: Caller): ConsoleCalls {
  return {
    rooms: (game, range = {}) => call('GET', pathTo(['gm', game, 'rooms'], { ...range })),
    listenTicket: (game) => call('POST', pathTo(['gm', game, 'rt', 'listen'])),
    sessions: (game, player, range = {}) =>
      call('GET', pathTo(['gm', game, 'players', player, 'sessions'], { ...range })),
    entries: (game, player, range = {}) =>
      call('GET', pathTo(['gm', game, 'players', player, 'entries'], { ...range })),
    movers: (board, rules, range) => call('POST', pathTo(['lb', board, 'preview'], { ...range }), rules),
    async *eventsOnce(game, { follow, ...query }, signal) {
      const path = pathTo(['gm', game, 'events'], { ...query, follow: follow === true ? 1 : undefined })
      for await (const line of await lines(path, signal)) {
        const event = line as GameEvent & { readonly heartbeat?: string }
        if (event.heartbeat === undefined) yield event
      }
    },
    serverStatus: () => call('GET', pathTo(['sys', 'status'])),
  }
}
