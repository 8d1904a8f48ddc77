// The event loop's turn: what goes on for long without waiting for anything gives it up now and then.

/** Lets others have their turn of the event loop, as promises alone never do. */
export const yieldToEventLoop = () => new Promise<void>((next) => setImmediate(next))
