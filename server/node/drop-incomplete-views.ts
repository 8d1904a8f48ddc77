// At start: drops views that may hold data of deleted games, which nothing else would remove. The start builds them
// from the log.

import type { Logger } from 'pino'
import { SNAPSHOTS } from '../../commands/snapshots.ts'
import { viewsOver } from '../../projections/all.ts'
import { dropViewsBeforeRemovals } from '../../projections/game-removals.ts'
import type { Stores } from '../../stores/contract/stores.ts'
import type { DeletedGames } from '../../stores/log-decorators/hiding/deleted-games.ts'

/** Does nothing on a server, which loses no commit, and whose views other processes use. */
export async function dropIncompleteViews(
  stores: Stores,
  deletedGames: Pick<DeletedGames, 'hidden'>,
  log: Logger,
): Promise<void> {
  if (stores.documentErasure === null) return
  const names = new Set([...viewsOver(stores).map(({ name }) => name), SNAPSHOTS])
  const dropped = await dropViewsBeforeRemovals(stores, deletedGames.hidden(), names)
  if (dropped.length === 0) return
  log.warn({ views: dropped }, 'the views may hold data of deleted games: they are dropped and built from the log')
}
