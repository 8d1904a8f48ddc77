// The chunks of a log at a backup destination while a backup adds to them: collects new events, and rewrites older chunks that
// hold what was deleted since.

import type { StoredEvent } from '../domain/event.ts'
import { CHUNK_EVENTS, CHUNK_LENGTH, contentsOf, readChunk, writeChunk } from './chunk.ts'
import { collectDeletions, type Deletions, withoutDeleted } from './deletions.ts'
import type { BackupDestination, DestinationLock } from './destination.ts'
import type { ChunkEntry } from './manifest.ts'
import { chunkName, logFolder, parseChunkName } from './names.ts'

export interface BackedUpLog {
  readonly installation: string
  readonly chunks: readonly ChunkEntry[]
  /** Position of the last event that `add` was given or that is stored; null if there is none. */
  readonly last: string | null
  /** Its id. */
  readonly lastId: string | null
  /** Its time. */
  readonly until: string | null
  readonly events: number
  /** The event at a position; null if no chunk has it. */
  find(position: string): Promise<StoredEvent | null>
  /** Adds events that directly follow `last`. */
  add(events: readonly StoredEvent[]): Promise<void>
  /** Writes what is collected, and rewrites chunks for the deletions in the added events. Returns the number of rewritten ones. */
  finish(): Promise<number>
}

interface OpenLog {
  readonly destination: BackupDestination
  readonly lock: DestinationLock
  readonly installation: string
  /** The chunks of the newest backup. */
  readonly chunks: readonly ChunkEntry[]
}

/** Continues after the newest backup, or after chunks that an interrupted one left. A last chunk that is not full is filled. */
export async function openBackedUpLog({ destination, lock, installation, chunks: old }: OpenLog): Promise<BackedUpLog> {
  const chunks = [...old]
  const deletions = collectDeletions()
  await adoptLeftChunks(destination, installation, chunks, (events) => deletions.add(events))
  const end = chunks.at(-1)
  const stored = end === undefined ? [] : await readChunk(destination, installation, end)
  let last: StoredEvent | null = stored.at(-1) ?? null
  const isReopened = end !== undefined && end.events < CHUNK_EVENTS && end.bytes < CHUNK_LENGTH / 16
  if (isReopened) chunks.pop()
  let pending: StoredEvent[] = isReopened ? stored : []
  let length = lengthOf(pending)
  let isChanged = false

  async function write(): Promise<void> {
    lock.check()
    chunks.push(await writeChunk(destination, installation, chunks.at(-1)?.last ?? null, pending))
    pending = []
    length = 0
    isChanged = false
  }

  return {
    installation,
    get chunks() {
      return chunks
    },
    get last() {
      return last?.position ?? null
    },
    get lastId() {
      return last?.id ?? null
    },
    get until() {
      return last?.meta.time ?? null
    },
    get events() {
      return chunks.reduce((sum, { events }) => sum + events, pending.length)
    },
    find: (position) => eventAt({ destination, installation, chunks }, pending, position),
    async add(events) {
      deletions.add(events)
      for (const event of events) {
        pending.push(event)
        length += lengthOf([event])
        isChanged = true
        last = event
        if (pending.length >= CHUNK_EVENTS || length >= CHUNK_LENGTH) await write()
      }
    },
    async finish() {
      if (isChanged) await write()
      else if (isReopened && pending.length > 0 && end !== undefined) chunks.push(end)
      pending = []
      return eraseDeleted({ destination, lock, installation, chunks }, deletions)
    },
  }
}

const lengthOf = (events: readonly StoredEvent[]): number =>
  events.reduce((sum, { data, meta }) => sum + JSON.stringify(data).length + JSON.stringify(meta).length, 0)

/**
 * Chunks that an interrupted backup wrote after the newest manifest: they follow its last chunk, or begin as it does and are
 * longer. Their names have their hash, which is checked.
 */
async function adoptLeftChunks(
  destination: BackupDestination,
  installation: string,
  chunks: ChunkEntry[],
  onEvents: (events: readonly StoredEvent[]) => void,
): Promise<void> {
  const names = await destination.list(logFolder(installation))
  const left = names.flatMap((name) => parseChunkName(installation, name) ?? [])
  const longest = (fits: (after: string | null, last: string) => boolean) =>
    left.filter(({ after, last }) => fits(after, last)).sort((a, b) => (a.last < b.last ? 1 : -1))[0]
  for (;;) {
    const end = chunks.at(-1)
    const longer = end && longest((after, last) => after === end.after && last > end.last)
    const found = longer ?? longest((after) => after === (end?.last ?? null))
    if (found === undefined) return
    const events = await readChunk(destination, installation, found).catch(() => null)
    if (events === null || events.length === 0) return
    if (longer !== undefined) chunks.pop()
    onEvents(events)
    const bytes = (await destination.read(chunkName(installation, found)))?.length ?? 0
    chunks.push({ ...found, events: events.length, bytes, ...contentsOf(events) })
  }
}

async function eventAt(
  { destination, installation, chunks }: Omit<Chunks, 'lock'>,
  pending: readonly StoredEvent[],
  position: string,
): Promise<StoredEvent | null> {
  const chunk = chunks.find(({ last }) => position <= last)
  const events = chunk === undefined ? pending : await readChunk(destination, installation, chunk)
  return events.find((event) => event.position === position) ?? null
}

interface Chunks {
  readonly destination: BackupDestination
  readonly lock: DestinationLock
  readonly installation: string
  readonly chunks: ChunkEntry[]
}

/** Replaces chunks that hold data of removed games, or texts in clear of deleted players. The old ones are removed at the end of the backup. */
async function eraseDeleted(
  { destination, lock, installation, chunks }: Chunks,
  deletions: Deletions,
): Promise<number> {
  const { players, erasedGames } = deletions
  let rewritten = 0
  for (const [index, chunk] of chunks.entries()) {
    const holdsGame = chunk.games === null ? erasedGames.size > 0 : chunk.games.some((game) => erasedGames.has(game))
    if (!holdsGame && !(chunk.clear && players.size > 0)) continue
    const events = await readChunk(destination, installation, chunk)
    const cleaned = events.map((event) => withoutDeleted(event, deletions))
    if (cleaned.every((event, at) => JSON.stringify(event) === JSON.stringify(events[at]))) continue
    lock.check()
    chunks[index] = await writeChunk(destination, installation, chunk.after, cleaned)
    rewritten++
  }
  return rewritten
}
