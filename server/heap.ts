// The heap of a server: two options of V8's garbage collector, whose defaults make a server slower and larger than it
// needs to be, and the collection of what only the start needed. The process sets the options itself, so that they
// apply however it is started.

import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'

/**
 * V8 collects the heap when it has grown by this much since the last collection. On a machine with much memory it would
 * wait until the heap has grown to several times what is in use.
 */
const GROWTH_PERCENT = 100
const GROWTH = '--heap-growing-percent'

/**
 * Pretenuring: V8 notes the allocation sites whose objects outlive the young generation, and optimized code then
 * creates the objects of these sites in the old generation. During a start, or while a store is slow, objects of a
 * request outlive it. From then on each request has a few objects in the old generation. They live until its next
 * collection, and keep all other objects of the request alive: two fifths of all garbage were copied twice, which took
 * a third of a page's CPU (decision 0065).
 */
const NO_PRETENURING = '--no-allocation-site-pretenuring'

/** Call it before the first request. If the process was started with a growth of its own, that one applies. */
export function setUpGarbageCollection(): void {
  setFlagsFromString(NO_PRETENURING)
  if (process.execArgv.some((option) => option.startsWith(GROWTH))) return
  setFlagsFromString(`${GROWTH}=${GROWTH_PERCENT}`)
}

const IDLE_OF_MS = 1_000
/** The share of this time that the event loop of an idle process is busy at most. */
const IDLE_SHARE = 0.1
/**
 * From this size on, the heap is collected at once. The pause grows with what is in use: 0.2 s of 100 MiB, 2.5 s of 700
 * MiB.
 */
const LARGE_HEAP_BYTES = 150 * 2 ** 20

/**
 * Call it when the start has ended. Loading the modules grows V8's young generation to its limit, and reading views and
 * log leaves garbage in the old one. V8 gives both back only in a full collection at a time of few allocations, which
 * may never come: an idle server with an empty folder kept 30 MiB that it did not use. Collects a large heap
 * immediately, because few calls arrive yet: views that were built leave mostly garbage, and V8 would collect it only
 * when the heap has doubled, in the middle of calls. Then waits until the process has been idle for `idleMs`
 * milliseconds, and collects a heap that is not large, which shrinks the young generation. A process that is never idle
 * needs that generation. Does nothing if this build of Node has no inspector, which offers the collection.
 */
export async function releaseStartMemory(idleMs = IDLE_OF_MS, largeHeapBytes = LARGE_HEAP_BYTES): Promise<void> {
  if (!process.features.inspector) return
  if (process.memoryUsage().heapUsed > largeHeapBytes) await collect()
  for (let share = 1; share > IDLE_SHARE; ) {
    const before = performance.eventLoopUtilization()
    await pause(idleMs, undefined, { ref: false })
    share = performance.eventLoopUtilization(before).utilization
  }
  if (process.memoryUsage().heapUsed <= largeHeapBytes) await collect()
}

async function collect(): Promise<void> {
  const { Session } = await import('node:inspector')
  const session = new Session()
  session.connect()
  await new Promise<void>((resolve) => session.post('HeapProfiler.collectGarbage', () => resolve()))
  session.disconnect()
}
