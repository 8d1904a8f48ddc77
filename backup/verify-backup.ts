// Verifies everything at a backup destination: the newest manifest and all that it lists, and that each older backup is a
// beginning of that log.

import { type BackupDestination, BackupFault } from './destination.ts'
import { type BackupManifest, readHeadings, requireNewest } from './manifest.ts'
import { checkedLog } from './read-log.ts'
import { readSecrets } from './secrets.ts'

export interface VerifiedBackups {
  /** Number of backups. */
  readonly backups: number
  readonly newest: BackupManifest
  readonly secrets: number
}

/** `onProgress`: the number of checked events, and of all. Throws BackupFault or ArchiveFault. */
export async function verifyBackups(
  destination: BackupDestination,
  onProgress: (done: number, all: number) => void,
): Promise<VerifiedBackups> {
  const newest = await requireNewest(destination)
  const backups = await readHeadings(destination)
  const heads = new Map(backups.map(({ head, events }) => [head, events]))
  heads.delete(null)
  let done = 0
  for await (const events of checkedLog(destination, newest)) {
    for (const { position } of events) {
      done++
      const expected = heads.get(position)
      if (expected === undefined) continue
      if (expected !== done)
        throw new BackupFault(`A backup in ${destination.shown} has another number of events up to ${position}.`)
      heads.delete(position)
    }
    onProgress(done, newest.events)
  }
  for (const head of heads.keys())
    throw new BackupFault(`A backup in ${destination.shown} ends at ${head}, which is missing.`)
  let secrets = 0
  for await (const page of readSecrets(destination, newest.secrets)) secrets += page.length
  return { backups: backups.length, newest, secrets }
}
