// Leaderboards by key. An id is recognised by its form and costs no look-up. A key costs two documents of one view,
// which are in memory.

import { isBoardKey, type KeyClaim } from '../domain/board-key.ts'
import type { Position } from '../domain/event.ts'
import { asFolded, type QueryDeps } from './deps.ts'
import { findBoard } from './leaderboard.ts'

/**
 * Stands for the leaderboard of an unknown key. No id has this character, and no permission: a permission covers it
 * only with a wildcard.
 */
export const NO_BOARD = '?'

export interface KeyedBoard {
  readonly board: string
  /** The position of the claim: calls before it may have meant another leaderboard. */
  readonly since: Position
}

/** A key as a caller has named it, and the leaderboard that has it; null if none has. */
export interface NamedKey {
  readonly key: string
  readonly board: KeyedBoard | null
}

/** Null if no leaderboard of the game has the key. */
export async function findByKey(deps: QueryDeps, game: string, key: string): Promise<KeyedBoard | null> {
  const claims = await deps.views.current(deps.viewKey('leaderboards'), 'board_keys', [`${game}.${key}`], 'now')
  const [document = null] = claims
  if (document === null) return null
  const { board, claim } = asFolded<KeyClaim>(document).state
  // The claim is made before the leaderboard takes the key, and is released after it has given it up.
  for (const freshness of ['waited', 'now'] as const) {
    const found = await findBoard(deps, board, false, freshness)
    if (found?.game === game && found.state.claim === claim) return { board, since: document.pos }
  }
  return null
}

/** The id of the leaderboard that a caller of a game names by id or key; NO_BOARD for an unknown key. */
export async function boardIdOf(deps: QueryDeps, game: string, given: string): Promise<string> {
  return isBoardKey(given) ? ((await findByKey(deps, game, given))?.board ?? NO_BOARD) : given
}
