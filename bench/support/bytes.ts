// Bytes that a server keeps and writes on disk.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes that a process has caused to be written to the disk, from Linux. Zero in a folder in memory. */
export function writtenBytes(pid: number): number {
  const found = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'latin1'))
  return Number(found?.[1])
}

/** Size of the files in a folder whose names begin with `name`. */
export function sizeOf(folder: string, name: string): number {
  const files = readdirSync(folder).filter((file) => file.startsWith(name))
  return files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
}
