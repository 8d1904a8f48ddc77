// What the operator and the tenant's own server call: games, keys, leaderboards, players. With a client key each of
// these is refused: 403 `tenant_only`.

import { type Caller, pathTo } from './caller.ts'
import type {
  Leaderboard,
  LeaderboardChange,
  LeaderboardDescription,
  NewLeaderboard,
  Preview,
  Rebuild,
  RuleChange,
} from './score-shapes.ts'
import type { Game, GameChange, Key, MadeKey, NewKey, Page, Paging, Player, Ticket, TicketFor } from './shapes.ts'

export interface TenantCalls {
  /** Operator only. The key's secret is shown this once. */
  createGame(name: string): Promise<{ readonly game: Game; readonly key: MadeKey }>
  /** Operator only. */
  games(paging?: Paging): Promise<Page<'games', Game>>
  game(id: string): Promise<Game>
  changeGame(id: string, change: GameChange, ifMatch?: string): Promise<Game>
  /** Operator only. For ever, with everything that belongs to it; `name` must be the game's. */
  deleteGame(id: string, name: string): Promise<{ readonly deleted: string }>

  /** The secret is shown this once. */
  issueKey(game: string, key: NewKey): Promise<MadeKey>
  keys(game: string, paging?: Paging): Promise<Page<'keys', Key>>
  changeKey(game: string, prefix: string, permissions: readonly string[]): Promise<Key>
  revokeKey(game: string, prefix: string): Promise<{ readonly deleted: string }>

  createLeaderboard(game: string, leaderboard: NewLeaderboard): Promise<Leaderboard>
  leaderboards(game: string, paging?: Paging): Promise<Page<'leaderboards', Leaderboard>>
  changeLeaderboard(id: string, change: LeaderboardDescription, ifMatch?: string): Promise<Leaderboard>
  /** Rules that are in force already change nothing, and a Leaderboard comes back. */
  changeRules(id: string, change: LeaderboardChange, ifMatch?: string): Promise<Leaderboard | RuleChange>
  /** How it would stand under other rules; nothing is changed. */
  previewRules(id: string, change: LeaderboardChange): Promise<Preview>
  /** Recomputes all entries from the log, under the present rules. */
  rebuild(id: string): Promise<Rebuild>
  /** The rebuild that runs, or ran last. */
  rebuildOf(id: string): Promise<Rebuild>
  cancelRebuild(id: string): Promise<Rebuild>
  archiveLeaderboard(id: string): Promise<{ readonly deleted: string }>

  createPlayer(game: string, player: { readonly name: string; readonly external_id?: string }): Promise<Player>
  /** All, or those whose name contains a text. */
  players(game: string, query?: Paging & { readonly name?: string }): Promise<Page<'players', Player>>
  player(game: string, id: string): Promise<Player>
  /** Signs the player in, once: to be handed to their game. */
  playerTicket(game: string, whom: TicketFor): Promise<Ticket>
  renamePlayer(game: string, id: string, name: string): Promise<Player>
  /** Everything that is recorded about them: the text of one JSON object, in pieces. Rejects where it is cut short. */
  exportPlayer(game: string, id: string, ending?: AbortSignal): Promise<AsyncGenerator<string, void, undefined>>
  /**
   * `until`: when it ends by itself (ISO 8601 with offset). Of a banned player, gives the ban another end and reason.
   */
  banPlayer(game: string, id: string, ban?: NewBan): Promise<Player>
  unbanPlayer(game: string, id: string): Promise<Player>
  /** Ends all their sessions. */
  signOutPlayer(game: string, id: string): Promise<Player>
  /** For ever: they leave every leaderboard, and nothing they wrote can be read again. */
  deletePlayer(game: string, id: string): Promise<{ readonly deleted: string }>
}

export interface NewBan {
  readonly reason?: string | null
  readonly until?: string | null
}

export function tenantCalls({ call, text }: Caller): TenantCalls {
  return {
    createGame: (name) => call('POST', pathTo(['gm']), { name }),
    games: (paging = {}) => call('GET', pathTo(['gm'], { ...paging })),
    game: (id) => call('GET', pathTo(['gm', id])),
    changeGame: (id, change, ifMatch) => call('PUT', pathTo(['gm', id]), change, { ifMatch }),

    deleteGame: (id, name) => call('DELETE', pathTo(['gm', id]), { name }),
    issueKey: (game, key) => call('POST', pathTo(['gm', game, 'keys']), key),
    keys: (game, paging = {}) => call('GET', pathTo(['gm', game, 'keys'], { ...paging })),
    changeKey: (game, prefix, permissions) => call('PUT', pathTo(['gm', game, 'keys', prefix]), { permissions }),
    revokeKey: (game, prefix) => call('DELETE', pathTo(['gm', game, 'keys', prefix])),

    createLeaderboard: (game, leaderboard) => call('POST', pathTo(['gm', game, 'lb']), leaderboard),
    leaderboards: (game, paging = {}) => call('GET', pathTo(['gm', game, 'lb'], { ...paging })),
    changeLeaderboard: (id, change, ifMatch) => call('PUT', pathTo(['lb', id]), change, { ifMatch }),
    changeRules: (id, change, ifMatch) => call('PUT', pathTo(['lb', id]), change, { ifMatch }),
    previewRules: (id, change) => call('POST', pathTo(['lb', id, 'preview']), change),
    rebuild: (id) => call('POST', pathTo(['lb', id, 'rebuild'])),
    rebuildOf: (id) => call('GET', pathTo(['lb', id, 'rebuild'])),
    cancelRebuild: (id) => call('DELETE', pathTo(['lb', id, 'rebuild'])),
    archiveLeaderboard: (id) => call('DELETE', pathTo(['lb', id])),

    createPlayer: (game, player) => call('POST', pathTo(['gm', game, 'players']), player),
    players: (game, query = {}) => call('GET', pathTo(['gm', game, 'players'], { ...query })),
    player: (game, id) => call('GET', pathTo(['gm', game, 'players', id])),
    playerTicket: (game, whom) => call('POST', pathTo(['gm', game, 'player', 'ticket']), whom),
    renamePlayer: (game, id, name) => call('PUT', pathTo(['gm', game, 'players', id]), { name }),
    exportPlayer: (game, id, ending) => text(pathTo(['gm', game, 'players', id, 'export']), ending),
    banPlayer: (game, id, ban = {}) => call('POST', pathTo(['gm', game, 'players', id, 'ban']), ban),
    unbanPlayer: (game, id) => call('POST', pathTo(['gm', game, 'players', id, 'unban'])),
    signOutPlayer: (game, id) => call('POST', pathTo(['gm', game, 'players', id, 'signout'])),
    deletePlayer: (game, id) => call('DELETE', pathTo(['gm', game, 'players', id])),
  }
}
