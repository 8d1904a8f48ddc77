// One limit on how long anybody waits for a promise: nothing waits for a store or a probe
// for longer than its time limit.

/** Nothing was answered in time. Whether it was done is not known. */
export class NoAnswer extends Error {
  constructor(ms: number) {
    super(`no answer within ${Math.round(ms)} ms`)
    this.name = 'NoAnswer'
  }
}

/**
 * What the promise gives; once `ms` milliseconds are over, a rejection with what `late` makes. What comes later is
 * dropped. A process that was busy itself first reads what has come meanwhile.
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
