// Timeouts against a silent server or client: no call here waits longer than the given limit.

/** No answer in time. The outcome is unknown. */
export class NoAnswer extends Error {
  constructor(what: string, ms: number) {
    super(`EventStoreDB gave no answer within ${Math.round(ms)} ms: ${what}`)
    this.name = 'NoAnswer'
  }
}

/** Creates the error for a call that was not answered in time. */
export const noAnswerTo =
  (what: string) =>
  (ms: number): Error =>
    new NoAnswer(what, ms)
