// Clears the unused bytes of a SQLite page, between its cell pointers and its cells. SQLite leaves copies of rows
// there when it moves them to other pages: `secure_delete` clears deleted rows, but not rows that were moved earlier.

import { fdatasyncSync, read, readSync, writeSync } from 'node:fs'

/**
 * https://www.sqlite.org/fileformat2.html#b_tree_pages: offsets in a page's header, and its size by the page's type.
 */
const CELLS_AT = 3
const CONTENT_AT = 5
const HEADER_BYTES = new Map([
  [0x02, 12],
  [0x05, 12],
  [0x0a, 8],
  [0x0d, 8],
])
/** The header of the file is before that of the first page. */
const FILE_HEADER_BYTES = 100
const CHUNK_BYTES = 1_048_576

/**
 * The unused bytes of a page, as a view of `page`; empty if it is not a page of a table or index. Never throws,
 * whatever the page has.
 */
export function unusedOf(page: Buffer, number: number): Buffer {
  const start = number === 1 ? FILE_HEADER_BYTES : 0
  const header = HEADER_BYTES.get(page.readUInt8(start))
  if (header === undefined) return page.subarray(0, 0)
  const from = Math.min(page.length, start + header + 2 * page.readUInt16BE(start + CELLS_AT))
  const to = page.readUInt16BE(start + CONTENT_AT) || page.length
  return page.subarray(from, Math.max(from, to))
}

/**
 * The numbers of the pages whose unused bytes are not all zero. Reads the whole file in the thread pool. Commits may go
 * on in the WAL, but nothing may be checkpointed meanwhile: pages that SQLite writes then can have copies from pages
 * that were not read yet.
 */
export async function pagesToClear(fd: number, pageBytes: number): Promise<number[]> {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  const found: number[] = []
  for (let offset = 0; ; offset += CHUNK_BYTES) {
    const length = await readAt(fd, chunk, offset)
    for (let at = 0; at + pageBytes <= length; at += pageBytes) {
      const number = (offset + at) / pageBytes + 1
      const unused = unusedOf(chunk.subarray(at, at + pageBytes), number)
      if (unused.some((byte) => byte !== 0)) found.push(number)
    }
    if (length < CHUNK_BYTES) return found
  }
}

/**
 * Overwrites the unused bytes of pages with zeros, durably. Call it only while the WAL is empty, no transaction is open
 * and SQLite does not cache the pages. Blocks for one sync if it wrote anything.
 */
export function clearUnused(fd: number, pages: readonly number[], pageBytes: number): void {
  let isWritten = false
  for (const number of pages) {
    const start = (number - 1) * pageBytes
    const page = Buffer.alloc(pageBytes)
    if (readSync(fd, page, 0, pageBytes, start) < pageBytes) continue
    const unused = unusedOf(page, number)
    if (unused.every((byte) => byte === 0)) continue
    writeSync(fd, unused.fill(0), 0, unused.length, start + unused.byteOffset - page.byteOffset)
    isWritten = true
  }
  if (isWritten) fdatasyncSync(fd)
}

function readAt(fd: number, into: Buffer, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, into, 0, into.length, position, (error, length) => (error === null ? resolve(length) : reject(error)))
  })
}
