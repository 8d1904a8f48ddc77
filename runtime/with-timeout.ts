// Limits how long callers wait for a promise.

/** No answer in time. It is unknown whether the operation was done. */
export class NoAnswer extends Error {
  constructor(ms: number) {
    super(`no answer within ${Math.round(ms)} ms`)
    this.name = 'NoAnswer'
  }
}

/**
 * Resolves or rejects like the promise; after `ms` milliseconds rejects with the error from `late`. A later result is
 * dropped. If this process was busy itself, answers that have arrived meanwhile are read before the timeout counts.
 */
export function withTimeout<T>(ms: number, promise: Promise<T>, late: (ms: number) => Error = noAnswer): Promise<T> {
  return new Promise((resolve, reject) => {
    let immediate: NodeJS.Immediate | undefined
    const timer = setTimeout(() => {
      immediate = setImmediate(() => reject(late(ms)))
    }, ms)
    const settled = () => {
      clearTimeout(timer)
      clearImmediate(immediate)
    }
    promise.then(
      (value) => {
        settled()
        resolve(value)
      },
      (failure) => {
        settled()
        reject(failure)
      },
    )
  })
}

const noAnswer = (ms: number): Error => new NoAnswer(ms)
