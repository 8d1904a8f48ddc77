// Replaces the global timers by ones that fire only on request, and counts those that were started and not stopped.

interface Timers {
  readonly running: Pick<ReadonlySet<unknown>, 'size'>
  /** Fires all running timers. */
  fire(): void
  restore(): void
}

export function replaceTimers(): Timers {
  const { setTimeout, clearTimeout } = globalThis
  const running = new Map<unknown, () => void>()
  const started = (callback: () => void) => {
    const timer = { unref: () => timer }
    running.set(timer, callback)
    return timer
  }
  Object.assign(globalThis, { setTimeout: started, clearTimeout: (timer: unknown) => running.delete(timer) })
  const fire = () => {
    for (const [timer, callback] of [...running]) {
      running.delete(timer)
      callback()
    }
  }
  return { running, fire, restore: () => void Object.assign(globalThis, { setTimeout, clearTimeout }) }
}
