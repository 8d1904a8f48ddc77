// Reads and writes bytes of a file descriptor at an offset. Blocks.

import { readSync, writeSync } from 'node:fs'

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
