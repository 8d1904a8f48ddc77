// Reads and writes bytes of files. Blocks.

import { readFileSync, readSync, writeSync } from 'node:fs'

/**
 * Fills the buffer from `offset` on. Returns the number of bytes read: fewer than the buffer has only at the end of the
 * file.
 */
export function readWholly(fd: number, into: Buffer, offset: number): number {
  let length = 0
  while (length < into.length) {
    const read = readSync(fd, into, length, into.length - length, offset + length)
    if (read === 0) break
    length += read
  }
  return length
}

/** A call that writes a part only is repeated for the rest: on a full disk that throws ENOSPC. */
export function writeWholly(fd: number, bytes: Buffer, offset: number): void {
  for (let length = 0; length < bytes.length; ) {
    length += writeSync(fd, bytes, length, bytes.length - length, offset + length)
  }
}

/** All bytes of a file; null if there is none. */
export function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
