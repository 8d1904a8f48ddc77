// Options of the statuses in tests: no key is only in the log, no game is deleted, and caches are those of a server.

import { STATUS_CACHED_MS } from '../../access/status-cache.ts'
import { type createStatuses, MAX_CACHED_STATUSES } from '../../access/statuses.ts'

export const STATUS_OPTIONS: Parameters<typeof createStatuses>[2] = {
  keyInLog: async () => null,
  isDeleted: () => false,
  cachedMs: STATUS_CACHED_MS,
  maxCached: MAX_CACHED_STATUSES,
}
