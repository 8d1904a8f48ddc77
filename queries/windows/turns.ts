// Long work in slices, with everything else that this process does between them.

/** Milliseconds for which slices may follow one another without a pause for others; a step of the collector may come on top. */
const TURN_MS = 1

/** To be awaited between slices: lets others have their turn where that is due. An abort is thrown, with its reason. */
export function turns(signal?: AbortSignal): () => Promise<void> {
  let end = performance.now() + TURN_MS
  return async () => {
    if (performance.now() < end) return
    await new Promise((next) => setImmediate(next))
    signal?.throwIfAborted()
    end = performance.now() + TURN_MS
  }
}

/** Runs slices to their end. */
export async function inTurns<Result>(slices: Generator<void, Result>, signal?: AbortSignal): Promise<Result> {
  for (;;) {
    const end = performance.now() + TURN_MS
    do {
      const next = slices.next()
      if (next.done) return next.value
    } while (performance.now() < end)
    await new Promise((next) => setImmediate(next))
    signal?.throwIfAborted()
  }
}
