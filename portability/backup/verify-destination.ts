// Verifies everything at a backup destination: the newest manifest and all that it lists, and that each older backup is
// a beginning of that log. With the master key it checks the authentication codes too, without it only sums, which
// anyone can make.

import type { RootedKey } from '../../stores/log-decorators/sealing/open.ts'
import type { MasterKeys } from '../../stores/log-decorators/sealing/row.ts'
import { openCodes, requireAuthentic } from './authenticity.ts'
import { type BackupDestination, BackupFault } from './destination.ts'
import { checkedLog } from './destination-log.ts'
import { type BackupHeading, type BackupManifest, readHeadings, requireNewest } from './manifest.ts'
import { readSecrets } from './secrets.ts'

export interface VerifiedBackups {
  readonly backups: number
  /** Of them, those of earlier versions, which have no code; where codes are checked. */
  readonly withoutCode: number
  readonly newest: BackupManifest
  readonly secrets: number
}

interface Verification {
  /** Null: only sums are checked. */
  readonly keys: MasterKeys<RootedKey> | null
  /** The number of checked events, and of all. */
  onProgress(done: number, all: number): void
}

/** Throws BackupFault or ArchiveFault. */
export async function verifyBackups(
  destination: BackupDestination,
  { keys, onProgress }: Verification,
): Promise<VerifiedBackups> {
  const newest = await requireNewest(destination)
  const backups = await readHeadings(destination)
  const codes = keys === null ? null : await openCodes(destination, newest, keys)
  const withoutCode = codes === null ? [] : backups.filter(({ authentication }) => authentication === null)
  if (codes !== null) {
    // An earlier version cannot have made a backup after this one began to write codes.
    const firstCoded = backups.findIndex(({ authentication }) => authentication !== null)
    for (const backup of backups.slice(firstCoded)) requireAuthentic(destination, codes, backup)
  }
  const ends = endsOf(backups)
  let done = 0
  for await (const events of checkedLog(destination, newest, codes)) {
    for (const { position, meta } of events) {
      done++
      for (const { id, events: expected, until } of ends.get(position) ?? []) {
        if (expected === done && until === meta.time) continue
        throw new BackupFault(
          `Backup ${id} in ${destination.shown} states another number of events, or another time, at ${position}.`,
        )
      }
      ends.delete(position)
    }
    onProgress(done, newest.events)
  }
  for (const head of ends.keys())
    throw new BackupFault(`A backup in ${destination.shown} ends at ${head}, which is missing.`)
  let secrets = 0
  for await (const page of readSecrets(destination, newest.secrets)) secrets += page.length
  return { backups: backups.length, withoutCode: withoutCode.length, newest, secrets }
}

/** Position -> backups that end there. */
function endsOf(backups: readonly BackupHeading[]): Map<string, BackupHeading[]> {
  const ends = new Map<string, BackupHeading[]>()
  for (const backup of backups) {
    if (backup.head !== null) ends.set(backup.head, [...(ends.get(backup.head) ?? []), backup])
  }
  return ends
}
