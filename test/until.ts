// Waiting in tests, on what must come to be.

/** Looks at each turn of the event loop; the test's own time limit ends what never comes. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((next) => setImmediate(next))
}

/** Between two looks at what must come to be; nothing may rely on its length. */
export const pause = (ms: number): Promise<void> => new Promise((later) => setTimeout(later, ms))
