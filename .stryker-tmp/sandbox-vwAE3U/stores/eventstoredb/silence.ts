// Timeouts against a silent server or client: no call here waits longer than the given limit.

/** Nothing was answered in time. Whether it was done is not known. */
export class NoAnswer extends Error {
  constructor(what: string, ms: number) {
    super(`EventStoreDB gave no answer within ${Math.round(ms)} ms: ${what}`)
    this.name = 'NoAnswer'
  }
}

/** For `within`: the failure that says what was not answered. */
export const noAnswerTo =
  (what: string) =>
  (ms: number): Error =>
    new NoAnswer(what, ms)
