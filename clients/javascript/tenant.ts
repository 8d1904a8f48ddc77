// Calls of the operator and the tenant's server: games, keys, leaderboards, players. With a client key each call fails
// with 403 `tenant_only`.

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
import type {
  Game,
  GameChange,
  Key,
  MadeKey,
  NewKey,
  NewOperatorKey,
  Page,
  Paging,
  Player,
  Ticket,
  TicketFor,
  Token,
} from './shapes.ts'

export interface TenantCalls {
  /** Operator only. The key's secret is returned only this time. */
  createGame(name: string): Promise<{ readonly game: Game; readonly key: MadeKey }>
  /** Operator only. */
  games(paging?: Paging): Promise<Page<'games', Game>>
  game(id: string): Promise<Game>
  changeGame(id: string, change: GameChange, ifMatch?: string): Promise<Game>
  /** Operator only. Deletes the game with all its data for good; `name` must be the game's name. */
  deleteGame(id: string, name: string): Promise<{ readonly deleted: string }>

  /** The secret is returned only this time. */
  issueKey(game: string, key: NewKey): Promise<MadeKey>
  keys(game: string, paging?: Paging): Promise<Page<'keys', Key>>
  changeKey(game: string, prefix: string, permissions: readonly string[]): Promise<Key>
  revokeKey(game: string, prefix: string): Promise<{ readonly deleted: string }>
  /** Operator only. A token of the game with the permissions of a server key, or those asked for. */
  gameToken(game: string, permissions?: readonly string[]): Promise<Token>
  /** Operator only. The secret is returned only this time. */
  issueOperatorKey(key: NewOperatorKey): Promise<MadeKey>
  /** Operator only. */
  operatorKeys(paging?: Paging): Promise<Page<'keys', Key>>
  /** Operator only. The last operator key is not revoked: 409 `last_operator_key`. */
  revokeOperatorKey(prefix: string): Promise<{ readonly deleted: string }>

  createLeaderboard(game: string, leaderboard: NewLeaderboard): Promise<Leaderboard>
  /** Here and below a leaderboard is named by its id or its key. */
  changeLeaderboard(leaderboard: string, change: LeaderboardDescription, ifMatch?: string): Promise<Leaderboard>
  /** Returns a Leaderboard, and changes nothing, if the rules are in force already. */
  changeRules(leaderboard: string, change: LeaderboardChange, ifMatch?: string): Promise<Leaderboard | RuleChange>
  /** Previews the leaderboard under other rules, without changing anything. */
  previewRules(leaderboard: string, change: LeaderboardChange): Promise<Preview>
  /** Recomputes all entries from the log under the current rules. */
  rebuild(leaderboard: string): Promise<Rebuild>
  /** The running or the last rebuild. */
  rebuildOf(leaderboard: string): Promise<Rebuild>
  cancelRebuild(leaderboard: string): Promise<Rebuild>
  archiveLeaderboard(leaderboard: string): Promise<{ readonly deleted: string }>

  createPlayer(game: string, player: { readonly name: string; readonly external_id?: string }): Promise<Player>
  /** All players, or those whose name contains a text. */
  players(game: string, query?: Paging & { readonly name?: string }): Promise<Page<'players', Player>>
  player(game: string, id: string): Promise<Player>
  /** Issues a ticket that signs the player in once; pass it to their game. */
  playerTicket(game: string, player: TicketFor): Promise<Ticket>
  renamePlayer(game: string, id: string, name: string): Promise<Player>
  /** Everything recorded about a player: the text of one JSON object, in chunks. Rejects if the answer is cut. */
  exportPlayer(game: string, id: string, ending?: AbortSignal): Promise<AsyncGenerator<string, void, undefined>>
  /**
   * `until`: end of the ban (ISO 8601 with offset). For a banned player, replaces end and reason.
   */
  banPlayer(game: string, id: string, ban?: NewBan): Promise<Player>
  unbanPlayer(game: string, id: string): Promise<Player>
  /** Ends all sessions of the player. */
  signOutPlayer(game: string, id: string): Promise<Player>
  /** A code that opens the console signed in as this token, at `/console/#code=<code>`: once, within 30 seconds. */
  consoleLink(): Promise<{ readonly code: string; readonly expires_in: number }>
  /** Deletes a player for good: removes them from every leaderboard and makes everything they wrote unreadable. */
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
    gameToken: (game, permissions) =>
      call('POST', pathTo(['gm', game, 'token']), permissions === undefined ? {} : { permissions }),
    issueOperatorKey: (key) => call('POST', pathTo(['sys', 'keys']), key),
    operatorKeys: (paging = {}) => call('GET', pathTo(['sys', 'keys'], { ...paging })),
    revokeOperatorKey: (prefix) => call('DELETE', pathTo(['sys', 'keys', prefix])),

    createLeaderboard: (game, leaderboard) => call('POST', pathTo(['gm', game, 'lb']), leaderboard),
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
    playerTicket: (game, player) => call('POST', pathTo(['gm', game, 'player', 'ticket']), player),
    renamePlayer: (game, id, name) => call('PUT', pathTo(['gm', game, 'players', id]), { name }),
    exportPlayer: (game, id, ending) => text(pathTo(['gm', game, 'players', id, 'export']), ending),
    banPlayer: (game, id, ban = {}) => call('POST', pathTo(['gm', game, 'players', id, 'ban']), ban),
    unbanPlayer: (game, id) => call('POST', pathTo(['gm', game, 'players', id, 'unban'])),
    signOutPlayer: (game, id) => call('POST', pathTo(['gm', game, 'players', id, 'signout'])),
    consoleLink: () => call('POST', pathTo(['console', 'link'])),
    deletePlayer: (game, id) => call('DELETE', pathTo(['gm', game, 'players', id])),
  }
}
