// How much garbage V8's heap may hold. On a machine with much memory V8 collects the old generation when it has grown to several
// times what is in use, so the process takes memory for garbage that it has no use for.

import { setFlagsFromString } from 'node:v8'

/** Collected when the heap has grown by this part since the last collection. */
const GROWTH_PERCENT = 50
const OPTION = '--heap-growing-percent'

/** Applies to this process from its next collection on. Does nothing if the process was started with a growth of its own. */
export function boundHeapGrowth(): void {
  if (process.execArgv.some((option) => option.startsWith(OPTION))) return
  setFlagsFromString(`${OPTION}=${GROWTH_PERCENT}`)
}
