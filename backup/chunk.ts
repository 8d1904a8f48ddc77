// A chunk of the log: events as lines of JSON, as exports have them but with personal text encrypted, compressed.

import { eventLine, parseEvent } from '../archive/event-line.ts'
import type { StoredEvent } from '../domain/event.ts'
import { personalTexts } from '../domain/personal.ts'
import { isSealedText } from '../stores/sealing/events.ts'
import { compressedLines, readLines } from './compressed-lines.ts'
import { type BackupDestination, BackupFault } from './destination.ts'
import type { ChunkEntry } from './manifest.ts'
import { chunkName, sha256Hex } from './names.ts'

/** Events per chunk, and characters, whichever is reached first. */
export const CHUNK_EVENTS = 10_000
export const CHUNK_LENGTH = 8 << 20
const GAMES_LISTED = 64

/** Writes the events that follow `after`: at least one. */
export async function writeChunk(
  destination: BackupDestination,
  installation: string,
  after: string | null,
  events: readonly StoredEvent[],
): Promise<ChunkEntry> {
  const bytes = await compressedLines(events.map(eventLine))
  const sha256 = sha256Hex(bytes)
  const last = events.at(-1)?.position ?? ''
  await destination.write(chunkName(installation, { after, last, sha256 }), bytes)
  return { after, last, events: events.length, sha256, bytes: bytes.length, ...contentsOf(events) }
}

type Chunk = Pick<ChunkEntry, 'after' | 'last' | 'sha256'>

/** Checks the hash and each event. Throws BackupFault or ArchiveFault. */
export async function readChunk(
  destination: BackupDestination,
  installation: string,
  chunk: Chunk,
): Promise<StoredEvent[]> {
  const name = chunkName(installation, chunk)
  const lines = await readLines(destination, name, chunk.sha256)
  const events = lines.map((line, index) => parseEvent(line, () => `Line ${index + 1} of ${name}`))
  let before = chunk.after ?? ''
  for (const { position } of events) {
    if (position <= before)
      throw new BackupFault(`${name} in ${destination.shown} has events that are not in log order.`)
    before = position
  }
  if (before !== chunk.last) throw new BackupFault(`${name} in ${destination.shown} does not end at its last position.`)
  return events
}

/** What the manifest says of the events of a chunk. */
export function contentsOf(events: readonly StoredEvent[]): Pick<ChunkEntry, 'games' | 'clear'> {
  const games = new Set(events.flatMap(({ meta: { game } }) => (game === null ? [] : [game])))
  return { games: games.size > GAMES_LISTED ? null : [...games].sort(), clear: events.some(hasClearText) }
}

const hasClearText = (event: StoredEvent): boolean =>
  personalTexts(event).some((field) => !isSealedText(String(event.data[field])))
