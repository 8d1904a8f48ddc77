// A path that names a leaderboard by its key: the permission is checked, and the route called, with the id.

import { BEHIND_AFTER_MS } from '../../commands/command-context.ts'
import { isBoardKey } from '../../domain/board-key.ts'
import { Refusal } from '../../domain/decider.ts'
import type { KeyedBoard } from '../../queries/board-key.ts'
import type { Caller } from '../route.ts'
import type { ViewsProgress } from './consistency.ts'

export interface BoardKeys {
  /** The leaderboard of a game that has a key; null if none has it. */
  boardByKey(game: string, key: string): Promise<KeyedBoard | null>
}

/** The key that a path has in place of an id; null: none. */
export const keyIn = ({ leaderboard }: Readonly<Record<string, string>>): string | null =>
  leaderboard !== undefined && isBoardKey(leaderboard) ? leaderboard : null

/** The leaderboard of a key in the caller's game. A caller without a game may name ids only. */
export async function findNamed(keys: BoardKeys, caller: Caller | null, key: string): Promise<KeyedBoard | null> {
  const game = caller?.game ?? null
  return game === null ? null : keys.boardByKey(game, key)
}

/**
 * For a call, or a part of one, with an idempotency key: waits until the views show what was recorded before the key
 * belonged to this leaderboard, so that a repeat of a call about its former leaderboard is recognised. 503 `behind`.
 */
export async function awaitCallsBefore(
  progress: ViewsProgress,
  { caller, idempotencyKey }: { readonly caller: Caller | null; readonly idempotencyKey: string | null },
  { since }: KeyedBoard,
): Promise<void> {
  if (caller === null || idempotencyKey === null) return
  if (await progress.waitFor(caller.game, since, BEHIND_AFTER_MS)) return
  const detail = 'The leaderboard’s key has changed a moment ago. Send the call again after Retry-After.'
  throw new Refusal('unavailable', 'behind', detail, { retry_after: 1 })
}
