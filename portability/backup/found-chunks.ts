// The chunks at a destination that a backup can continue after: those that the newest manifest lists, and those that an
// interrupted backup left. The server says whether their codes are its own. Chunks without a code, and chunks from
// before a repair of the log, are written again from its log.

import type { StoredEvent } from '../../domain/event.ts'
import type { EventPlace } from '../../domain/stream-revisions.ts'
import type { CodedPrefix } from './backup-lines.ts'
import { CHUNK_EVENTS, CHUNK_LENGTH, type ReadChunk, readChunk } from './chunk.ts'
import { type CodedStatement, EMPTY_LOG, extended } from './codes.ts'
import type { BackupDestination } from './destination.ts'
import { type BackupManifest, type ChunkEntry, type CodedChunk, isCoded } from './manifest.ts'
import { chunkName, logFolder, parseChunkName } from './objects.ts'

export interface StartingPoint {
  /** Full chunks from the beginning of the log, which are kept if the server knows the code of the last one. */
  readonly chunks: readonly CodedChunk[]
  /** The last event that the destination has up to here, also beyond these chunks; null if there is none. */
  readonly end: { readonly position: string; readonly id: string } | null
  /** Number of events up to it. */
  readonly events: number
  /** Events of chunks that an interrupted backup left. */
  readonly left: readonly StoredEvent[]
}

export const NOTHING: StartingPoint = { chunks: [], end: null, events: 0, left: [] }

/** In the order to try them: each with fewer chunks. The last one has none. */
export async function findStartingPoints(
  destination: BackupDestination,
  installation: string,
  newest: BackupManifest | null,
): Promise<readonly StartingPoint[]> {
  const names = await destination.list(logFolder(installation))
  const listed = newest?.chunks ?? []
  const present = new Set(names)
  const isMissing = (chunk: ChunkEntry) => !isCoded(chunk) || !present.has(chunkName(installation, chunk))
  const firstMissing = listed.findIndex(isMissing)
  const usable = listed.slice(0, firstMissing === -1 ? listed.length : firstMissing).filter(isCoded)
  const end = await endOf(destination, installation, listed)
  const known = { end, events: newest?.events ?? 0, left: [] }
  const whole = { ...known, chunks: withoutShort(usable) }
  const points = [whole, { ...known, chunks: [] }]
  if (usable.length < listed.length) return points
  const left = await leftAfter(destination, installation, { names, after: whole })
  return left === null ? points : [left, ...points]
}

/** A last chunk that is not full is read and written again, so that frequent backups leave no small chunks. */
const withoutShort = (chunks: readonly CodedChunk[]): readonly CodedChunk[] => {
  const end = chunks.at(-1)
  const isShort = end !== undefined && end.events < CHUNK_EVENTS && end.bytes < CHUNK_LENGTH / 16
  return isShort ? chunks.slice(0, -1) : chunks
}

async function endOf(
  destination: BackupDestination,
  installation: string,
  chunks: readonly ChunkEntry[],
): Promise<StartingPoint['end']> {
  const end = chunks.at(-1)
  if (end === undefined) return null
  if (isCoded(end)) return { position: end.last, id: end.last_id }
  const { events } = await readChunk(destination, installation, end)
  return { position: end.last, id: events.at(-1)?.id ?? '' }
}

/** The same with the chunks that an interrupted backup left beyond its end. Null if there are none. */
async function leftAfter(
  destination: BackupDestination,
  installation: string,
  { names, after: start }: { readonly names: readonly string[]; readonly after: StartingPoint },
): Promise<StartingPoint | null> {
  const left = names.flatMap((name) => parseChunkName(installation, name) ?? [])
  const chunks = [...start.chunks]
  const events: StoredEvent[] = []
  let { end } = start
  for (;;) {
    const after = chunks.at(-1)?.last ?? null
    const beyond = end?.position ?? ''
    const follows = left.filter((one) => one.after === after && one.last > beyond)
    const found = follows.toSorted((one, other) => (one.last < other.last ? 1 : -1))[0]
    const read = found === undefined ? null : await readChunk(destination, installation, found).catch(() => null)
    if (found === undefined || read?.statement == null || !isOf(read.statement, read)) break
    const bytes = (await destination.read(chunkName(installation, found)))?.length ?? 0
    chunks.push({ ...read.statement, ...found, bytes })
    events.push(...read.events.filter(({ position }) => position > beyond))
    end = { position: found.last, id: read.statement.last_id }
  }
  if (events.length === 0) return null
  return { chunks: withoutShort(chunks), end, events: start.events + events.length, left: events }
}

/** Whether the statement, whose code the server will check, is of these events. */
const isOf = (statement: CodedStatement, { events, linesSha256 }: ReadChunk): boolean =>
  statement.lines_sha256 === linesSha256 && statement.events === events.length

/** The end of the last chunk, with its code; null if there are no chunks. */
export function prefixOf(chunks: readonly CodedChunk[]): CodedPrefix | null {
  const end = chunks.at(-1)
  if (end === undefined) return null
  return { ...chunks.reduce(extended, EMPTY_LOG), last: end.last, code: end.code }
}

/** Whether these chunks have an event as it was before a repair of the log: then they are written again. */
export async function isBeforeRepair(
  destination: BackupDestination,
  installation: string,
  chunks: readonly Pick<ChunkEntry, 'after' | 'last' | 'sha256'>[],
  repaired: readonly EventPlace[],
): Promise<boolean> {
  for (const { position, revision } of repaired) {
    const chunk = chunks.find(({ after, last }) => (after ?? '') < position && position <= last)
    if (chunk === undefined) continue
    const { events } = await readChunk(destination, installation, chunk)
    if (events.some((event) => event.position === position && event.revision !== revision)) return true
  }
  return false
}
