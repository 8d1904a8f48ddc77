// Metrics of the queue of long reads.

import { Counter, Histogram, type Registry } from 'prom-client'
import { READ_LIMITS, ReadQueue } from '../../queries/work-queue.ts'
import { watchGauge } from '../../runtime/gauge.ts'

const WAITS_S = [0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10]

/** The queue of this node, with its metrics. */
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
