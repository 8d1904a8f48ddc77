// The longest time for which some work lets nothing else of this process run: by the clock, and by processor time, which on a
// machine with other work is what the work itself takes.

import { closeSync, openSync, readSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 1

export interface Pauses {
  /** Of the turn of the event loop that took the most. */
  readonly cpuMs: number
  readonly clockMs: number
}

/** Looks at each turn of the event loop until it is stopped. */
export function watchPauses(): { stop(): Pauses } {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  const thread = threadTime()
  const now = () => ({ clockMs: performance.now(), processMs: processMs(), threadMs: thread.readMs() })
  let isWatching = true
  let most = 0
  let last = now()
  const look = () => {
    const next = now()
    // The process has other threads, the clock other processes, and the thread's own time is only looked at every few
    // milliseconds by the system: a turn takes no more than any of them says.
    const differences = [next.clockMs - last.clockMs, next.processMs - last.processMs, next.threadMs - last.threadMs]
    most = Math.max(most, Math.min(...differences))
    last = now()
  }
  const turn = () => {
    if (!isWatching) return
    look()
    setImmediate(turn)
  }
  setImmediate(turn)
  return {
    stop: () => {
      isWatching = false
      delays.disable()
      look()
      thread.close()
      return { cpuMs: most, clockMs: Math.max(0, delays.max / 1e6 - RESOLUTION_MS) }
    },
  }
}

function processMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e3
}

/** What the main thread has run so far, as Linux counts it. */
function threadTime(): { readMs(): number; close(): void } {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const text = Buffer.alloc(64)
  return {
    readMs: () => Number(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)).split(' ', 1)[0]) / 1e6,
    close: () => closeSync(file),
  }
}
