// A chunk of the log: events as lines of JSON, as exports have them but with personal text encrypted, compressed. The
// last line is what the server states about them, with its code. Chunks of the formats 1 and 2 have no such line.

import { createHash } from 'node:crypto'
import type { StoredEvent } from '../../domain/event.ts'
import { eventLine, parseEvent } from '../export/event-line.ts'
import type { CodedStatement } from './chunk-maker.ts'
import { type BackupDestination, BackupFault } from './destination.ts'
import type { ChunkEntry, CodedChunk } from './manifest.ts'
import { chunkName, compressedLines, readLines, sha256Hex } from './objects.ts'

const STATEMENT = '{"chunk":'

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
    return chunk ?? null
  } catch {
    return null
  }
}
