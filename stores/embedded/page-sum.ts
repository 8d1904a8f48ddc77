// The checksum of a page of a SQLite file, of all that SQLite reads from it.

import { crc32 } from 'node:zlib'
import { unusedOf } from './unused-bytes.ts'

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
export function sumOfPage(page: Buffer, number: number): number {
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
