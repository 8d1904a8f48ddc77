// A chunk of the log: events as lines of JSON, as exports have them but with personal text encrypted, compressed. The
// last line is what the server states about them, with its code. Chunks of the formats 1 and 2 have no such line.

import { createHash } from 'node:crypto'
import type { StoredEvent } from '../../domain/event.ts'
import { eventLine, parseEvent } from '../export/event-line.ts'
import { type BackupCodes, type CodedStatement, extended, type LogPrefix } from './codes.ts'
import { clearTexts } from './deletions.ts'
import { type BackupDestination, BackupFault } from './destination.ts'
import type { ChunkEntry, CodedChunk } from './manifest.ts'
import { chunkName, compressedLines, readLines, sha256Hex } from './objects.ts'
import { codedStatement, GAMES_LISTED } from './shapes.ts'

/** Events per chunk, and characters, whichever is reached first. */
export const CHUNK_EVENTS = 10_000
export const CHUNK_LENGTH = 8 << 20
/** The beginning of a line with a statement. */
const STATEMENT = '{"chunk":'

interface ChunkMaker {
  /** Adds an event that follows the ones before it. Returns the chunk that ends with it, if one does. */
  add(event: StoredEvent): CodedStatement | null
  /** Ends the last chunk, which may be short. Null if there is no event since the last one. */
  end(): CodedStatement | null
  /** The log up to the end of the last chunk. */
  prefix(): LogPrefix
}

/** Divides a log into chunks while it is read, and makes the statement and the code of each. Keeps no event. */
export function createChunkMaker(codes: BackupCodes, start: LogPrefix): ChunkMaker {
  let prefix = start
  let chunk = emptyChunk()

  function end(): CodedStatement | null {
    const { last, hash, events, games, clear } = chunk
    if (last === null) return null
    const listed = games.size > GAMES_LISTED ? null : [...games].sort()
    const statement = {
      after: prefix.last,
      last: last.position,
      last_id: last.id,
      events,
      lines_sha256: hash.digest('hex'),
      games: listed,
      clear,
    }
    prefix = extended(prefix, statement)
    chunk = emptyChunk()
    return { ...statement, code: codes.ofLog(prefix) }
  }

  return {
    add(event) {
      const line = eventLine(event)
      chunk.hash.update(line)
      chunk.length += line.length
      chunk.events++
      chunk.last = event
      if (event.meta.game !== null && chunk.games.size <= GAMES_LISTED) chunk.games.add(event.meta.game)
      chunk.clear ||= clearTexts(event).length > 0
      return chunk.events >= CHUNK_EVENTS || chunk.length >= CHUNK_LENGTH ? end() : null
    },
    end,
    prefix: () => prefix,
  }
}

const emptyChunk = () => ({
  hash: createHash('sha256'),
  last: null as StoredEvent | null,
  games: new Set<string>(),
  events: 0,
  length: 0,
  clear: false,
})

export interface ReadChunk {
  readonly events: StoredEvent[]
  /** SHA-256 of the events as lines. */
  readonly linesSha256: string
  /** Null in a chunk of an earlier format. */
  readonly statement: CodedStatement | null
}

/** Throws BackupFault if these are not the events that the server states. */
export async function writeChunk(
  destination: BackupDestination,
  installation: string,
  statement: CodedStatement,
  events: readonly StoredEvent[],
): Promise<CodedChunk> {
  const lines = events.map(eventLine)
  if (events.length !== statement.events || sumOf(lines) !== statement.lines_sha256) {
    throw new BackupFault(
      `The events up to ${statement.last} did not arrive as the server read them. Run the backup again: it continues here.`,
    )
  }
  const bytes = await compressedLines([...lines, `${JSON.stringify({ chunk: statement })}\n`])
  const sha256 = sha256Hex(bytes)
  const { after, last } = statement
  await destination.write(chunkName(installation, { after, last, sha256 }), bytes)
  return { ...statement, sha256, bytes: bytes.length }
}

type Chunk = Pick<ChunkEntry, 'after' | 'last' | 'sha256'>

/** Checks the hash and each event. Throws BackupFault or ArchiveFault. */
export async function readChunk(
  destination: BackupDestination,
  installation: string,
  chunk: Chunk,
): Promise<ReadChunk> {
  const name = chunkName(installation, chunk)
  const lines = await readLines(destination, name, chunk.sha256)
  const statement = lines.at(-1)?.startsWith(STATEMENT) === true ? statementIn(lines.pop() ?? '') : null
  const events = lines.map((line, index) => parseEvent(line, () => `Line ${index + 1} of ${name}`))
  let before = chunk.after ?? ''
  for (const { position } of events) {
    if (position <= before)
      throw new BackupFault(`${name} in ${destination.shown} has events that are not in log order.`)
    before = position
  }
  if (before !== chunk.last) throw new BackupFault(`${name} in ${destination.shown} does not end at its last position.`)
  return { events, linesSha256: sumOf(lines.map((line) => `${line}\n`)), statement }
}

function sumOf(lines: readonly string[]): string {
  const sum = createHash('sha256')
  for (const line of lines) sum.update(line)
  return sum.digest('hex')
}

function statementIn(line: string): CodedStatement | null {
  try {
    const { chunk }: { readonly chunk?: CodedStatement } = JSON.parse(line)
    return codedStatement.safeParse(chunk).success ? (chunk ?? null) : null
  } catch {
    return null
  }
}
