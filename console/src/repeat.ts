// Repeats something while the page is visible.

interface Pauses {
  /** Minimum milliseconds from the end of a run to the start of the next one; null: it runs once. */
  readonly everyMs: number | null
  /** A pause is at least this many times as long as the run before it. */
  readonly pauseFactor: number
}

/**
 * Runs now, and again after each pause. While the page is hidden, the next run waits. `run` must not reject. Returns
 * how to stop it.
 */
export function repeat(run: () => Promise<unknown>, { everyMs, pauseFactor }: Pauses): () => void {
  let over = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const once = async () => {
    const began = performance.now()
    await run()
    if (over || everyMs === null) return
    timer = setTimeout(tick, Math.max(everyMs, (performance.now() - began) * pauseFactor))
  }
  const tick = () => {
    if (document.hidden) document.addEventListener('visibilitychange', tick, { once: true })
    else void once()
  }
  void once()
  return () => {
    over = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}
