// Writes an export under a temporary name and renames it to the target when everything is durably on disk.

import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { StoredEvent } from '../../domain/event.ts'
import { isKeyed } from '../../domain/streams.ts'
import { encoderOf } from './encode.ts'
import {
  ArchiveFault,
  CHUNK_BYTES,
  createChain,
  eventsFile,
  type Format,
  hasLines,
  MANIFEST_FILE,
  type Manifest,
  manifestText,
  SUM_BYTES,
  SUMS_FILE,
  sha256,
} from './manifest.ts'
import { openUnfinished, removeLeftovers, removeUnfinished, syncFolder } from './unfinished.ts'

/** Write buffer in bytes. */
const GATHERED = 1 << 20
const OWNER_ONLY = 0o600
/** Error codes of a folder rename onto anything but an empty folder. */
const TAKEN: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR'])

/** Manifest fields that do not follow from the events. */
export type About = Pick<Manifest, 'version' | 'made' | 'installation' | 'scope'>

interface ArchiveWriter {
  /** Number of killed exports in the same folder whose files were removed. */
  readonly removed: number
  /** Rejects if the disk is full or fails. */
  add(events: readonly StoredEvent[]): Promise<void>
  /**
   * Syncs everything and moves it to the target folder. Throws ArchiveFault if the target exists by now; it stays
   * unchanged.
   */
  finish(about: About): Promise<Manifest>
  abandon(): Promise<void>
}

interface ArchiveOptions {
  /** CSV only: whether it begins with a byte order mark. Default: false. */
  readonly bom?: boolean
  /** Opens the files; replaced in tests. */
  open?(path: string, flags: string, mode: number): Promise<FileHandle>
}

/**
 * Creates `folder` at the end; until then the files are in a hidden folder next to it whose name ends with `.partial`.
 */
export async function createArchive(
  folder: string,
  format: Format,
  { bom = false, open: openFile = open }: ArchiveOptions = {},
): Promise<ArchiveWriter> {
  const target = resolve(folder)
  const beside = dirname(target)
  await mkdir(beside, { recursive: true })
  const removed = (await removeUnfinished(beside)) + (await removeLeftovers(beside, Date.now()))
  const partial = await openUnfinished(beside)
  const files: FileHandle[] = []
  const opened = async (file: string) => {
    const handle = await openFile(join(partial.folder, file), 'wx', OWNER_ONLY)
    files.push(handle)
    return gathering(handle)
  }
  const closed = async () => {
    for (const file of files.splice(0)) await file.close()
  }
  const abandon = async () => {
    await closed().catch(() => {})
    await partial.remove()
  }
  const encoder = encoderOf(format, bom)
  const begin = async () => {
    const pieces = summed(await opened(eventsFile(format)), await opened(SUMS_FILE), hasLines(format))
    await pieces.add(encoder.begin())
    return pieces
  }
  const pieces = await begin().catch(async (failure: unknown) => {
    await abandon()
    throw failure
  })
  const summary = { events: 0, keyed: 0, first: null as string | null, last: null as string | null }

  return {
    removed,
    abandon,
    async add(events) {
      for (const { stream } of events) if (isKeyed(stream)) summary.keyed++
      summary.events += events.length
      summary.first ??= events[0]?.position ?? null
      summary.last = events.at(-1)?.position ?? summary.last
      await pieces.add(encoder.events(events))
    },
    async finish(about) {
      await pieces.add(encoder.end())
      const written = await pieces.end()
      const { events, first, last, keyed } = summary
      const manifest: Manifest = { scorebook_export: 1, ...about, format, events, first, last, keyed, ...written }
      const end = await opened(MANIFEST_FILE)
      await end.write(Buffer.from(manifestText(manifest)))
      for (const file of files) await file.sync()
      await closed()
      await syncFolder(partial.folder)
      await moved(partial.folder, target)
      await syncFolder(beside)
      // The export is complete: a failed cleanup does not matter.
      await partial.remove().catch(() => {})
      return manifest
    },
  }
}

/** A folder cannot be renamed onto a file or a folder that is not empty. */
async function moved(from: string, target: string): Promise<void> {
  await rename(from, target).catch((error: NodeJS.ErrnoException) => {
    if (!TAKEN.has(error.code)) throw error
    throw new ArchiveFault(`${target} was created during the export, and is not overwritten. The export was removed.`)
  })
}

interface Gathering {
  /** Returns false and takes nothing if the buffer is full: flush first. Must not be called during a flush. */
  add(bytes: Uint8Array): boolean
  flush(): Promise<void>
  /** Writes directly; the buffer must be empty. */
  write(bytes: Uint8Array): Promise<void>
}

/** Flushes, then buffers or writes the bytes. */
async function put(into: Gathering, bytes: Uint8Array): Promise<void> {
  await into.flush()
  if (!into.add(bytes)) await into.write(bytes)
}

function gathering(file: FileHandle): Gathering {
  const gathered = Buffer.alloc(GATHERED)
  let length = 0
  const flush = async () => {
    const bytes = gathered.subarray(0, length)
    length = 0
    // `writeFile` continues after partial writes, and appends at the current file position.
    if (bytes.length > 0) await file.writeFile(bytes)
  }
  return {
    flush,
    add: (bytes) => {
      if (length + bytes.length > GATHERED) return false
      gathered.set(bytes, length)
      length += bytes.length
      return true
    },
    write: (bytes) => file.writeFile(bytes),
  }
}

function summed(events: Gathering, sums: Gathering, byLine: boolean) {
  const ofSums: Hash = createHash('sha256')
  const chain = createChain()
  let [bytes, pieces] = [0, 0]
  let rest: Uint8Array = new Uint8Array(0)

  /** Returns a promise only if there is something to wait for, which is rare. */
  function chunk(one: Uint8Array): Promise<unknown> | null {
    const sum = sha256(one)
    chain.add(sum)
    bytes += one.length
    pieces++
    const short = sum.subarray(0, SUM_BYTES)
    ofSums.update(short)
    const isTaken = sums.add(short)
    if (events.add(one)) return isTaken ? null : put(sums, short)
    return isTaken ? put(events, one) : Promise.all([put(sums, short), put(events, one)])
  }

  async function each(all: Iterable<Uint8Array>): Promise<void> {
    for (const one of all) {
      const waiting = chunk(one)
      if (waiting !== null) await waiting
    }
  }

  return {
    async add(added: readonly Uint8Array[]): Promise<void> {
      if (byLine) return each(added)
      const all = Buffer.concat([rest, ...added])
      const fullChunks = Math.floor(all.length / CHUNK_BYTES)
      await each(Array.from({ length: fullChunks }, (_, n) => all.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES)))
      rest = all.subarray(fullChunks * CHUNK_BYTES)
    },
    async end() {
      if (rest.length > 0) await each([rest])
      await events.flush()
      await sums.flush()
      return { bytes, pieces, chain: chain.end(), sums: ofSums.digest('hex') }
    },
  }
}
