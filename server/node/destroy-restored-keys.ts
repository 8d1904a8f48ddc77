// At start: destroys what a vault that was restored from a backup contains of deleted players and games.

import type { Logger } from 'pino'
import type { QueryDeps } from '../../queries/deps.ts'
import { deleteRestoredKeys } from '../../reactions/delete-restored-keys.ts'
import type { Stores } from '../../stores/contract/stores.ts'

interface Destroying {
  readonly log: Logger
  now(): number
}

/** Requires views that have caught up. */
export async function destroyRestoredKeys(stores: Stores, queries: QueryDeps, { log, now }: Destroying): Promise<void> {
  const destroyed = await deleteRestoredKeys(stores.vault, stores.log, queries, now())
  if (destroyed === 0) return
  const text =
    'keys of deleted players or secrets of deleted games were in the vault, as in a restored backup: destroyed'
  log.warn({ buried: destroyed }, text)
}
