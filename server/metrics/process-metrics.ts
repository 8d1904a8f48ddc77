// Metrics of the process and its machine: those of prom-client, the memory that is its own, and the free bytes on its
// disks.

import { readFileSync } from 'node:fs'
import { collectDefaultMetrics, type Registry } from 'prom-client'
import { watchGauge } from '../../runtime/gauge.ts'
import type { Config } from '../config.ts'
import { watchDisks } from './disk-metrics.ts'

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
