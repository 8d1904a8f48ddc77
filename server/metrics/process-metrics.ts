// Metrics of the process and its machine (memory, disks), of its connection to EventStoreDB, and of its queue of long
// reads.

import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client'
import { READ_LIMITS, ReadQueue } from '../../queries/work-queue.ts'
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

const OPERATIONS = {
  readAll: 'read_all',
  readStream: 'read_stream',
  append: 'append',
  deleteStream: 'delete_stream',
  readMetadata: 'read_metadata',
  writeMetadata: 'write_metadata',
} as const

/** Both metrics stay 0 with the embedded log. */
export function watchEventStore(registry: Registry): {
  onDenied(right: keyof typeof OPERATIONS): void
  onReconnect(): void
} {
  const registers = [registry]
  const reconnects = new Counter({
    name: 'scorebook_log_reconnects_total',
    help: 'Reconnects to EventStoreDB.',
    registers,
  })
  const denied = new Counter({
    name: 'scorebook_log_denied_total',
    help: 'Calls that EventStoreDB denied for a right, a user or a password.',
    labelNames: ['operation'],
    registers,
  })
  // Prometheus does not count the step from a missing series to 1 as an increase.
  for (const operation of Object.values(OPERATIONS)) denied.inc({ operation }, 0)
  return {
    onReconnect: () => reconnects.inc(),
    onDenied: (right) => denied.inc({ operation: OPERATIONS[right] }),
  }
}

const WAITS_S = [0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10]

export function countedReads(registry: Registry): ReadQueue {
  const registers = [registry]
  const waits = new Histogram({
    name: 'scorebook_reads_wait_seconds',
    help: 'Time that long reads waited in the queue.',
    buckets: WAITS_S,
    registers,
  })
  const refused = new Counter({
    name: 'scorebook_reads_refused_total',
    help: 'Reads refused with 503 reads_busy, by which bound was reached.',
    labelNames: ['bound'],
    registers,
  })
  const reads = new ReadQueue(READ_LIMITS, {
    waited: (seconds) => waits.observe(seconds),
    refused: (bound) => refused.inc({ bound }),
  })
  const gauge = watchGauge.bind(null, registry)
  gauge('scorebook_reads_waiting', 'Long reads that wait in the queue.', () => reads.waiting)
  gauge('scorebook_reads_running', 'Long reads that are running.', () => reads.running)
  return reads
}
