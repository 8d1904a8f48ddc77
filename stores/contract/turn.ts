/** Lets others have their turn of the event loop, as promises alone never do. */
export const turn = () => new Promise<void>((next) => setImmediate(next))
