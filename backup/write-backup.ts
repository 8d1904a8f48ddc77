// Writes a backup: new chunks of the log, then the secrets, then the manifest, which makes all of it the newest backup, and
// at last removes what no backup needs any more. Interrupted at any moment, the backups before it are whole, and the next one
// continues after the chunks that are there.

import { type BackedUpLog, openBackedUpLog } from './backed-up-log.ts'
import { type Retention, removeUnneeded } from './cleanup.ts'
import { type BackupDestination, BackupFault, type DestinationLock } from './destination.ts'
import { type BackupManifest, backupIds, bytesOf, readNewest, writeManifest } from './manifest.ts'
import { backupIdAfter, backupIdOf, LOGS } from './names.ts'
import { faultyLog, requireSinceRepair } from './revision-lines.ts'
import { createSecretsWriter } from './secrets.ts'
import type { BackupHead, BackupLine } from './source.ts'

/** Opens a source after a position (null: from the beginning). */
export type OpenSource = (from: string | null, ending: AbortSignal) => AsyncIterable<readonly BackupLine[]>

export interface BackupOptions {
  readonly destination: BackupDestination
  readonly open: OpenSource
  readonly retention: Retention
  readonly ending: AbortSignal
  /** Unix milliseconds. */
  readonly now: () => number
  /** Number of events read in this run, and the last one's position and the head of the log. */
  readonly onProgress: (events: number, last: string, head: string) => void
}

export interface WrittenBackup {
  readonly manifest: BackupManifest
  /** Events that no backup had before. */
  readonly newEvents: number
  /** Chunks that were rewritten because data in them was deleted since. */
  readonly rewritten: number
  /** Ids of backups that were removed. */
  readonly removed: readonly string[]
}

/** Throws BackupFault, and what the source and the destination throw. */
export async function writeBackup(options: BackupOptions): Promise<WrittenBackup> {
  const { destination } = options
  const lock = await destination.lock()
  try {
    return await writeLocked(options, lock)
  } finally {
    await lock.release()
  }
}

async function writeLocked(options: BackupOptions, lock: DestinationLock): Promise<WrittenBackup> {
  const { destination, now, retention } = options
  const ids = await backupIds(destination)
  const newest = await readNewest(destination, ids)
  const { log, newEvents, rewritten, head, secrets } = await readSource(options, lock, newest)
  const madeMs = now()
  const id = backupIdOf(madeMs)
  const manifest: BackupManifest = {
    id: newest !== null && id <= newest.id ? backupIdAfter(newest.id) : id,
    version: head.version,
    installation: head.installation,
    begun: head.time,
    made: new Date(madeMs).toISOString(),
    events: log.events,
    head: log.last,
    until: log.until,
    bytes: bytesOf({ chunks: log.chunks, secrets }),
    chunks: log.chunks,
    secrets,
  }
  await lock.confirm()
  const lists = await writeManifest(destination, manifest)
  const kept = { ids: [...ids, manifest.id], newest: manifest, lists }
  const removed = await removeUnneeded({ destination, lock, ...kept, retention, nowMs: madeMs })
  return { manifest, newEvents, rewritten, removed }
}

async function readSource(
  { destination, open, ending, onProgress }: BackupOptions,
  lock: DestinationLock,
  newest: BackupManifest | null,
) {
  const installation = newest?.installation ?? (await interruptedInstallation(destination))
  let log = installation === null ? null : await openLog(destination, lock, installation, newest)
  const writer = createSecretsWriter(destination)
  let head: BackupHead | null = null
  let end: { readonly events: number; readonly secrets: number } | null = null
  let [newEvents, secrets] = [0, 0]
  for await (const lines of open(log?.last ?? null, ending)) {
    lock.check()
    for (const line of lines) {
      if ('log' in line) {
        head = line.log
        log = await accepted(destination, lock, head, log)
        await requireSinceRepair(log, head.repaired ?? [], destination.shown)
      } else if ('secret' in line) {
        await writer.add(line.secret)
        secrets++
      } else if ('end' in line) end = line.end
      else if ('faulty' in line) throw faultyLog(line.faulty)
    }
    const events = lines.flatMap((line) => ('event' in line ? [line.event] : []))
    if (log === null || events.length === 0) continue
    await log.add(events)
    newEvents += events.length
    onProgress(newEvents, log.last ?? '', head?.head ?? '')
  }
  if (ending.aborted) throw new BackupFault('Stopped. The backups before it are whole; the next one continues here.')
  if (log === null || head === null || end?.events !== newEvents || end.secrets !== secrets) {
    throw new BackupFault('The server ended the answer too early. Run the backup again: it continues here.')
  }
  const rewritten = await log.finish()
  return { log, head, newEvents, rewritten, secrets: await writer.finish() }
}

/** The installation whose first backup was interrupted; null if there is nothing here. */
async function interruptedInstallation(destination: BackupDestination): Promise<string | null> {
  const [name] = await destination.list(LOGS)
  return name?.slice(LOGS.length).split('/')[0] ?? null
}

function openLog(
  destination: BackupDestination,
  lock: DestinationLock,
  installation: string,
  newest: BackupManifest | null,
) {
  return openBackedUpLog({ destination, lock, installation, chunks: newest?.chunks ?? [] })
}

/** Checks that the log is the one that was backed up to here. */
async function accepted(
  destination: BackupDestination,
  lock: DestinationLock,
  { installation, anchor }: BackupHead,
  log: BackedUpLog | null,
): Promise<BackedUpLog> {
  if (log === null) return openLog(destination, lock, installation, null)
  if (log.installation !== installation) {
    throw new BackupFault(
      `${destination.shown} has backups of another installation, or from before a restore. Use another folder or prefix.`,
    )
  }
  if (log.lastId === anchor) return log
  throw new BackupFault(
    `The log does not continue the backups in ${destination.shown}: its last event that they have is missing or another one. ` +
      'Use another folder or prefix.',
  )
}
