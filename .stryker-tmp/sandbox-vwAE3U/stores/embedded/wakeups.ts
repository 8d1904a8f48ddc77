// Waiters for the next event of some kind: all are woken together, and each at once if its signal aborts.

interface Wakeups {
  /** Resolves at the next `wake`, or when the signal aborts. */
  wait(signal: AbortSignal): Promise<void>
  wake(): void
}

export function createWakeups(): Wakeups {
  const waiting = new Set<() => void>()

  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve()
        return
      }
      const done = () => {
        waiting.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      waiting.add(done)
      signal.addEventListener('abort', done)
    })
  }

  function wake(): void {
    for (const done of [...waiting]) done()
  }

  return { wait, wake }
}
