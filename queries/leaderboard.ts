// Leaderboards, as answered.

import type { Leaderboard } from '../domain/leaderboard.ts'
import { partitionOf } from '../domain/partition.ts'
import { rankingKey } from '../ranking/key.ts'
import { areRankingsOut } from '../stores/contract/rankings.ts'
import { type Folded, folded, foldedPage, type Page, type Paging, type QueryDeps } from './deps.ts'

export interface Board extends Folded<Leaderboard> {
  readonly game: string
  /** Which generation of its entries is shown. */
  readonly generation: number
}

/** A leaderboard, or null; archived ones only on request. */
export async function findBoard(deps: QueryDeps, id: string, archivedToo = false): Promise<Board | null> {
  const found = await folded<Leaderboard>(deps, 'leaderboards', id)
  return found === null || (found.state.archived && !archivedToo) ? null : (found as Board)
}

export async function listBoards(deps: QueryDeps, game: string, paging: Paging): Promise<Page<Board>> {
  const page = await foldedPage<Leaderboard>(deps, 'leaderboards', { index: 'game', equal: [game] }, paging)
  return { ...page, rows: page.rows as readonly Board[] }
}

/** `entries` where they are counted already: of an instant. */
export async function boardAnswer(deps: QueryDeps, { id, game, generation, state }: Board, entries?: number) {
  const { name, description, rules } = state
  return {
    id,
    name,
    description,
    game,
    ordering: rules.ordering,
    secondary_ordering: rules.secondaryOrdering,
    unique: rules.unique,
    min_score: rules.minScore,
    max_score: rules.maxScore,
    entries: entries ?? (await numberOfEntries(deps, game, rankingKey(id, generation))),
  }
}

/**
 * Also while the rankings are being filled, or their store is away: a board that was made
 * or changed is always answered.
 */
async function numberOfEntries(deps: QueryDeps, game: string, key: string): Promise<number> {
  const view = deps.viewKey('entries')
  const rankings = deps.rankings.of(view, partitionOf(game))
  return rankings.size(key).catch((why: unknown) => {
    if (!areRankingsOut(why)) throw why
    const find = { view, collection: 'entries', index: 'rank', equal: [key] }
    return deps.views.count({ ...find, limit: Number.MAX_SAFE_INTEGER })
  })
}
