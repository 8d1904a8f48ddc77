// Which pages the WAL has, from the headers of its frames: https://www.sqlite.org/fileformat2.html#the_write_ahead_log.

import { readSync } from 'node:fs'
import { readWholly } from './descriptor-bytes.ts'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const SALT_BYTES = 8
/** Offsets of the salt, which is new each time SQLite begins the WAL again. */
const SALT_AT = 16
const FRAME_SALT_AT = 8
/** In the header of the last frame of a transaction. */
const FILE_PAGES_AT = 4

/** The pages in the committed frames of a WAL. */
export interface LastFrames {
  /** Offset of the newest content of each page, by its number. */
  readonly offsets: ReadonlyMap<number, number>
  /** Pages of the file after the last of these transactions; 0 without one. */
  readonly filePages: number
}

/** `frames`: the number of committed frames, as SQLite counts them. Blocks for some microseconds a frame. */
export function lastFrames(fd: number, pageBytes: number, frames: number): LastFrames {
  const frame = Buffer.alloc(FRAME_HEADER_BYTES)
  const offsets = new Map<number, number>()
  for (let nth = 0; nth < frames; nth += 1) {
    const at = HEADER_BYTES + nth * (FRAME_HEADER_BYTES + pageBytes)
    readWholly(fd, frame, at)
    offsets.set(frame.readUInt32BE(0), at + FRAME_HEADER_BYTES)
  }
  return { offsets, filePages: frames === 0 ? 0 : frame.readUInt32BE(FILE_PAGES_AT) }
}

/**
 * The numbers of all pages in the frames since SQLite last began the WAL again: those of committed transactions, also
 * if they are checkpointed, and maybe some that were rolled back. Blocks for some microseconds a frame.
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
