// Gives back the memory that only the start needed. Loading the modules grows V8's young generation to its limit, and reading
// views and log leaves garbage in the old one. V8 gives both back only in a full collection at a time of few allocations, which
// may never come: an idle server with an empty folder kept 30 MiB that it did not use.

import { setTimeout as pause } from 'node:timers/promises'

const IDLE_OF_MS = 1_000
/** The share of this time that the event loop of an idle process is busy at most. */
const IDLE_SHARE = 0.1
/** A collection of more takes longer than calls should wait: about 2.5 s of 700 MiB. */
const MAX_HEAP_BYTES = 150 * 2 ** 20

/**
 * Call it as soon as the start has ended. Collects once, in pauses of about 0.2 s, as soon as the process has been idle for `idleMs`
 * milliseconds. A process that never is needs the young generation that it has.
 *
 * A start that has built views leaves a large heap, mostly of garbage. V8 would collect it only when it has doubled, and then for long,
 * in the middle of calls. So it is collected at once, while hardly anybody calls. Does nothing if this build of Node has no inspector,
 * which offers the collection.
 */
export async function releaseStartMemory(idleMs = IDLE_OF_MS, maxHeapBytes = MAX_HEAP_BYTES): Promise<void> {
  if (!process.features.inspector) return
  if (process.memoryUsage().heapUsed > maxHeapBytes) await collect()
  for (let share = 1; share > IDLE_SHARE; ) {
    const before = performance.eventLoopUtilization()
    await pause(idleMs, undefined, { ref: false })
    share = performance.eventLoopUtilization(before).utilization
  }
  if (process.memoryUsage().heapUsed <= maxHeapBytes) await collect()
}

async function collect(): Promise<void> {
  const { Session } = await import('node:inspector')
  const session = new Session()
  session.connect()
  await new Promise<void>((resolve) => session.post('HeapProfiler.collectGarbage', () => resolve()))
  session.disconnect()
}
