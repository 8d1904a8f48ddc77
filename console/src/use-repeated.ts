// Repeats something while the page is visible.

import { useEffect } from 'preact/hooks'

/** What is repeated takes at most this share of the time. */
const SHARE = 5

/** `everyMs`: milliseconds from one end to the next begin; null: never. */
export function useRepeated(run: () => Promise<unknown>, everyMs: number | null): void {
  useEffect(() => {
    if (everyMs === null) return
    let over = false
    let timer: ReturnType<typeof setTimeout>
    const tick = async () => {
      const began = performance.now()
      if (!document.hidden) await run()
      if (!over) timer = setTimeout(tick, Math.max(everyMs, (performance.now() - began) * SHARE))
    }
    timer = setTimeout(tick, everyMs)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [run, everyMs])
}
