// Games and their API answers.

import type { Game } from '../domain/game.ts'
import { asFolded, type Folded, folded, foldedPage, type Page, type Paging, type QueryDeps } from './deps.ts'

export const findGame = (deps: QueryDeps, id: string) => folded<Game>(deps, 'games', id)

/** Games in the order of `ids`, in one read; null for an unknown id. */
export async function findGames(deps: QueryDeps, ids: readonly string[]): Promise<(Folded<Game> | null)[]> {
  const documents = await deps.views.get(deps.viewKey('games'), 'games', ids)
  return documents.map((document) => (document === null ? null : asFolded<Game>(document)))
}

export async function listGames(deps: QueryDeps, paging: Paging): Promise<Page<Folded<Game>>> {
  return foldedPage<Game>(deps, 'games', { index: 'all', equal: [] }, paging)
}

export function gameAnswer(id: string, game: Game) {
  return {
    id,
    name: game.name,
    created: game.created,
    cors_origins: game.corsOrigins,
    sign_in: game.signIn,
    realtime: game.realtime,
    fixed_rooms: game.fixedRooms,
  }
}
