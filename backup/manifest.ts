// The manifest of a backup. A backup is a prefix of the log. The newest manifest lists everything that is kept for all
// backups at its place; older ones only say up to where their log goes.

import { isBackupId, MANIFESTS, manifestName, sha256Hex } from './names.ts'
import { BackupFault, type BackupPlace } from './place.ts'

/** A compressed range of the log: the events after `after` (null: from the beginning) up to and including `last`. */
export interface ChunkEntry {
  readonly after: string | null
  readonly last: string
  readonly events: number
  /** Of the compressed bytes. */
  readonly sha256: string
  readonly bytes: number
  /** Games that have events in it; null if there are too many to list. */
  readonly games: readonly string[] | null
  /** Whether it holds personal text that an older version recorded without encryption. */
  readonly clear: boolean
}

export interface SecretsEntry {
  readonly sha256: string
  readonly bytes: number
  readonly secrets: number
}

export interface BackupManifest {
  readonly scorebook_backup: 1
  readonly id: string
  readonly version: string
  readonly installation: string
  /** ISO 8601, UTC, by the clock of the backup command: before it read the log. */
  readonly begun: string
  /** ISO 8601, UTC, by the clock of the backup command: after it read the last secret. */
  readonly made: string
  readonly events: number
  /** Position and time of the last event; null if there are none. */
  readonly head: string | null
  readonly until: string | null
  readonly chunks: readonly ChunkEntry[]
  readonly secrets: readonly SecretsEntry[]
}

const selfHash = (manifest: BackupManifest): string => sha256Hex(Buffer.from(JSON.stringify(manifest)))

export async function writeManifest(place: BackupPlace, manifest: BackupManifest): Promise<void> {
  const text = JSON.stringify({ ...manifest, sha256: selfHash(manifest) }, null, 1)
  await place.write(manifestName(manifest.id), Buffer.from(`${text}\n`))
}

/** Oldest first. */
export async function backupIds(place: BackupPlace): Promise<string[]> {
  const names = await place.list(MANIFESTS)
  return names.map((name) => name.slice(MANIFESTS.length).replace(/\.json$/, '')).filter(isBackupId)
}

/** Throws BackupFault if it is missing or was changed. */
export async function readBackupManifest(place: BackupPlace, id: string): Promise<BackupManifest> {
  const bytes = isBackupId(id) ? await place.read(manifestName(id)) : null
  if (bytes === null) throw new BackupFault(`There is no backup ${id} in ${place.shown}.`)
  const { sha256, ...manifest } = parsed(bytes) as BackupManifest & { readonly sha256?: unknown }
  if (manifest.scorebook_backup !== 1 || sha256 !== selfHash(manifest) || manifest.id !== id) {
    throw new BackupFault(`Backup ${id} in ${place.shown} has a damaged manifest, or one of a newer version.`)
  }
  return manifest
}

/** All backups, oldest first. Throws BackupFault if one of them is damaged. */
export async function readBackups(place: BackupPlace): Promise<BackupManifest[]> {
  const found: BackupManifest[] = []
  for (const id of await backupIds(place)) found.push(await readBackupManifest(place, id))
  return found
}

/** As `readBackups`; throws BackupFault if there is none. */
export async function requireBackups(place: BackupPlace) {
  const backups = await readBackups(place)
  const newest = backups.at(-1)
  if (newest === undefined) throw new BackupFault(`There is no backup in ${place.shown}.`)
  return { backups, newest }
}

function parsed(bytes: Buffer): object {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // An object without fields is refused by the caller.
  }
  return {}
}
