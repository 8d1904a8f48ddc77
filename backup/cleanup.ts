// Retention: which backups are kept, and removal of the objects that the newest manifest does not list.

import type { BackupManifest } from './manifest.ts'
import { chunkName, logFolder, manifestName, SECRETS, secretsName } from './names.ts'
import type { BackupPlace, PlaceLock } from './place.ts'

const DAY_MS = 86_400_000

/** Keep the newest `backups`, or those of the last `days`; the newest is always kept. Null: keep all. */
export type Retention = { readonly backups: number } | { readonly days: number } | null

interface Cleanup {
  readonly place: BackupPlace
  readonly lock: PlaceLock
  /** Oldest first; the last one lists what is kept. */
  readonly backups: readonly BackupManifest[]
  readonly retention: Retention
  readonly nowMs: number
}

/** Returns the ids of removed backups. Interrupted, the next backup removes the rest. */
export async function removeUnneeded({ place, lock, backups, retention, nowMs }: Cleanup): Promise<string[]> {
  const newest = backups.at(-1)
  if (newest === undefined) return []
  const removed = backups.filter((backup, index) => !isKept(backup, backups.length - index, retention, nowMs))
  for (const { id } of removed) {
    lock.check()
    await place.remove(manifestName(id))
  }
  const { installation, chunks, secrets } = newest
  const needed = new Set([
    ...chunks.map((chunk) => chunkName(installation, chunk)),
    ...secrets.map(({ sha256 }) => secretsName(sha256)),
  ])
  for (const prefix of [logFolder(installation), SECRETS]) {
    for (const name of await place.list(prefix)) {
      if (needed.has(name)) continue
      lock.check()
      await place.remove(name)
    }
  }
  return removed.map(({ id }) => id)
}

/** `rank`: 1 for the newest. */
function isKept({ made }: BackupManifest, rank: number, retention: Retention, nowMs: number): boolean {
  if (rank === 1 || retention === null) return true
  return 'backups' in retention ? rank <= retention.backups : Date.parse(made) >= nowMs - retention.days * DAY_MS
}
