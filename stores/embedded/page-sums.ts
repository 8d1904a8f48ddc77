// Checksums of the pages of a SQLite file that can be built again from the log: a start finds each page that is not as
// it was written.
//
// A cycle is what is written between two checkpoints of the WAL. The database has the number of its cycle, from the
// first transaction of the cycle on. A checkpoint records the sums of the pages that it copies and the number of the
// cycle, durably, before SQLite may write over the WAL. So at a start either the recorded cycle was the last one, and
// all pages must have their sums, or the next one has begun, and its pages are in the WAL, which SQLite checks. Any
// other number means that one of the files is an older copy.

import { closeSync, existsSync, ftruncateSync, openSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { NotAsWritten } from './damaged.ts'
import { readWholly, writeWholly } from './descriptor-bytes.ts'
import { closeExclusive } from './exclusive-database.ts'
import { readSums, recordOf, type Sums, sumsAfter, sumsPathOf, writeSums } from './page-sums-file.ts'
import { unusedOf } from './unused-bytes.ts'
import { type LastFrames, lastFrames } from './wal-pages.ts'

/** Part of the schema of a file with sums. */
export const CYCLE_SCHEMA = `
  CREATE TABLE IF NOT EXISTS cycle (number INTEGER NOT NULL);
  INSERT INTO cycle SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM cycle);
`

/** The records are replaced by one when they have more entries than this, and than twice the pages of the file. */
const MIN_REPLACED_ENTRIES = 1_024
/** Pages that are read between two yields: less than a millisecond. */
const PAGES_PER_STEP = 128
const CHUNK_BYTES = 1_048_576

interface SummedFile {
  readonly path: string
  readonly db: DatabaseSyncInstance
  /** Descriptors of the file and its WAL, for reading. */
  readonly file: number
  readonly wal: number
  readonly pageBytes: number
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
   * Verifies the file before anything is written to it; reads all of it. Throws NotAsWritten. `frames`: of committed
   * transactions in the WAL.
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

  /**
   * Call it first in every transaction that may begin before a running checkpoint ends, and, without a transaction,
   * after each checkpoint.
   */
  markCycle(): void {
    this.#setCycle(this.#cycle)
  }

  /**
   * Records the sums of the pages in the WAL, in steps. Call it when all frames are copied to the file; until it is
   * done and `sync` has resolved, nothing may be committed. Transactions that begin later are of the next cycle.
   */
  *record(frames: number): Generator<void> {
    // Without frames nothing was copied, and the transaction that would begin the next cycle may not have been written.
    if (frames === 0) return
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

/**
 * Verifies the file as the constructor of `PageSums` does. Creates the sums of a new file: `openDerived` removes any
 * other that has none. If it throws, it has closed the database and both descriptors. `frames`: of committed
 * transactions in the WAL.
 */
export function openSums(of: SummedFile, frames: () => number): PageSums {
  try {
    if (!existsSync(sumsPathOf(of.path))) {
      of.db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      createSums(of)
    }
    return new PageSums(of, frames())
  } catch (error) {
    closeExclusive(of.db)
    closeSync(of.wal)
    closeSync(of.file)
    throw error
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

/**
 * In page 1, what a change of the journal mode rewrites outside the WAL, as [start, end): versions of the format, and
 * the counters of changes with the version of SQLite. https://www.sqlite.org/fileformat2.html#the_database_header
 */
const VOLATILE = [
  [18, 20],
  [24, 28],
  [92, 100],
] as const

/**
 * CRC-32 of the page without its unused bytes, which a purge clears beside the WAL. `number`: from 1. Never 0. Takes
 * about a microsecond for 4 KiB.
 */
function sumOfPage(page: Buffer, number: number): number {
  const content = number === 1 ? withoutVolatile(page) : page
  const unused = unusedOf(content, number)
  const start = unused.byteOffset - content.byteOffset
  const sum =
    unused.length === 0
      ? crc32(content)
      : crc32(content.subarray(start + unused.length), crc32(content.subarray(0, start)))
  return sum === 0 ? 1 : sum
}

function withoutVolatile(page: Buffer): Buffer {
  const copy = Buffer.from(page)
  for (const [start, end] of VOLATILE) copy.fill(0, start, end)
  return copy
}
