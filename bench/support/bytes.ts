// Bytes that a server keeps on disk, and bytes that it writes.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Bytes that a process has written, to files and to sockets (`wchar` of /proc/<pid>/io). Not `write_bytes`: Linux
 * counts a changed folio of the page cache as written whole, which gave 148 KB for a submission that writes 31.
 */
export function writtenBytes(pid: number): number {
  const found = /^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'latin1'))
  return Number(found?.[1])
}

/** Size of the files in a folder whose names begin with `name`. */
export function sizeOf(folder: string, name: string): number {
  const files = readdirSync(folder).filter((file) => file.startsWith(name))
  return files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
}
