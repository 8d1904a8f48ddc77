// Against a server or a client that falls silent: nothing here waits for longer than it was told to.

/** Nothing was answered in time. Whether it was done is not known. */
export class NoAnswer extends Error {
  constructor(what: string, ms: number) {
    super(`EventStoreDB gave no answer within ${Math.round(ms)} ms: ${what}`)
    this.name = 'NoAnswer'
  }
}

/** What the promise gives, or a NoAnswer once the time is over. What comes later is dropped. */
export function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new NoAnswer(what, ms)), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
