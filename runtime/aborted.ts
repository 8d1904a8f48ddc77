// Waits for abort signals.

/** Resolves when a signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((wake) => signal.addEventListener('abort', () => wake(), { once: true }))
}
