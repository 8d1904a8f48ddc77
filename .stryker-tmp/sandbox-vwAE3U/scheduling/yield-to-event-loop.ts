// Yields to the event loop.

/**
 * Lets the event loop run other work. Long work without I/O must call this now and then: awaiting resolved promises
 * does not yield.
 */
export const yieldToEventLoop = () => new Promise<void>((next) => setImmediate(next))
