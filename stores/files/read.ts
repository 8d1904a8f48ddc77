// Reads blobs from disk: their bytes, followed by their sha256.

import type { Stored } from '../contract/files.ts'
import { type Disk, type DiskFile, isCode } from './disk.ts'
import { blobPathOf } from './layout.ts'

export const DIGEST_BYTES = 32

/** The stored blob, or null. */
export async function storedIn(disk: Disk, root: string, blob: string): Promise<Stored | null> {
  return withFile(disk, blobPathOf(root, blob).path, async (file) => {
    const { size, changedMs } = await file.facts()
    return { blob, size: size - DIGEST_BYTES, sha256: await digestOf(file, size), storedMs: changedMs }
  })
}

/**
 * The checksum (hex) after the bytes of a file with a total of `size` bytes. Rejects if the file is shorter than a
 * checksum.
 */
export async function digestOf(file: DiskFile, size: number): Promise<string> {
  const digest = Buffer.alloc(DIGEST_BYTES)
  let read = 0
  while (read < DIGEST_BYTES) {
    const more = size < DIGEST_BYTES ? 0 : await file.read(digest.subarray(read), size - DIGEST_BYTES + read)
    if (more === 0)
      throw Object.assign(new Error('a blob is shorter than what every blob has'), { code: 'EIO', syscall: 'read' })
    read += more
  }
  return digest.toString('hex')
}

async function withFile<Result>(
  disk: Disk,
  path: string,
  use: (file: DiskFile) => Promise<Result>,
): Promise<Result | null> {
  const file = await openOrNull(disk, path)
  if (file === null) return null
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

/** Null if there is no such file. */
export function openOrNull(disk: Disk, path: string): Promise<DiskFile | null> {
  return disk.open(path).catch((failure: unknown) => {
    if (isCode(failure, 'ENOENT')) return null
    throw failure
  })
}
