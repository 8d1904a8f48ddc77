// The file of the heads of streams: a start reads it instead of the whole log. It is written from time to time and when
// the log is closed; a start reads from the log what came later. A file that is missing, damaged or of another log is
// ignored.

import { rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { DerivedDamaged, isIrregular } from './derived-database.ts'
import { readIfThere } from './descriptor-bytes.ts'
import { syncFolder } from './exclusive-database.ts'
import type { LastEvent } from './log-index-file.ts'
import type { IndexedPlace, LogReader } from './log-reader.ts'
import { PRIVATE_FILE_MODE } from './private-files.ts'
import { type StoredHeads, StreamHeads } from './stream-heads.ts'

/** Events between two writes of the file, for a table of few slots; for a larger one half as many as it has slots. */
const WRITE_EVERY = 131_072
/** Fewer events are read from the log faster than the file is written and read. */
const WORTH_WRITING = 4_096
/** Events that are read at once. */
const BATCH = 20_000
/** CRC-32 of the rest, and the length of the JSON text that follows. */
const HEADER_BYTES = 8

type HeadsReader = Pick<LogReader, 'placeAt' | 'places' | 'streamAt' | 'lastSequence'>

interface HeadsFileOptions {
  /**
   * If there are several batches: called after each with the number of events that the heads have, of all events of the
   * log.
   */
  readonly onProgress: (read: number, total: number) => void
  /** Called if the file was damaged. */
  readonly onRepaired: (damage: DerivedDamaged) => void
  /** Instead of `WORTH_WRITING`, for tests. */
  readonly worthWriting?: number | undefined
}

export class HeadsFile {
  readonly heads: StreamHeads
  readonly #path: string
  #last: LastEvent
  #stored: number
  #writing: Promise<void> | null = null

  readonly #worthWriting: number

  private constructor(path: string, { heads, last }: Read, worthWriting: number) {
    this.#worthWriting = worthWriting
    this.#path = path
    this.heads = heads
    this.#last = last
    this.#stored = last.sequence
  }

  /** Reads the file, and from the log what it lacks. */
  static async open(path: string, reader: HeadsReader, options: HeadsFileOptions): Promise<HeadsFile> {
    const file = new HeadsFile(path, readHeads(path, reader, options), options.worthWriting ?? WORTH_WRITING)
    const head = reader.lastSequence()
    const isLong = head - file.#last.sequence > BATCH
    while (file.#last.sequence < head) {
      file.add(reader.places({ after: file.#last.sequence, head, limit: BATCH }))
      if (!isLong) break
      options.onProgress(file.#last.sequence, head)
      await yieldToEventLoop()
    }
    return file
  }

  /** Adds durable events in log order, without gaps. */
  add(events: readonly IndexedPlace[]): void {
    for (const { stream, revision, sequence } of events) this.heads.add(stream, revision, sequence)
    const last = events.at(-1)
    if (last !== undefined) this.#last = { sequence: last.sequence, event: last.id }
    const due = Math.max(WRITE_EVERY, this.heads.slotCount / 2)
    if (this.#last.sequence - this.#stored >= due) this.#writing ??= this.#write()
  }

  /** Removes the file, so that the next start reads the heads from the log. */
  remove(): void {
    this.#stored = Number.POSITIVE_INFINITY
    removeFile(this.#path)
  }

  /** Writes what is worth it. Call it when nothing is added any more. */
  async close(): Promise<void> {
    await this.#writing
    if (this.#last.sequence - this.#stored >= this.#worthWriting) await this.#write()
  }

  /** A disk that is full or broken only makes a later start read more of the log. */
  async #write(): Promise<void> {
    this.#stored = this.#last.sequence
    await writeHeads(this.#path, this.heads.store(), this.#last).catch(() => removeFile(newOf(this.#path)))
    this.#writing = null
  }
}

interface Read {
  readonly heads: StreamHeads
  readonly last: LastEvent
}

function readHeads(path: string, { streamAt, placeAt }: HeadsReader, { onRepaired }: HeadsFileOptions): Read {
  const none = () => ({ heads: new StreamHeads({ streamAt }), last: { sequence: 0, event: '' } })
  try {
    if (isIrregular(path)) throw new RangeError('no regular file')
    const bytes = readIfThere(path)
    if (bytes === null) return none()
    const { last, stored } = parseHeads(bytes)
    if (placeAt(last.sequence)?.id !== last.event) return none()
    return { heads: new StreamHeads({ stored, streamAt }), last }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    onRepaired(new DerivedDamaged(path, 'is damaged and was removed: its content is read from the log', error))
    removeFile(path)
    return none()
  }
}

const newOf = (path: string): string => `${path}.new`

const removeFile = (path: string): void => rmSync(path, { force: true, recursive: true })

/** Durably: afterwards the file is the new one, whole, or the one before. */
async function writeHeads(path: string, { seed, slots, shared }: StoredHeads, last: LastEvent): Promise<void> {
  const text = Buffer.from(JSON.stringify({ ...last, seed, shared }))
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(text.length, 4)
  const rest = [header.subarray(4), text, slots]
  header.writeUInt32LE(rest.reduce((crc, part) => crc32(part, crc), 0))
  const unnamed = newOf(path)
  const file = await open(unnamed, 'w', PRIVATE_FILE_MODE)
  try {
    await file.writeFile(Buffer.concat([header, text, slots]))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unnamed, path)
  syncFolder(dirname(path))
}

/** Throws RangeError if the file is damaged. */
function parseHeads(bytes: Buffer): { readonly last: LastEvent; readonly stored: StoredHeads } {
  if (bytes.readUInt32LE(0) !== crc32(bytes.subarray(4))) throw new RangeError('another checksum')
  const end = HEADER_BYTES + bytes.readUInt32LE(4)
  const { sequence, event, seed, shared } = JSON.parse(bytes.toString('utf8', HEADER_BYTES, end))
  const stored = { seed, slots: bytes.subarray(end), shared }
  return { last: { sequence, event }, stored }
}
