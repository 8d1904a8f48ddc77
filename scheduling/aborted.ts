// Waiting for an abort signal.

/** Waits for a signal to abort. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((wake) => signal.addEventListener('abort', () => wake(), { once: true }))
}
