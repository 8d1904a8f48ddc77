// How V8 collects garbage in a server: two settings of its own that make a server slower or larger than it needs to be. They are
// set in the process, so that they hold for every way to start one.

import { setFlagsFromString } from 'node:v8'

/**
 * The heap is collected when it has grown by this part since the last collection. On a machine with much memory V8 would wait until it
 * has grown to several times what is in use.
 */
const GROWTH_PERCENT = 100
const GROWTH = '--heap-growing-percent'

/**
 * Off: V8 notes where objects are created that outlive the young generation, and optimized code then creates those of the same place in
 * the old generation at once. During a start or a slow store that is so for what belongs to a request. From then on each request has a
 * few objects in the old generation, which live until its next collection and keep everything else of the request for as long. Two
 * fifths of all garbage were then copied twice: a third of a page's CPU.
 */
const NO_PRETENURING = '--no-allocation-site-pretenuring'

/** Call it before the first request. A growth that the process was started with stays. */
export function setUpGarbageCollection(): void {
  setFlagsFromString(NO_PRETENURING)
  if (process.execArgv.some((option) => option.startsWith(GROWTH))) return
  setFlagsFromString(`${GROWTH}=${GROWTH_PERCENT}`)
}
