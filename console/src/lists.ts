// The lists that the server answers in pages and does not search, each as pages of rows.

import type { Api, Game, Key, Leaderboard } from './api.ts'
import type { ListPage, Paging } from './rows-of-pages.ts'

type Pages<Row> = (paging: Paging) => Promise<ListPage<Row>>

/** The games of the installation. */
export const gamesOf = (api: Api): Pages<Game> => {
  return async (paging) => {
    const { games: rows, ...page } = await api.games(paging)
    return { ...page, rows }
  }
}

/** The keys of a game. */
export const keysOf = (api: Api, game: string): Pages<Key> => {
  return async (paging) => {
    const { keys: rows, ...page } = await api.keys(game, paging)
    return { ...page, rows }
  }
}

export const operatorKeysOf = (api: Api): Pages<Key> => {
  return async (paging) => {
    const { keys: rows, ...page } = await api.operatorKeys(paging)
    return { ...page, rows }
  }
}

/** The leaderboards of a game. */
export const boardsOf = (api: Api, game: string): Pages<Leaderboard> => {
  return async (paging) => {
    const { leaderboards: rows, ...page } = await api.leaderboards(game, paging)
    return { ...page, rows }
  }
}
