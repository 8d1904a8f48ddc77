// Checksums of the pages of a SQLite file that can be built again from the log: a start finds each page that is not as it was
// written, whatever happened to it.
//
// A cycle is what is written between two checkpoints of the WAL. The database has the number of its cycle, from the first transaction of the
// cycle on. A checkpoint records the sums of the pages that it copies and the number of the cycle, durably, before SQLite may write over
// the WAL. So at a start either the recorded cycle was the last one, and all pages must have their sums, or the next one has begun,
// and its pages are in the WAL, which SQLite checks. Any other number means that one of the files is an older copy.

import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { NotAsWritten } from './damaged.ts'
import { readWholly, writeWholly } from './descriptor-bytes.ts'
import { syncFolder } from './exclusive-database.ts'
import { sumOfPage } from './page-sum.ts'
import { OWNER_FILE } from './private-files.ts'
import { type LastFrames, lastFrames } from './wal-pages.ts'

/** Part of the schema of a file with sums. */
export const CYCLE_SCHEMA = `
  CREATE TABLE IF NOT EXISTS cycle (number INTEGER NOT NULL);
  INSERT INTO cycle SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM cycle);
`

export const sumsPathOf = (path: string): string => `${path}-sums`

/** Begins each record; the last byte is the version of the format. */
const MAGIC = 0x53_42_53_01
/** Of a record, in 32 bits each: magic, cycle, pages of the file, entries, CRC-32 of all of the record but this field. */
const HEADER_BYTES = 20
const CRC_AT = 16
/** Number of a page, sum. */
const ENTRY_BYTES = 8
/** The records are replaced by one when they have more entries than this, and than twice the pages of the file. */
const MIN_REPLACED_ENTRIES = 1_024
/** Pages that are read between two yields: less than a millisecond. */
const PAGES_PER_STEP = 128
const CHUNK_BYTES = 1_048_576

export interface SummedFile {
  readonly path: string
  readonly db: DatabaseSyncInstance
  /** Descriptors of the file and its WAL, for reading. */
  readonly file: number
  readonly wal: number
  readonly pageBytes: number
}

/** What the records say together. */
interface Sums {
  readonly cycle: number
  readonly pages: number
  /** By number of the page, from 1; 0 for a page that was never written. */
  readonly sums: Uint32Array
  readonly entries: number
  /** Bytes of the whole records. */
  readonly length: number
}

export class PageSums {
  readonly #of: SummedFile
  readonly #setCycle: (cycle: number) => void
  #fd: number | null = null
  #recorded: Sums
  #cycle: number
  /** Whether the disk was full: the file lacks records. */
  #isBehind = false

  /**
   * Verifies the file before anything is written to it; reads all of it. Throws NotAsWritten. `frames`: of committed transactions in
   * the WAL.
   */
  constructor(of: SummedFile, frames: number) {
    this.#of = of
    const recorded = readSums(sumsPathOf(of.path))
    if (recorded === null) throw new NotAsWritten(`${sumsPathOf(of.path)} is missing or damaged`)
    this.#recorded = recorded
    this.#cycle = cycleOf(of.db)
    verify(of, recorded, this.#cycle, lastFrames(of.wal, of.pageBytes, frames))
    const set = of.db.prepare('UPDATE cycle SET number = ? WHERE number <> ?')
    this.#setCycle = (cycle) => set.run(cycle, cycle)
    if (this.#cycle === recorded.cycle) this.#cycle += 1
  }

  /** Call it first in every transaction that may begin before a running checkpoint ends, and, without a transaction, after each checkpoint. */
  markCycle(): void {
    this.#setCycle(this.#cycle)
  }

  /**
   * Records the sums of the pages in the WAL, in steps. Call it when all frames are copied to the file; until it is done and `sync` has
   * resolved, nothing may be committed. Transactions that begin later are of the next cycle.
   */
  *record(frames: number): Generator<void> {
    const { wal, pageBytes } = this.#of
    const cycle = this.#cycle
    this.#cycle += 1
    const { offsets, filePages } = lastFrames(wal, pageBytes, frames)
    const page = Buffer.alloc(pageBytes)
    const changed = new Map<number, number>()
    for (const [number, offset] of offsets) {
      readWholly(wal, page, offset)
      changed.set(number, sumOfPage(page, number))
      if (changed.size % PAGES_PER_STEP === 0) yield
    }
    this.#add(cycle, filePages, changed)
  }

  /** The descriptor to sync after `record`. */
  get fd(): number {
    if (this.#fd === null) {
      this.#fd = openSync(sumsPathOf(this.#of.path), 'r+')
      ftruncateSync(this.#fd, this.#recorded.length)
    }
    return this.#fd
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd)
    this.#fd = null
  }

  #add(cycle: number, pages: number, changed: ReadonlyMap<number, number>): void {
    const before = this.#recorded
    const entries = before.entries + changed.size
    const isReplaced = this.#isBehind || entries > Math.max(MIN_REPLACED_ENTRIES, 2 * pages)
    const sums = sumsAfter(before.sums, pages, changed)
    this.#isBehind = true
    this.#recorded = { ...before, cycle, pages, sums }
    try {
      if (isReplaced) this.#replace(cycle, sums.subarray(0, pages))
      else this.#append(recordOf(cycle, pages, changed.size, changed), entries)
      this.#isBehind = false
    } catch (error) {
      // If the process is killed before a later record succeeds, the next start builds the file again.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }

  #replace(cycle: number, sums: Uint32Array): void {
    this.close()
    this.#recorded = writeSums(this.#of.path, cycle, sums)
  }

  #append(record: Buffer, entries: number): void {
    const { length } = this.#recorded
    writeWholly(this.fd, record, length)
    this.#recorded = { ...this.#recorded, entries, length: length + record.length }
  }
}

/** Creates the sums of a file whose WAL is empty, durably. */
export function createSums({ path, db, file, pageBytes }: Omit<SummedFile, 'wal'>): void {
  const sums: number[] = []
  for (const [number, page] of pagesOf(file, pageBytes)) sums[number - 1] = sumOfPage(page, number)
  writeSums(path, cycleOf(db), Uint32Array.from(sums))
}

/** Throws NotAsWritten if a page is not as it was written. */
function verify(of: SummedFile, recorded: Sums, cycle: number, inWal: LastFrames): void {
  const isContinued = cycle === recorded.cycle + 1
  if (cycle !== recorded.cycle && !isContinued) {
    throw new NotAsWritten('it, its WAL and its checksums are not of the same time')
  }
  const check = (number: number, page: Buffer | null): void => {
    const expected = recorded.sums[number - 1] ?? 0
    if (expected === 0 || (page !== null && sumOfPage(page, number) === expected)) return
    throw new NotAsWritten(page === null ? `page ${number} is missing` : `page ${number} is not as it was written`)
  }
  let last = 0
  for (const [number, page] of pagesOf(of.file, of.pageBytes)) {
    last = number
    if (number <= recorded.pages && !inWal.offsets.has(number)) check(number, page)
  }
  for (let number = last + 1; number <= recorded.pages; number += 1) if (!inWal.offsets.has(number)) check(number, null)
  if (isContinued) return
  const page = Buffer.alloc(of.pageBytes)
  for (const [number, offset] of inWal.offsets) {
    readWholly(of.wal, page, offset)
    check(number, page)
  }
}

function cycleOf(db: DatabaseSyncInstance): number {
  const row = db.prepare('SELECT number FROM cycle').get() as { number: unknown } | undefined
  if (typeof row?.number === 'number') return row.number
  throw new NotAsWritten('it has no number of its cycle')
}

/** All whole pages of a file. The buffer is used again. */
function* pagesOf(fd: number, pageBytes: number): Generator<readonly [number: number, page: Buffer]> {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  for (let offset = 0; ; offset += CHUNK_BYTES) {
    const length = readWholly(fd, chunk, offset)
    for (let at = 0; at + pageBytes <= length; at += pageBytes) {
      yield [(offset + at) / pageBytes + 1, chunk.subarray(at, at + pageBytes)]
    }
    if (length < CHUNK_BYTES) return
  }
}

type Entries = Iterable<readonly [number: number, sum: number]>

/** `sums` for a file of `pages` pages, with the changed ones. Uses the same array where it is large enough. */
function sumsAfter(sums: Uint32Array, pages: number, changed: Entries): Uint32Array {
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

function recordOf(cycle: number, pages: number, count: number, entries: Entries): Buffer {
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
function writeSums(path: string, cycle: number, sums: Uint32Array): Sums {
  const pages = sums.length
  const entries = sums.reduce((count, sum) => (sum === 0 ? count : count + 1), 0)
  const record = recordOf(cycle, pages, entries, known(sums))
  const unnamed = `${sumsPathOf(path)}.new`
  const fd = openSync(unnamed, 'w', OWNER_FILE)
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
function readSums(path: string): Sums | null {
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

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
