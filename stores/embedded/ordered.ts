// A non-reentrant FIFO queue: nested calls are enqueued and run after the current one.

export type Ordered = (work: () => void) => void

export function createOrdered(): Ordered {
  const waiting: (() => void)[] = []
  let isRunning = false
  return (work) => {
    if (isRunning) {
      waiting.push(work)
      return
    }
    isRunning = true
    try {
      work()
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next()
    } finally {
      isRunning = false
    }
  }
}
