// Sets two options of V8's garbage collector, whose defaults make a server slower and larger than it needs to be. The
// process sets them itself, so that they apply however it is started.

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
