// Replaces the global timers during a test by ones that fire only on request, and counts those that were started and not
// stopped.

interface Timers {
  readonly running: Pick<ReadonlySet<unknown>, 'size'>
  /** Fires all running timers. */
  fire(): void
}

/** Runs `work` with the global timers replaced, and restores them when it has settled. */
export async function withFakeTimers(work: (timers: Timers) => void | Promise<void>): Promise<void> {
  const { setTimeout, clearTimeout } = globalThis
  const running = new Map<unknown, () => void>()
  const started = (callback: () => void) => {
    const timer = { unref: () => timer }
    running.set(timer, callback)
    return timer
  }
  const fire = () => {
    for (const [timer, callback] of [...running]) {
      running.delete(timer)
      callback()
    }
  }
  Object.assign(globalThis, { setTimeout: started, clearTimeout: (timer: unknown) => running.delete(timer) })
  try {
    await work({ running, fire })
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout })
  }
}
