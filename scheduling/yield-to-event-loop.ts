// Yields to the event loop: once, or for as long as a request usually needs.

/**
 * Lets the event loop run other work. Long work without I/O must call this now and then: awaiting resolved promises
 * does not yield.
 */
export const yieldToEventLoop = () => new Promise<void>((next) => setImmediate(next))

/** A submission needs about as many turns, beside those in which it waits for the disk. */
const TURNS = 4

/** As `yieldToEventLoop`, for bulk work that runs beside requests: a request does not wait for a part of it in each of its turns. */
export async function yieldToRequests(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await yieldToEventLoop()
}
