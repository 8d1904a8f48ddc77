// Writes a backup: new chunks of the log, then the secrets, then the manifest, which makes all of it the newest backup,
// and at last removes what no backup needs any more. Interrupted at any moment, the backups before it are whole, and
// the next one continues after the chunks that are there.

import type { StoredEvent } from '../../domain/event.ts'
import { readChunk } from './chunk.ts'
import { type Retention, removeUnneeded } from './cleanup.ts'
import { collectDeletions, type DeletionCollector, type Deletions, withoutDeleted } from './deletions.ts'
import { type BackupDestination, BackupFault, type DestinationLock } from './destination.ts'
import { findStartingPoints, NOTHING, type StartingPoint } from './found-chunks.ts'
import {
  type BackupHeading,
  type BackupManifest,
  backupIds,
  bytesOf,
  type ChunkEntry,
  readNewest,
  writeManifest,
} from './manifest.ts'
import { backupIdAfter, backupIdOf, LOGS } from './objects.ts'
import { type OpenSource, type Reading, type ReceivedLines, receiveLines } from './receive-lines.ts'

interface BackupOptions {
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
  readonly manifest: Omit<BackupHeading, 'authentication'>
  /** Events that the destination did not have before. */
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
  if (newest === null) await refuseForeign(destination)
  const { read, known, rewritten } = await readAll(options, lock, newest)
  const { head, end, chunks, secrets } = read
  const madeMs = now()
  const id = backupIdOf(madeMs)
  const heading = {
    id: newest !== null && id <= newest.id ? backupIdAfter(newest.id) : id,
    version: head.version,
    installation: head.installation,
    begun: head.time,
    made: new Date(madeMs).toISOString(),
    events: end.events,
    head: head.head,
    until: end.until,
    bytes: bytesOf({ chunks, secrets }),
  }
  await lock.confirm()
  const { log_chain, secrets_sha256, key } = end
  const lists = await writeManifest(destination, { ...heading, chunks, secrets, log_chain, secrets_sha256, key })
  const kept = { ids: [...ids, heading.id], newest: { ...heading, chunks, secrets }, lists }
  const removed = await removeUnneeded({ destination, lock, ...kept, retention, nowMs: madeMs })
  return { manifest: heading, newEvents: end.events - known, rewritten, removed }
}

/** Throws BackupFault if another program keeps files where the first backup would write. */
async function refuseForeign(destination: BackupDestination): Promise<void> {
  const name = await destination.foreignName()
  if (name === null) return
  throw new BackupFault(
    `${destination.shown} has no backups yet, but ${name}, which no backup wrote. Nothing was written. Choose an empty folder or prefix.`,
  )
}

interface ReadAll {
  readonly read: ReceivedLines
  /** Number of events that the destination had before. */
  readonly known: number
  readonly rewritten: number
}

/**
 * Reads the log after the chunks that are kept. Where a deletion concerns one of these, it reads again from there: the
 * server's log does not have what was deleted, and codes of later chunks depend on those before.
 */
async function readAll(
  { destination, open, ending, onProgress }: BackupOptions,
  lock: DestinationLock,
  newest: BackupManifest | null,
): Promise<ReadAll> {
  const installation = newest?.installation ?? (await interruptedInstallation(destination))
  const reading: Reading = { destination, lock, open, ending, installation, onProgress }
  const points = installation === null ? [NOTHING] : await findStartingPoints(destination, installation, newest)
  const begun = await readFromFirst(reading, points)
  const { deletions } = begun
  let { read, start } = begun
  for (;;) {
    const at = await firstWithDeleted(destination, read.head.installation, start.chunks, deletions)
    if (at === null) break
    start = { ...start, chunks: start.chunks.slice(0, at) }
    const again = await receiveLines(reading, start, deletions)
    if (typeof again === 'string') throw diverged(destination)
    read = again
  }
  const known = Math.min(begun.start.events, read.end.events)
  return { read, known, rewritten: countRewritten(newest, read, deletions) }
}

/**
 * Reads from the first of these that the server's log continues: it made their codes, and no repair changed their
 * events.
 */
async function readFromFirst(
  reading: Reading,
  points: readonly StartingPoint[],
): Promise<{ readonly read: ReceivedLines; readonly start: StartingPoint; readonly deletions: DeletionCollector }> {
  for (const start of points) {
    const deletions = collectDeletions()
    deletions.add(start.left)
    const read = await receiveLines(reading, start, deletions)
    if (read === 'notOurs' || read === 'beforeRepair') continue
    if (read !== 'diverged') return { read, start, deletions }
    // Only what a manifest lists shows that the log is another one. Anything may have been left beside it.
    if (start.left.length === 0) break
  }
  throw diverged(reading.destination)
}

const diverged = ({ shown }: BackupDestination) =>
  new BackupFault(
    `The log does not continue the backups in ${shown}: its last event that they have is missing or another one. ` +
      'Use another folder or prefix.',
  )

/** Older chunks that held something deleted, and have other events now. */
function countRewritten(
  newest: BackupManifest | null,
  { chunks }: ReceivedLines,
  deletions: DeletionCollector,
): number {
  const written = new Set(chunks.map(({ sha256 }) => sha256))
  const replaced = (newest?.chunks ?? []).filter(({ sha256 }) => !written.has(sha256))
  return replaced.filter((chunk) => holdsDeleted(chunk, deletions)).length
}

/** The installation whose first backup was interrupted; null if there is nothing here. */
async function interruptedInstallation(destination: BackupDestination): Promise<string | null> {
  const [name] = await destination.list(LOGS)
  return name?.slice(LOGS.length).split('/')[0] ?? null
}

/** Whether the chunk may hold data of removed games, or texts in clear of deleted players. */
const holdsDeleted = ({ games, clear }: ChunkEntry, { erasedGames, players }: Deletions): boolean =>
  (games === null ? erasedGames.size > 0 : games.some((game) => erasedGames.has(game))) || (clear && players.size > 0)

/**
 * The index of the first chunk that holds what was deleted since it was written; null if none does. Throws BackupFault
 * or ArchiveFault.
 */
async function firstWithDeleted(
  destination: BackupDestination,
  installation: string,
  chunks: readonly ChunkEntry[],
  deletions: Deletions,
): Promise<number | null> {
  const isChanged = (event: StoredEvent) => JSON.stringify(withoutDeleted(event, deletions)) !== JSON.stringify(event)
  for (const [index, chunk] of chunks.entries()) {
    if (!holdsDeleted(chunk, deletions)) continue
    const { events } = await readChunk(destination, installation, chunk)
    if (events.some(isChanged)) return index
  }
  return null
}
