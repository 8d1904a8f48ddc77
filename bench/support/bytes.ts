// Bytes that a server keeps and writes on disk.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Bytes that a process has given to calls that write, from Linux: those for files, and those for its callers. Not Linux's
 * `write_bytes`, which counts a change of 4 KiB as much as the whole folio of the page cache that it is in: five times as much here.
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
