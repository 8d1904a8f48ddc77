// Counts the turns of the event loop, and blocks it.

/** `count`: turns since the call. */
export function countingTurns(): { count(): number; end(): void } {
  let turns = 0
  let isOver = false
  const next = () => {
    turns++
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  return {
    count: () => turns,
    end: () => {
      isOver = true
    },
  }
}

export function busyFor(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}
