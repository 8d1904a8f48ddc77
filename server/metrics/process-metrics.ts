// Metrics of the process and its machine: those of prom-client, the memory that is its own, and the free bytes on its
// disks.

import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { watchGauge } from '../../runtime/gauge.ts'
import type { Config } from '../config.ts'

export function watchProcess(registry: Registry, folders: Pick<Config, 'dataDir' | 'filesDir'>): void {
  collectDefaultMetrics({ register: registry })
  const help = 'Bytes of memory that are the process’s own: without files that are mapped into it.'
  watchGauge(registry, 'scorebook_own_memory_bytes', help, ownMemoryBytes)
  watchDisks(registry, folders)
}

/**
 * On Linux the anonymous part of the resident set, which the system cannot take back; elsewhere all of the resident
 * set.
 */
function ownMemoryBytes(): number {
  if (process.platform !== 'linux') return process.memoryUsage.rss()
  const [, kib] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return kib === undefined ? process.memoryUsage.rss() : Number(kib) * 1_024
}

/** A folder that cannot be read, or that this process does not use, has no value. */
export function watchDisks(registry: Registry, { dataDir, filesDir }: Pick<Config, 'dataDir' | 'filesDir'>): void {
  const folders = { data: dataDir, files: filesDir }
  new Gauge({
    name: 'scorebook_disk_free_bytes',
    help: 'Free bytes on the disk of the data folder and on that of the files.',
    labelNames: ['disk'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const [disk, folder] of Object.entries(folders)) {
        const free = folder === null ? null : await freeBytes(folder)
        if (free !== null) this.set({ disk }, free)
      }
    },
  })
}

const freeBytes = (folder: string): Promise<number | null> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  )
