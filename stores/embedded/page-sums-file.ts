// The file of the checksums of pages: records, each of one checkpoint, with a CRC-32. A record that a crash cut off was
// not needed yet.

import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { readIfThere, writeWholly } from './descriptor-bytes.ts'
import { syncFolder } from './exclusive-database.ts'
import { PRIVATE_FILE_MODE } from './private-files.ts'

export const sumsPathOf = (path: string): string => `${path}-sums`

/** Begins each record; the last byte is the version of the format. */
const MAGIC = 0x53_42_53_01
/**
 * Of a record, in 32 bits each: magic, cycle, pages of the file, entries, CRC-32 of all of the record but this field.
 */
const HEADER_BYTES = 20
const CRC_AT = 16
/** Number of a page, sum. */
const ENTRY_BYTES = 8
/** What the records say together. */
export interface Sums {
  readonly cycle: number
  readonly pages: number
  /** By number of the page, from 1; 0 for a page that was never written. */
  readonly sums: Uint32Array
  readonly entries: number
  /** Bytes of the whole records. */
  readonly length: number
}

export type Entries = Iterable<readonly [number: number, sum: number]>

/** `sums` for a file of `pages` pages, with the changed ones. Uses the same array where it is large enough. */
export function sumsAfter(sums: Uint32Array, pages: number, changed: Entries): Uint32Array {
  let after = sums
  if (sums.length < pages) {
    after = new Uint32Array(Math.max(pages, Math.ceil(sums.length * 1.25)))
    after.set(sums)
  }
  // A file that shrank and grows again has new pages there.
  after.fill(0, pages)
  for (const [number, sum] of changed) if (number <= pages) after[number - 1] = sum
  return after
}

export function recordOf(cycle: number, pages: number, count: number, entries: Entries): Buffer {
  const record = Buffer.alloc(HEADER_BYTES + ENTRY_BYTES * count)
  for (const [field, value] of [MAGIC, cycle, pages, count].entries()) record.writeUInt32LE(value, 4 * field)
  let at = HEADER_BYTES
  for (const [number, sum] of entries) {
    record.writeUInt32LE(number, at)
    record.writeUInt32LE(sum, at + 4)
    at += ENTRY_BYTES
  }
  record.writeUInt32LE(crcOf(record), CRC_AT)
  return record
}

const crcOf = (record: Buffer): number => crc32(record.subarray(HEADER_BYTES), crc32(record.subarray(0, CRC_AT)))

/** Replaces the file of the sums by one record, durably. */
export function writeSums(path: string, cycle: number, sums: Uint32Array): Sums {
  const pages = sums.length
  const entries = sums.reduce((count, sum) => (sum === 0 ? count : count + 1), 0)
  const record = recordOf(cycle, pages, entries, known(sums))
  const unnamed = `${sumsPathOf(path)}.new`
  const fd = openSync(unnamed, 'w', PRIVATE_FILE_MODE)
  try {
    writeWholly(fd, record, 0)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(unnamed, sumsPathOf(path))
  syncFolder(dirname(path))
  return { cycle, pages, sums, entries, length: record.length }
}

function* known(sums: Uint32Array): Generator<readonly [number: number, sum: number]> {
  for (const [at, sum] of sums.entries()) if (sum !== 0) yield [at + 1, sum]
}

const NONE: Sums = { cycle: 0, pages: 0, sums: new Uint32Array(), entries: 0, length: 0 }

/** Null if there are none, or none that can be read. A record that a crash cut off was not needed yet. */
export function readSums(path: string): Sums | null {
  const bytes = readIfThere(path)
  let read: Sums | null = null
  while (bytes !== null) {
    const before: Sums = read ?? NONE
    const record = recordAt(bytes, before.length)
    if (record === null || (read !== null && record.cycle !== before.cycle + 1)) break
    const { cycle, pages, count, length } = record
    const sums = sumsAfter(before.sums, pages, entriesIn(record.bytes))
    read = { cycle, pages, sums, entries: before.entries + count, length: before.length + length }
  }
  return read
}

function recordAt(bytes: Buffer, at: number) {
  if (bytes.length < at + HEADER_BYTES || bytes.readUInt32LE(at) !== MAGIC) return null
  const [cycle, pages, count] = [1, 2, 3].map((field) => bytes.readUInt32LE(at + 4 * field)) as [number, number, number]
  const length = HEADER_BYTES + ENTRY_BYTES * count
  const record = bytes.subarray(at, at + length)
  if (record.length < length || crcOf(record) !== record.readUInt32LE(CRC_AT)) return null
  return { cycle, pages, count, length, bytes: record }
}

function* entriesIn(record: Buffer): Generator<readonly [number: number, sum: number]> {
  for (let at = HEADER_BYTES; at < record.length; at += ENTRY_BYTES) {
    yield [record.readUInt32LE(at), record.readUInt32LE(at + 4)]
  }
}
