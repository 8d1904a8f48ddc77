// A non-reentrant FIFO queue: nested calls run after the current one, not inside it.

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
