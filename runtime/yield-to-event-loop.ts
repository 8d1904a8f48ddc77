// Waits: for one turn of the event loop, for as many as a submission needs, or for the end of a signal.

/**
 * Lets the event loop run other work. Long work without I/O must call this now and then: awaiting resolved promises
 * does not yield.
 */
export const yieldToEventLoop = () => new Promise<void>((next) => setImmediate(next))

/** A submission needs about as many, besides those in which it waits for the disk (decision 0035). */
const TURNS_OF_A_SUBMISSION = 4

/**
 * Yields for several turns, so that a submission waits for one part of bulk work, and not for one in each of its turns.
 * Takes longer: for the fold of a history and the entries of it. Other long work uses `yieldToEventLoop`.
 */
export async function yieldToRequests(): Promise<void> {
  for (let turn = 0; turn < TURNS_OF_A_SUBMISSION; turn++) await yieldToEventLoop()
}

export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((wake) => signal.addEventListener('abort', () => wake(), { once: true }))
}
