// Records, in the store of views, the removals of deleted games that its documents have taken part in. If that is
// missing, the views were written before the removal: by a version that could lose it in a crash, or the file is an
// older copy. Nothing else would remove what they hold of the game, because the log no longer has its events.

import type { AllRankings } from '../stores/contract/rankings.ts'
import type { Views } from '../stores/contract/views.ts'

const VIEW = { key: 'removals@1', collections: ['begun', 'ended'].map((name) => ({ name, indexes: {} })) }
/** Position of these documents, which are written once. */
const POS = '0'.repeat(16)

export interface GameRemovals {
  /** Call it when the views have applied all events of the game, and before the first of them is removed. */
  begun(game: string): Promise<void>
  /** Call it when the views hold nothing of the game any more, and before the log says so. */
  ended(game: string): Promise<void>
}

/** A game whose events readers skip. */
export interface RemovedGame {
  readonly game: string
  /** Whether the log says that all its data is removed. */
  readonly isErased: boolean
}

export function createGameRemovals(views: Pick<Views, 'prepare' | 'commit'>): GameRemovals {
  const record = async (collection: string, games: readonly string[]) => {
    await views.prepare(VIEW)
    const writes = games.map((id) => ({ collection, id, pos: POS, body: {} }))
    await views.commit([{ view: VIEW.key, writes, checkpoints: new Map() }])
  }
  return {
    begun: (game) => record('begun', [game]),
    ended: (game) => record('ended', [game]),
  }
}

interface DropDeps {
  readonly views: Views
  readonly rankings: Pick<AllRankings, 'drop'>
}

/**
 * At start: drops the views with these names, in all versions and builds, if they lack the removal of a game. They are
 * built from the log, which does not show the game's events. Returns the dropped keys. Only for a store that no other
 * process uses.
 */
export async function dropViewsBeforeRemovals(
  { views, rankings }: DropDeps,
  removed: readonly RemovedGame[],
  names: ReadonlySet<string>,
): Promise<readonly string[]> {
  if (removed.length === 0 || (await knowAll(views, removed))) return []
  const keys = (await views.list()).filter((key) => names.has(key.split('@')[0] ?? ''))
  for (const key of keys) {
    await rankings.drop(key)
    await views.drop(key)
  }
  const record = createGameRemovals(views)
  for (const { game, isErased } of removed) await (isErased ? record.ended(game) : record.begun(game))
  await views.durable()
  return keys
}

async function knowAll(views: Views, removed: readonly RemovedGame[]): Promise<boolean> {
  await views.prepare(VIEW)
  const ids = removed.map(({ game }) => game)
  const [begun, ended] = [await views.get(VIEW.key, 'begun', ids), await views.get(VIEW.key, 'ended', ids)]
  return removed.every(({ isErased }, at) => (isErased ? ended : begun)[at] !== null)
}
