// Waiters for the next event of some kind. All are woken together, also when the signal of one of them aborts: each
// must check what it waits for.

interface Wakeups {
  /** Resolves at the next `wake`, or when a signal of a waiter aborts. */
  wait(signal: AbortSignal): Promise<void>
  wake(): void
}

export function createWakeups(): Wakeups {
  let waiting: (() => void)[] = []
  /** Signals whose abort wakes. One listener each: adding one takes as long as there are others on the signal. */
  const watched = new WeakSet<AbortSignal>()

  function wait(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    if (!watched.has(signal)) {
      watched.add(signal)
      signal.addEventListener('abort', wake, { once: true })
    }
    return new Promise((resolve) => {
      waiting.push(resolve)
    })
  }

  function wake(): void {
    const woken = waiting
    waiting = []
    for (const resolve of woken) resolve()
  }

  return { wait, wake }
}
