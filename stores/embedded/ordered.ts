// One after the other, whoever asks: what is asked for from within is done when what runs is done, not in the middle of it.

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
