// Which pages the WAL has, from the headers of its frames: https://www.sqlite.org/fileformat2.html#the_write_ahead_log.

import { readSync } from 'node:fs'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const SALT_BYTES = 8
/** Offsets of the salt, which is new each time SQLite begins the WAL again. */
const SALT_AT = 16
const FRAME_SALT_AT = 8

/**
 * The numbers of all pages in the frames since SQLite last began the WAL again: those of committed transactions, also if they are
 * checkpointed, and maybe some that were rolled back. Blocks for some microseconds a frame.
 */
export function pagesInWal(fd: number, pageBytes: number): number[] {
  const header = Buffer.alloc(HEADER_BYTES)
  if (readSync(fd, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return []
  const salt = header.subarray(SALT_AT, SALT_AT + SALT_BYTES)
  const frame = Buffer.alloc(FRAME_HEADER_BYTES)
  const pages = new Set<number>()
  for (let at = HEADER_BYTES; ; at += FRAME_HEADER_BYTES + pageBytes) {
    const isWhole = readSync(fd, frame, 0, FRAME_HEADER_BYTES, at) === FRAME_HEADER_BYTES
    if (!isWhole || !frame.subarray(FRAME_SALT_AT, FRAME_SALT_AT + SALT_BYTES).equals(salt)) return [...pages]
    pages.add(frame.readUInt32BE(0))
  }
}
