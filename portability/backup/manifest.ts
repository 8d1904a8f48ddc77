// The manifest of a backup. A backup is a prefix of the log. The newest manifest names the lists of everything that is
// kept for all backups at its destination; older ones only say up to where their log goes. The lists are in objects of
// their own: up to 1,000 entries each, one a line, named by their hash. A list that only grows keeps all of its objects
// but the last one, so a backup writes one, and manifests of long logs are small.

import { objectIn } from '../export/event-line.ts'
import { type BackupStatement, type CodedStatement, manifestCode } from './codes.ts'
import { type BackupDestination, BackupFault } from './destination.ts'
import {
  compressedLines,
  isBackupId,
  LISTS,
  listName,
  MANIFESTS,
  manifestName,
  parsedLine,
  readLines,
  sha256Hex,
  sha256OfList,
} from './objects.ts'
import { chunkEntry, manifest as manifestShape, secretsEntry } from './shapes.ts'

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
  /** What the server stated about it (codes.ts). Absent in the formats 1 and 2. */
  readonly last_id?: string
  readonly lines_sha256?: string
  readonly code?: string
}

export type CodedChunk = ChunkEntry & CodedStatement

/** Whether the server made a code for it. */
export const isCoded = (chunk: ChunkEntry): chunk is CodedChunk =>
  [chunk.last_id, chunk.lines_sha256, chunk.code].every((field) => typeof field === 'string')

export interface SecretsEntry {
  readonly sha256: string
  readonly bytes: number
  readonly secrets: number
}

/** What the manifest of every backup says, also of older ones. */
export interface BackupHeading {
  readonly id: string
  readonly version: string
  readonly installation: string
  /** ISO 8601, UTC, by the clock of the server: before it read the log. */
  readonly begun: string
  /** ISO 8601, UTC, by the clock of the backup command: after it read the last secret. */
  readonly made: string
  readonly events: number
  /** Position and time of the last event; null if there are none. */
  readonly head: string | null
  readonly until: string | null
  /** Of the compressed chunks and secrets. */
  readonly bytes: number
  /** Null in the formats 1 and 2. */
  readonly authentication: Authentication | null
}

/** What a manifest has to be checked with the installation's root secret. */
interface Authentication extends Sums {
  readonly code: string
  /** The text that `code` is of. */
  readonly text: string
}

/** `key`: of `manifestKey` for what is written. */
export type NewManifest = Omit<BackupManifest, 'authentication'> & Sums & { readonly key: string }

/** The manifest of the newest backup: also what is kept for all backups. */
export interface BackupManifest extends BackupHeading {
  readonly chunks: readonly ChunkEntry[]
  readonly secrets: readonly SecretsEntry[]
}

type Heading = Omit<BackupHeading, 'authentication'>

/** An object with up to 1,000 entries of a list. */
interface ListObject {
  readonly sha256: string
  readonly entries: number
}

interface Lists {
  readonly chunk_lists: readonly ListObject[]
  readonly secret_lists: readonly ListObject[]
}

/** A stored manifest. Format 1 has the lists inside, and no `bytes`. Formats 1 and 2 have no code. */
type Stored =
  | ({ readonly scorebook_backup: 1 } & Omit<BackupManifest, 'bytes' | 'authentication'>)
  | ({ readonly scorebook_backup: 2 } & Heading & Lists)
  | ({ readonly scorebook_backup: 3 } & Heading & Sums & Lists & { readonly code: string })

type Sums = Pick<BackupStatement, 'log_chain' | 'secrets_sha256'>

const READ_AT_ONCE = 16
const ENTRIES_PER_OBJECT = 1_000
/** An entry has at most some 2,000: the ids of 64 games. */
const MAX_LIST_BYTES = 4_096 * ENTRIES_PER_OBJECT

const selfHash = (stored: object): string => sha256Hex(Buffer.from(JSON.stringify(stored)))

/** Writes the lists and then the manifest. Returns the names of the objects that its lists are in. */
export async function writeManifest(destination: BackupDestination, manifest: NewManifest): Promise<readonly string[]> {
  const { chunks, secrets, log_chain, secrets_sha256, key, ...heading } = manifest
  const present = new Set((await destination.list(LISTS)).map(sha256OfList))
  const chunkLists = await writeList(destination, chunks, present)
  const secretLists = await writeList(destination, secrets, present)
  const sums: Sums = { log_chain, secrets_sha256 }
  const covered = {
    scorebook_backup: 3,
    ...heading,
    ...sums,
    chunk_lists: chunkLists,
    secret_lists: secretLists,
  } as const
  const stored: Stored = { ...covered, code: manifestCode(key, JSON.stringify(covered)) }
  await destination.write(manifestName(manifest.id), Buffer.from(fileText(stored)))
  return [...chunkLists, ...secretLists].map(({ sha256 }) => listName(sha256))
}

const fileText = (stored: Stored): string => `${JSON.stringify({ ...stored, sha256: selfHash(stored) }, null, 1)}\n`

/** Ids of all backups, oldest first. */
export async function backupIds(destination: BackupDestination): Promise<string[]> {
  const names = await destination.list(MANIFESTS)
  return names.map((name) => name.slice(MANIFESTS.length, -'.json'.length))
}

/** Throws BackupFault if there is no such backup, or if its manifest was changed. */
export async function readHeading(destination: BackupDestination, id: string): Promise<BackupHeading> {
  return headingOf(await readStored(destination, id))
}

/** Of all backups, oldest first. Throws BackupFault if a manifest was changed. */
export async function readHeadings(destination: BackupDestination): Promise<BackupHeading[]> {
  const ids = await backupIds(destination)
  const found: BackupHeading[] = []
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    const some = ids.slice(at, at + READ_AT_ONCE)
    found.push(...(await Promise.all(some.map((id) => readHeading(destination, id)))))
  }
  return found
}

/** Null if there is no backup. Throws BackupFault if it or one of its lists is damaged. */
export async function readNewest(
  destination: BackupDestination,
  ids: readonly string[],
): Promise<BackupManifest | null> {
  const id = ids.at(-1)
  if (id === undefined) return null
  const stored = await readStored(destination, id)
  const heading = headingOf(stored)
  if (stored.scorebook_backup === 1) return { ...heading, chunks: stored.chunks, secrets: stored.secrets }
  const chunks = await readList(destination, stored.chunk_lists, isChunkEntry)
  return { ...heading, chunks, secrets: await readList(destination, stored.secret_lists, isSecretsEntry) }
}

/**
 * Throws BackupFault if there is no backup. Needs no lock; `requireNewest` does, because the next backup removes the
 * lists.
 */
export async function requireBackup(destination: BackupDestination): Promise<void> {
  if ((await backupIds(destination)).length === 0) throw noBackup(destination)
}

/** As `readNewest`, and throws BackupFault if there is no backup. */
export async function requireNewest(destination: BackupDestination): Promise<BackupManifest> {
  const newest = await readNewest(destination, await backupIds(destination))
  if (newest === null) throw noBackup(destination)
  return newest
}

const noBackup = ({ shown }: BackupDestination): BackupFault => new BackupFault(`There is no backup in ${shown}.`)

async function readStored(destination: BackupDestination, id: string): Promise<Stored> {
  const bytes = isBackupId(id) ? await destination.read(manifestName(id)) : null
  if (bytes === null)
    throw new BackupFault(`There is no backup ${id} in ${destination.shown}. \`scorebook backup list\` names them.`)
  const { sha256, ...stored } = (objectIn(bytes.toString()) ?? {}) as Stored & { readonly sha256?: unknown }
  // What was parsed is used, not what the schema makes of it: the sum and the code are of that.
  const isOurs = manifestShape.safeParse(stored).success && sha256 === selfHash(stored) && stored.id === id
  // The code is of what was parsed, so nothing else may be in the file.
  if (!isOurs || (stored.scorebook_backup === 3 && bytes.toString() !== fileText(stored))) {
    throw new BackupFault(`Backup ${id} in ${destination.shown} has a damaged manifest, or one of a newer version.`)
  }
  return stored
}

function headingOf(stored: Stored): BackupHeading {
  const { id, version, installation, begun, made, events, head, until } = stored
  const bytes = stored.scorebook_backup === 1 ? bytesOf(stored) : stored.bytes
  return {
    id,
    version,
    installation,
    begun,
    made,
    events,
    head,
    until,
    bytes,
    authentication: authenticationIn(stored),
  }
}

function authenticationIn(stored: Stored): Authentication | null {
  if (stored.scorebook_backup !== 3) return null
  const { code, ...covered } = stored
  const { log_chain, secrets_sha256 } = covered
  return { log_chain, secrets_sha256, code, text: JSON.stringify(covered) }
}

export const bytesOf = ({ chunks, secrets }: Pick<BackupManifest, 'chunks' | 'secrets'>): number =>
  [...chunks, ...secrets].reduce((sum, { bytes }) => sum + bytes, 0)

/** Writes the objects whose hashes are not in `stored`: those are at the destination already. */
async function writeList(
  destination: BackupDestination,
  entries: readonly object[],
  stored: ReadonlySet<string>,
): Promise<ListObject[]> {
  const objects: ListObject[] = []
  for (let at = 0; at < entries.length; at += ENTRIES_PER_OBJECT) {
    const some = entries.slice(at, at + ENTRIES_PER_OBJECT)
    const bytes = await compressedLines(some.map((entry) => `${JSON.stringify(entry)}\n`))
    const sha256 = sha256Hex(bytes)
    if (!stored.has(sha256)) await destination.write(listName(sha256), bytes)
    objects.push({ sha256, entries: some.length })
  }
  return objects
}

const isChunkEntry = (row: unknown): row is ChunkEntry => chunkEntry.safeParse(row).success
const isSecretsEntry = (row: unknown): row is SecretsEntry => secretsEntry.safeParse(row).success

/**
 * Entries as they were written. Throws BackupFault if an object is missing, was changed, or is listed twice, or if a
 * row is no entry.
 */
export async function readList<Entry>(
  destination: BackupDestination,
  objects: readonly ListObject[],
  isEntry: (row: unknown) => row is Entry,
): Promise<Entry[]> {
  const all: Entry[] = []
  // Anyone can write a short list of objects that takes all memory.
  if (new Set(objects.map(({ sha256 }) => sha256)).size < objects.length)
    throw new BackupFault(`A manifest in ${destination.shown} names a list twice: a backup did not write it.`)
  for (const { sha256, entries } of objects) {
    const lines = await readLines(destination, listName(sha256), sha256, MAX_LIST_BYTES)
    if (lines.length !== entries) throw new BackupFault(`${listName(sha256)} has another number of entries.`)
    for (const line of lines) {
      const row = parsedLine(line, listName(sha256))
      if (!isEntry(row)) {
        throw new BackupFault(
          `${listName(sha256)} in ${destination.shown} has a row of another form: a backup did not write it.`,
        )
      }
      all.push(row)
    }
  }
  return all
}
