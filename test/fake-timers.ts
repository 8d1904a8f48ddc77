// Replaces the global timers during a test by ones that fire only on request, and counts those that were started and
// not stopped. Timers of other code in the process, such as what earlier tests have left, are real.

import { AsyncLocalStorage } from 'node:async_hooks'

interface Timers {
  readonly running: Pick<ReadonlySet<unknown>, 'size'>
  /** Fires all running timers. */
  fire(): void
}

/** Runs `work` with the timers replaced that it and what it calls start, and restores them when it has settled. */
export async function withFakeTimers(work: (timers: Timers) => void | Promise<void>): Promise<void> {
  const { setTimeout, clearTimeout } = globalThis
  const within = new AsyncLocalStorage<true>()
  const running = new Map<unknown, () => void>()
  const started = (callback: () => void, ...params: number[]) => {
    if (within.getStore() === undefined) return setTimeout(callback, ...params)
    const timer = { unref: () => timer }
    running.set(timer, callback)
    return timer
  }
  const stopped = (timer: NodeJS.Timeout) => {
    if (!running.delete(timer)) clearTimeout(timer)
  }
  const fire = () => {
    for (const [timer, callback] of [...running]) {
      running.delete(timer)
      callback()
    }
  }
  Object.assign(globalThis, { setTimeout: started, clearTimeout: stopped })
  try {
    await within.run(true, async () => work({ running, fire }))
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout })
  }
}
