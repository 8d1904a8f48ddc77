// Metrics of the connection to EventStoreDB; both stay 0 with the embedded log.

import { Counter, type Registry } from 'prom-client'

/** Label values by required right. */
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
