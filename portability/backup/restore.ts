// Restores a backup into empty embedded stores. From before the first secret until the end the import marker is in the
// vault, so no process serves from an incomplete restore.

import { randomBytes } from 'node:crypto'
import { type WorkingKeys, workingKeys } from '../../credentials/master.ts'
import { PERSONAL_FIELDS } from '../../domain/personal.ts'
import { StoresFault } from '../../stores/contract/faults.ts'
import type { OpenedStores, Stores } from '../../stores/contract/stores.ts'
import type { Secret } from '../../stores/contract/vault.ts'
import { createEventSeals } from '../../stores/log-decorators/sealing/events.ts'
import { openSealed, RESTORED, type RootedKey } from '../../stores/log-decorators/sealing/open.ts'
import type { MasterKeys } from '../../stores/log-decorators/sealing/row.ts'
import { sealVault } from '../../stores/log-decorators/sealing/vault.ts'
import { appending } from '../import/import-append.ts'
import { deleteImportMarker, writeImportMarker } from '../import/import-marker.ts'
import { refuseOtherKeys } from './authenticity.ts'
import type { BackupCodes } from './codes.ts'
import { collectDeletions, type Deletions, withoutDeleted } from './deletions.ts'
import { type BackupDestination, BackupFault } from './destination.ts'
import { checkedLog, readLog } from './destination-log.ts'
import { collectKnownSecrets, type KnownSecrets } from './known-secrets.ts'
import type { BackupManifest } from './manifest.ts'
import { collectNarrowedKeys, type NarrowedKey } from './narrowed-keys.ts'
import { createSelection, cutAt, type IsUpTo, type RestorePoint } from './restore-point.ts'
import { readSecrets } from './secrets.ts'

/** Secrets stored together. */
const PUT_TOGETHER = 500
const RESTORE_ID_BYTES = 6
/** In the import marker, in place of the chain of an export. */
const MARK = 'restore'

interface Restore {
  readonly destination: BackupDestination
  /** The newest backup: it lists the log and the secrets of all. */
  readonly newest: BackupManifest
  readonly point: RestorePoint
  /** Of `openCodes`; null: the operator trusts everybody who can write to the destination. */
  readonly codes: BackupCodes | null
  onProgress(phase: 'checking' | 'restoring', done: number, all: number): void
  /** Runs when all is stored, before anything is served. It must set the permissions of these keys, by commands. */
  finish(stores: Stores, keys: WorkingKeys, narrowed: readonly NarrowedKey[]): Promise<void>
}

export interface Restored {
  readonly events: number
  /** Events after the point that were taken because they delete or revoke something. */
  readonly deletionEvents: number
  /** Secrets of the backup that belong to no player, login or key of the restored log. */
  readonly secretsLeftOut: number
  /** Keys whose permissions were narrowed after the point. */
  readonly narrowedKeys: number
  readonly until: string | null
  readonly installation: string
}

/**
 * Throws StoresFault, BackupFault or ArchiveFault. The stores are unusable after a failure: a restore begins with empty
 * ones.
 */
export async function restoreBackup(
  opened: OpenedStores,
  keys: MasterKeys<RootedKey>,
  restore: Restore,
): Promise<Restored> {
  await refuseUsed(opened)
  await refuseOtherKeys(restore.destination, restore.newest, keys)
  const { destination, newest, point, codes } = restore
  const isUpTo = await cutAt(point, readLog(destination, newest, codes))
  const { deletions, known, narrowed } = await examine(restore, isUpTo)
  const sealed = sealVault(opened.vault, keys)
  await writeImportMarker(sealed, MARK)
  const secretsLeftOut = await putSecrets(opened, restore, { deletions, known })
  const restoreId = newRestoreId()
  await sealed.putIfAbsent(RESTORED.kind, RESTORED.id, Buffer.from(restoreId))
  const { stores, root } = await openSealed(opened, keys, PERSONAL_FIELDS)
  const written = await writeEvents(opened, stores, restore, { deletions, isUpTo })
  const working = workingKeys(root, restoreId)
  await restore.finish(stores, working, narrowed)
  await deleteImportMarker(stores.vault)
  return { ...written, secretsLeftOut, narrowedKeys: narrowed.length, installation: working.installation }
}

export const newRestoreId = (): string => randomBytes(RESTORE_ID_BYTES).toString('hex')

interface Examined {
  readonly deletions: Deletions
  readonly known: KnownSecrets
  readonly narrowed: readonly NarrowedKey[]
}

/** Checks the whole log, and reads from it what the restore depends on. */
async function examine({ destination, newest, codes, onProgress }: Restore, isUpTo: IsUpTo): Promise<Examined> {
  const [deletions, known, keys] = [collectDeletions(), collectKnownSecrets(), collectNarrowedKeys()]
  let checked = 0
  for await (const events of checkedLog(destination, newest, codes)) {
    deletions.add(events)
    for (const event of events) {
      const isUpToPoint = isUpTo(event)
      if (isUpToPoint) known.add(event)
      keys.add(event, isUpToPoint)
    }
    checked += events.length
    onProgress('checking', checked, newest.events)
  }
  return { deletions, known, narrowed: keys.list(deletions.games) }
}

async function refuseUsed({ log, vault, views }: OpenedStores): Promise<void> {
  const isEmpty =
    (await log.head()) === null && (await vault.scan(null, 1)).length === 0 && (await views.list()).length === 0
  if (!isEmpty)
    throw new StoresFault('A backup is restored into an empty data folder only. Name another one with --to.')
}

/**
 * Returns how many secrets it left out. It never writes those, so an interrupted restore leaves no byte of them either.
 */
async function putSecrets(
  { vault }: OpenedStores,
  { destination, newest }: Restore,
  { deletions: { players }, known }: Pick<Examined, 'deletions' | 'known'>,
): Promise<number> {
  const deleted = [...players].filter(known.hasPlayer)
  const gone = new Set(deleted.map((player) => `player-key/${player}`))
  const put = ({ kind, id, value }: Secret): Promise<unknown> => {
    const isTombstone = value.length === 0 || gone.has(`${kind}/${id}`)
    return isTombstone ? vault.destroyForGood(kind, id) : vault.putIfAbsent(kind, id, value)
  }
  let leftOut = 0
  for await (const secrets of readSecrets(destination, newest.secrets)) {
    const taken = secrets.filter(known.has)
    leftOut += secrets.length - taken.length
    for (let at = 0; at < taken.length; at += PUT_TOGETHER) {
      await Promise.all(taken.slice(at, at + PUT_TOGETHER).map(put))
    }
  }
  // Nothing may make a new key for a deleted player.
  for (const player of deleted) await vault.destroyForGood('player-key', player)
  return leftOut
}

async function writeEvents(
  opened: OpenedStores,
  stores: Stores,
  { destination, newest, codes, onProgress }: Restore,
  { deletions, isUpTo }: { readonly deletions: Deletions; readonly isUpTo: IsUpTo },
): Promise<Pick<Restored, 'events' | 'deletionEvents' | 'until'>> {
  const isTaken = createSelection(isUpTo, deletions)
  const seals = createEventSeals(stores.vault, PERSONAL_FIELDS)
  const append = appending(opened.log, stores.vault)
  const count = { events: 0, deletionEvents: 0, until: null as string | null }
  let done = 0
  for await (const events of readLog(destination, newest, codes)) {
    const taken = events.filter(isTaken)
    // Text of deleted players reads as null, and text in clear of an older version is encrypted.
    await append(await seals.open(taken.map((event) => withoutDeleted(event, deletions))))
    for (const event of taken) {
      if (!isUpTo(event)) count.deletionEvents++
      else if (count.until === null || event.meta.time > count.until) count.until = event.meta.time
    }
    count.events += taken.length
    done += events.length
    onProgress('restoring', done, newest.events)
  }
  if (count.until === null) throw new BackupFault('The backups have no event up to that point.')
  return count
}
