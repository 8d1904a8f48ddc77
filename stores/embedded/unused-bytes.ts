// The unused bytes of a SQLite page, between the pointers to its cells and the cells themselves. When a table outgrows its first
// page, SQLite copies the rows to another one, and without `secure_delete` leaves the old bytes here.

import { fdatasyncSync, readSync, writeSync } from 'node:fs'

/** https://www.sqlite.org/fileformat2.html#b_tree_pages: offsets in a page's header, and its size by the page's type. */
const CELLS_AT = 3
const CONTENT_AT = 5
const HEADER_BYTES = new Map([
  [0x02, 12],
  [0x05, 12],
  [0x0a, 8],
  [0x0d, 8],
])

/**
 * Writes zeros over the unused bytes of a page that is not the first of the file. Only while SQLite has nothing in its write-ahead
 * file, no transaction, and does not hold the page in memory. Blocks, for one sync where there was anything to write.
 */
export function clearUnused(fd: number, page: number, pageBytes: number): void {
  const start = (page - 1) * pageBytes
  const bytes = Buffer.alloc(pageBytes)
  if (readSync(fd, bytes, 0, pageBytes, start) < pageBytes) return
  const header = HEADER_BYTES.get(bytes.readUInt8(0))
  if (header === undefined) return
  const from = header + 2 * bytes.readUInt16BE(CELLS_AT)
  const to = bytes.readUInt16BE(CONTENT_AT) || pageBytes
  const unused = bytes.subarray(from, to)
  if (unused.every((byte) => byte === 0)) return
  writeSync(fd, unused.fill(0), 0, unused.length, start + from)
  fdatasyncSync(fd)
}
