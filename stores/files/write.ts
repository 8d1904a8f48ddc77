// Writes a stream as a durable blob: into a temporary file while hashing it, then sync, hard link to its final name,
// and sync of the folder. The temporary file is removed in every case.
//
// A blob is its bytes followed by their sha256. The final name is created by a hard link, not by a rename: a rename
// would replace the recorded bytes by those of a second sender, while a link fails if the name exists.

import { createHash } from 'node:crypto'
import type { Expected, Stored } from '../contract/files.ts'
import { type Bytes, CutOff, type StoredBytes, WrongBytes } from '../contract/local-files.ts'
import { type Disk, type DiskFile, isCode } from './disk.ts'
import { blobPathOf, temporaryPath } from './layout.ts'
import { storedIn } from './read.ts'

interface Writing {
  readonly disk: Disk
  readonly root: string
  /** Creates and syncs the folders of a blob. */
  folders(blob: string): Promise<void>
}

interface Incoming {
  readonly expected: Expected
  readonly bytes: Bytes
  readonly signal: AbortSignal
  /** Called once all bytes have arrived. If it rejects, they do not become the blob. */
  admit(): Promise<void>
}

/** Rejects with CutOff, WrongBytes, the reason of `signal`, the rejection of `admit`, or Node's disk errors. */
export async function write(
  { disk, root, folders }: Writing,
  { expected, bytes, signal, admit }: Incoming,
): Promise<StoredBytes> {
  const { folder, path } = blobPathOf(root, expected.blob)
  const temporary = temporaryPath(root, expected.blob)
  const making = folders(expected.blob)
  // Awaited below. Handle its rejection now, in case the write fails first.
  making.catch(() => {})
  const file = await disk.create(temporary)
  try {
    let sha256: string
    try {
      sha256 = await poured(file, expected, bytes, signal)
      await file.sync()
    } finally {
      await file.close()
    }
    await making
    await admit()
    const isFirst = await linked(disk, temporary, path)
    await disk.syncFolder(folder)
    const stored: Stored = isFirst
      ? { ...facts(expected, sha256), storedMs: Date.now() }
      : await there(disk, root, expected.blob)
    return { stored, areThese: stored.sha256 === sha256 }
  } finally {
    // If this fails, too, `local.ts` removes the file later.
    await disk.unlink(temporary).catch(() => {})
  }
}

const facts = ({ blob, size }: Expected, sha256: string) => ({ blob, size, sha256 })

/** Writes the bytes and their digest. Returns the digest in hex. */
async function poured(
  file: DiskFile,
  { size, sha256: wanted }: Expected,
  bytes: Bytes,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256')
  const inbox = createIncomingBytes(bytes, signal)
  let came = 0
  /** The last batch, written together with the digest. */
  let last: readonly Uint8Array[] = []
  try {
    for (let batch = await inbox.next(); batch !== null; batch = await inbox.next()) {
      for (const { length } of batch) came += length
      if (came > size) throw new CutOff()
      if (came === size) last = batch
      const writing = came < size ? writeAll(file, batch) : null
      // Hash while the disk is writing.
      for (const chunk of batch) hash.update(chunk)
      await writing
    }
  } finally {
    inbox.close()
  }
  if (came !== size) throw new CutOff()
  const digest = hash.digest()
  const sha256 = digest.toString('hex')
  if (wanted !== null && wanted !== sha256) throw new WrongBytes()
  await writeAll(file, [...last, digest])
  return sha256
}

async function writeAll(file: DiskFile, buffers: readonly Uint8Array[]): Promise<void> {
  let length = 0
  for (const buffer of buffers) length += buffer.length
  let done = await file.write(buffers)
  if (done === length) return
  // A full disk writes a part, and reports its error for the rest.
  const all = Buffer.concat(buffers)
  while (done < length) done += await file.write([all.subarray(done)])
}

async function linked(disk: Disk, from: string, to: string): Promise<boolean> {
  try {
    await disk.link(from, to)
    return true
  } catch (failure) {
    if (isCode(failure, 'EEXIST')) return false
    throw failure
  }
}

async function there(disk: Disk, root: string, blob: string): Promise<Stored> {
  const stored = await storedIn(disk, root, blob)
  // The sweep has removed the file meanwhile: its upload is over.
  if (stored === null) throw new CutOff()
  return stored
}

// Buffers a stream into large chunks: while one chunk is written, the next one fills, and the stream is paused beyond
// a bound. Many small writes become few large ones, and memory stays bounded whatever the sender does.

/**
 * Bytes per batch, at which the stream is paused. One batch is written while the next one fills: twice this per upload.
 */
const BATCH_BYTES = 524_288
/** Maximum chunks per batch, because tiny chunks cost more than their bytes. */
const BATCH_CHUNKS = 256
/** Maximum milliseconds per batch, so that the file of a slow sender is visibly in use. */
const GATHERED_MS = 5_000

interface IncomingBytes {
  /**
   * The next batch: full, the last one, or a partial one of a slow sender; null at the end. Rejects with CutOff, or the
   * reason of the signal.
   */
  next(): Promise<Buffer[] | null>
  close(): void
}

export function createIncomingBytes(source: Bytes, signal: AbortSignal): IncomingBytes {
  const batch = new Batch()
  let hasEnded = false
  let fault: unknown = null
  let wake: (() => void) | null = null

  const woken = () => {
    wake?.()
    wake = null
  }
  const onData = (chunk: Buffer) => {
    batch.add(chunk)
    if (!batch.isFull()) return
    // A waiting reader gets it at once.
    if (wake === null) source.pause()
    woken()
  }
  const ended = () => {
    hasEnded = true
    woken()
  }
  const failed = (error: unknown) => {
    fault ??= error
    woken()
  }
  const cut = () => {
    if (!hasEnded) failed(new CutOff())
  }
  const stopped = () => failed(signal.reason)

  source.on('data', onData).on('end', ended).on('error', cut).on('close', cut)
  signal.addEventListener('abort', stopped)
  if (signal.aborted) stopped()
  if (source.destroyed) cut()

  return {
    async next() {
      while (fault === null && !hasEnded && (batch.isEmpty() || !batch.isFull())) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (fault !== null) throw fault
      if (batch.isEmpty()) return null
      const chunks = batch.take()
      source.resume()
      return chunks
    },
    close() {
      signal.removeEventListener('abort', stopped)
      source.off('data', onData).off('end', ended).off('close', cut)
      // Keep the error listener: a stream that fails later must not end the process.
      batch.take()
    },
  }
}

/** The chunks of the next write. */
class Batch {
  #chunks: Buffer[] = []
  #bytes = 0
  #sinceMs = 0

  add(chunk: Buffer): void {
    if (this.#chunks.length === 0) this.#sinceMs = performance.now()
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
  }

  isEmpty(): boolean {
    return this.#chunks.length === 0
  }

  isFull(): boolean {
    if (this.#bytes >= BATCH_BYTES || this.#chunks.length >= BATCH_CHUNKS) return true
    return performance.now() - this.#sinceMs > GATHERED_MS
  }

  take(): Buffer[] {
    const chunks = this.#chunks
    this.#chunks = []
    this.#bytes = 0
    return chunks
  }
}
