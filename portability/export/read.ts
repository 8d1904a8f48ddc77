// Reads an export chunk by chunk, and stops at the first chunk that was changed.

import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredEvent } from '../../domain/event.ts'
import { parseAgain, parseEvent } from './event-line.ts'
import {
  ArchiveFault,
  CHUNK_BYTES,
  createChain,
  eventsFile,
  hasLines,
  headLines,
  type Manifest,
  SUM_BYTES,
  SUMS_FILE,
  sha256,
} from './manifest.ts'

/** Longest valid line: an event has at most 512 KiB, and JSON escapes a character to at most six. */
export const LONGEST_LINE = 8 << 20

/**
 * The checked chunks in order. Throws ArchiveFault at the first one that was changed.
 * `isAgain`: the chain was checked before, so only the hash of each chunk is checked.
 */
export async function* checkedChunks(
  folder: string,
  manifest: Manifest,
  isAgain = false,
): AsyncGenerator<readonly Buffer[]> {
  const { format, pieces, bytes } = manifest
  const path = join(folder, eventsFile(format))
  const sums = await readSums(folder, manifest)
  const sumAt = (at: number) => sums.subarray(at * SUM_BYTES, (at + 1) * SUM_BYTES)
  const chain = createChain()
  let at = 0
  let length = 0
  for await (const read of chunksOf(path, hasLines(format))) {
    for (const [index, chunk] of read.entries()) {
      const sum = sha256(chunk)
      if (at >= pieces)
        throw new ArchiveFault(`${path} continues after ${nameOf(manifest, pieces - 1)}, where it should end.`)
      if (!sum.subarray(0, SUM_BYTES).equals(sumAt(at))) {
        throw new ArchiveFault(`${path}: ${whatIsWrong(manifest, sums, at, chunk, read[index + 1])}`)
      }
      if (!isAgain) chain.add(sum)
      length += chunk.length
      at++
    }
    yield read
  }
  if (at < pieces) {
    const end = at === 0 ? 'it is empty' : `it ends after ${nameOf(manifest, at - 1)}`
    throw new ArchiveFault(`${path} was cut: ${end}, but should continue to ${nameOf(manifest, pieces - 1)}.`)
  }
  if ((!isAgain && chain.end() !== manifest.chain) || length !== bytes) {
    throw new ArchiveFault(`${path} does not match its manifest: the hash chain differs.`)
  }
}

/** The events of an NDJSON export. Throws ArchiveFault for a changed chunk, and for a line that is not an event. */
export async function* checkedEvents(folder: string, manifest: Manifest): AsyncGenerator<readonly StoredEvent[]> {
  const path = join(folder, eventsFile(manifest.format))
  let at = 0
  for await (const pieces of checkedChunks(folder, manifest)) {
    yield pieces.map((chunk) => {
      at++
      return parseEvent(chunk.toString(), () => `Line ${at} of ${path}`)
    })
  }
}

interface ReadAgain {
  readonly event: StoredEvent
  /** Its line in the file, with the newline. */
  readonly line: Buffer
}

/** Reads an export that was verified before: checks the hashes again, but does not validate the events again. */
export async function* eventsAgain(folder: string, manifest: Manifest): AsyncGenerator<readonly ReadAgain[]> {
  for await (const pieces of checkedChunks(folder, manifest, true)) {
    yield pieces.map((line) => ({ event: parseAgain(line.toString()), line }))
  }
}

async function readSums(folder: string, { sums: sumsHash, pieces }: Manifest): Promise<Buffer> {
  const path = join(folder, SUMS_FILE)
  const sums = await readFile(path).catch((failure: NodeJS.ErrnoException) => {
    throw failure.code === 'ENOENT' ? new ArchiveFault(`${path} is missing: the export is incomplete.`) : failure
  })
  if (sha256(sums).toString('hex') !== sumsHash || sums.length !== pieces * SUM_BYTES) {
    throw new ArchiveFault(`${path} does not match the manifest: it was changed, or is of another export.`)
  }
  return sums
}

async function* chunksOf(path: string, byLine: boolean): AsyncGenerator<Buffer[]> {
  let rest: Buffer = Buffer.alloc(0)
  const stream = createReadStream(path, { highWaterMark: 1 << 20 })
  try {
    for await (const data of stream) {
      const all = rest.length === 0 ? (data as Buffer) : Buffer.concat([rest, data as Buffer])
      const read = byLine ? lines(all) : blocks(all)
      rest = all.subarray(read.reduce((sum, chunk) => sum + chunk.length, 0))
      // A longer line is invalid; do not buffer it without bound.
      if (rest.length > LONGEST_LINE) {
        read.push(rest)
        rest = Buffer.alloc(0)
      }
      if (read.length > 0) yield read
    }
  } catch (failure) {
    const isMissing = (failure as NodeJS.ErrnoException).code === 'ENOENT'
    throw isMissing ? new ArchiveFault(`${path} is missing: the export is incomplete.`) : failure
  }
  if (rest.length > 0) yield [rest]
}

function lines(all: Buffer): Buffer[] {
  const found: Buffer[] = []
  let begin = 0
  for (let end = all.indexOf(10); end >= 0; end = all.indexOf(10, begin)) {
    found.push(all.subarray(begin, end + 1))
    begin = end + 1
  }
  return found
}

function blocks(all: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at + CHUNK_BYTES <= all.length; at += CHUNK_BYTES) found.push(all.subarray(at, at + CHUNK_BYTES))
  return found
}

function nameOf({ format, bytes }: Manifest, at: number): string {
  if (hasLines(format)) return `line ${at + 1}`
  return `byte ${Math.min(bytes, (at + 1) * CHUNK_BYTES)}`
}

/** Explains a mismatch by finding where else the chunk, or the next one, would match. */
function whatIsWrong(manifest: Manifest, sums: Buffer, at: number, chunk: Uint8Array, next: Uint8Array | undefined) {
  if (!hasLines(manifest.format))
    return `it was cut or changed between bytes ${at * CHUNK_BYTES} and ${(at + 1) * CHUNK_BYTES}.`
  const line = at + 1
  const isCut = chunk.at(-1) !== 10
  if (isCut) return `it was cut in the middle of line ${line} of ${manifest.pieces}.`
  const own = indexOfChunk(sums, chunk, at + 1)
  const after = next === undefined ? -1 : indexOfChunk(sums, next, at)
  if (own === at + 1 && after === at) return `lines ${line} and ${line + 1} are swapped.`
  if (own > at) {
    const missing = own - at === 1 ? `line ${line} is missing` : `lines ${line} to ${own} are missing or were moved`
    return `${missing}: what was written as line ${own + 1} is in its place.`
  }
  if (after === at) return `line ${line} was inserted; what was written as line ${line} follows it.`
  const before = indexOfChunk(sums, chunk, 0)
  if (before >= 0) return `line ${line} is not the one that was written there: it repeats line ${before + 1}.`
  const head = at < headLines(manifest.format) ? ', the names of the columns,' : ''
  return `line ${line}${head} was changed.`
}

/** Index of the first chunk from `from` on with this hash; -1 if none. */
function indexOfChunk(sums: Buffer, chunk: Uint8Array, from: number): number {
  const sum = sha256(chunk).subarray(0, SUM_BYTES)
  for (let at = sums.indexOf(sum, from * SUM_BYTES); at >= 0; at = sums.indexOf(sum, at + 1)) {
    if (at % SUM_BYTES === 0) return at / SUM_BYTES
  }
  return -1
}
