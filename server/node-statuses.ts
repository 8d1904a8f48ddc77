// Creates the statuses of a node, and chooses how long it caches them: longer without servers.

import { keysInLog } from '../access/key-in-log.ts'
import type { NodeRevocations } from '../access/revocations.ts'
import { STATUS_CACHED_EMBEDDED_MS, STATUS_CACHED_MS } from '../access/status-cache.ts'
import { createStatuses, type Statuses } from '../access/statuses.ts'
import type { QueryDeps } from '../queries/deps.ts'
import type { Stores } from '../stores/contract/stores.ts'
import type { DeletedGames } from '../stores/log-decorators/hiding/deleted-games.ts'
import type { Config } from './config.ts'
import type { CacheSizes } from './memory.ts'

interface Sources {
  readonly stores: Pick<Stores, 'log'>
  readonly revocations: NodeRevocations
  readonly deletedGames: DeletedGames
  readonly cacheSizes: Pick<CacheSizes, 'statuses'>
}

export function createNodeStatuses(
  config: Pick<Config, 'servers'>,
  queries: QueryDeps,
  { stores, revocations, deletedGames, cacheSizes }: Sources,
): Statuses {
  return createStatuses(queries, revocations, {
    keyInLog: keysInLog(stores.log),
    isDeleted: deletedGames.has,
    cachedMs: statusCachedMs(config),
    maxCached: cacheSizes.statuses,
  })
}

/** In milliseconds. */
export const statusCachedMs = ({ servers }: Pick<Config, 'servers'>): number =>
  servers === null ? STATUS_CACHED_EMBEDDED_MS : STATUS_CACHED_MS
