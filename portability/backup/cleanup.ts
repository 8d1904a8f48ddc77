// Retention: which backups are kept, and removal of the objects that the newest manifest does not list. Only objects
// with names that a backup gives are removed.

import type { BackupDestination, DestinationLock } from './destination.ts'
import type { BackupManifest } from './manifest.ts'
import { chunkName, LISTS, logFolder, manifestName, SECRETS, secretsName, timeOfBackup } from './objects.ts'

const DAY_MS = 86_400_000

/** Keep the newest `backups`, or those of the last `days`; the newest is always kept. Null: keep all. */
export type Retention = { readonly backups: number } | { readonly days: number } | null

interface Cleanup {
  readonly destination: BackupDestination
  readonly lock: DestinationLock
  /** Of all backups, oldest first. */
  readonly ids: readonly string[]
  readonly newest: Pick<BackupManifest, 'installation' | 'chunks' | 'secrets'>
  /** Names of the objects that the lists of the newest are in. */
  readonly lists: readonly string[]
  readonly retention: Retention
  readonly nowMs: number
}

/** Returns the ids of removed backups. Interrupted, the next backup removes the rest. */
export async function removeUnneeded(cleanup: Cleanup): Promise<string[]> {
  const { destination, lock, ids, newest, lists, retention, nowMs } = cleanup
  const removed = ids.filter((id, index) => !isKept(id, ids.length - index, retention, nowMs))
  await lock.confirm()
  for (const id of removed) {
    lock.check()
    await destination.remove(manifestName(id))
  }
  const { installation, chunks, secrets } = newest
  const needed = new Set([
    ...chunks.map((chunk) => chunkName(installation, chunk)),
    ...secrets.map(({ sha256 }) => secretsName(sha256)),
    ...lists,
  ])
  for (const prefix of [logFolder(installation), SECRETS, LISTS]) {
    for (const name of await destination.list(prefix)) {
      if (needed.has(name)) continue
      lock.check()
      await destination.remove(name)
    }
  }
  return removed
}

/** `rank`: 1 for the newest. The id has the time of the backup, so no manifest is read. */
function isKept(id: string, rank: number, retention: Retention, nowMs: number): boolean {
  if (rank === 1 || retention === null) return true
  return 'backups' in retention ? rank <= retention.backups : timeOfBackup(id) >= nowMs - retention.days * DAY_MS
}
