// Metrics of the connection to EventStoreDB: both stay 0 on the embedded log.

import { Counter, type Registry } from 'prom-client'

/** What an operator calls the operation that a right is needed for. */
const OPERATIONS = {
  readAll: 'read_all',
  readStream: 'read_stream',
  append: 'append',
  deleteStream: 'delete_stream',
  readMetadata: 'read_metadata',
  writeMetadata: 'write_metadata',
} as const

export function watchEventStore(registry: Registry): {
  onDenied(right: keyof typeof OPERATIONS): void
  onReconnect(): void
} {
  const registers = [registry]
  const reconnects = new Counter({
    name: 'scorebook_log_reconnects_total',
    help: 'Connections to EventStoreDB that replaced another one.',
    registers,
  })
  const denied = new Counter({
    name: 'scorebook_log_denied_total',
    help: 'Calls that EventStoreDB denied for a right, a user or a password.',
    labelNames: ['operation'],
    registers,
  })
  // An increase from nothing is none to Prometheus.
  for (const operation of Object.values(OPERATIONS)) denied.inc({ operation }, 0)
  return {
    onReconnect: () => reconnects.inc(),
    onDenied: (right) => denied.inc({ operation: OPERATIONS[right] }),
  }
}
