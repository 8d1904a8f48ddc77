// The longest time that some work blocks the event loop: by the clock, and by processor time, which excludes other load
// on the machine.

import { closeSync, openSync, readSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 1

export interface Pauses {
  /** Of the longest turn of the event loop. */
  readonly cpuMs: number
  readonly clockMs: number
}

/** Measures each turn of the event loop until it is stopped. */
export function watchPauses(): { stop(): Pauses } {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  const thread = threadTime()
  const now = () => ({ clockMs: performance.now(), processMs: processMs(), threadMs: thread.readMs() })
  let isWatching = true
  let longest = 0
  let last = now()
  const measure = () => {
    const next = now()
    // Each clock overestimates: the process time includes other threads, the wall clock other processes, and the system
    // updates the thread's time only every few milliseconds. The minimum is an upper bound for the turn.
    const differences = [next.clockMs - last.clockMs, next.processMs - last.processMs, next.threadMs - last.threadMs]
    longest = Math.max(longest, Math.min(...differences))
    last = now()
  }
  const loop = () => {
    if (!isWatching) return
    measure()
    setImmediate(loop)
  }
  setImmediate(loop)
  return {
    stop: () => {
      isWatching = false
      delays.disable()
      measure()
      thread.close()
      return { cpuMs: longest, clockMs: Math.max(0, delays.max / 1e6 - RESOLUTION_MS) }
    },
  }
}

function processMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e3
}

/** Processor time of the main thread, from Linux. */
function threadTime(): { readMs(): number; close(): void } {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const text = Buffer.alloc(64)
  return {
    readMs: () => Number(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)).split(' ', 1)[0]) / 1e6,
    close: () => closeSync(file),
  }
}
