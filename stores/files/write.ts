// Writes a stream as a durable blob: into a temporary file while hashing it, then sync, hard link to its final name,
// and sync of the folder. The temporary file is removed in every case.
//
// A blob is its bytes followed by their sha256. The final name is created by a hard link, not by a rename: a rename
// would replace the recorded bytes by those of a second sender, while a link fails if the name exists.

import { createHash } from 'node:crypto'
import type { Expected, Stored } from '../contract/files.ts'
import { type Bytes, CutOff, type StoredBytes, WrongBytes } from '../contract/local-files.ts'
import { type Disk, type DiskFile, isCode } from './disk.ts'
import { createIncomingBytes, type HeldBytes } from './incoming-bytes.ts'
import { blobPathOf, temporaryPath } from './layout.ts'
import { storedIn } from './read.ts'

interface Writing {
  readonly disk: Disk
  readonly root: string
  /** Creates and syncs the folders of a blob. */
  folders(blob: string): Promise<void>
  /** Of all uploads. */
  readonly held: HeldBytes
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
  { disk, root, folders, held }: Writing,
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
      sha256 = await poured(file, expected, createIncomingBytes(bytes, signal, held))
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

/** Writes the bytes and their digest, and closes `inbox`. Returns the digest in hex. */
async function poured(
  file: DiskFile,
  { size, sha256: wanted }: Expected,
  inbox: ReturnType<typeof createIncomingBytes>,
): Promise<string> {
  const hash = createHash('sha256')
  let came = 0
  /** The last batch, written together with the digest. */
  let last: readonly Uint8Array[] = []
  // A function of its own: while the next batch is awaited, nothing may hold the one before it.
  const pourNext = async (): Promise<boolean> => {
    const batch = await inbox.next()
    if (batch === null) return false
    for (const { length } of batch) came += length
    if (came > size) throw new CutOff()
    if (came === size) last = batch
    const writing = came < size ? writeAll(file, batch) : null
    // Hash while the disk is writing.
    for (const chunk of batch) hash.update(chunk)
    await writing
    return true
  }
  try {
    while (await pourNext());
    if (came !== size) throw new CutOff()
    const digest = hash.digest()
    const sha256 = digest.toString('hex')
    if (wanted !== null && wanted !== sha256) throw new WrongBytes()
    await writeAll(file, [...last, digest])
    return sha256
  } finally {
    inbox.close()
  }
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
