// Measures the latency of other calls while something runs.

const PING_EVERY_MS = 5

/** Sequential calls with pauses; `end` returns their durations in milliseconds. */
export function pinging(one: () => Promise<unknown>): { end(): Promise<readonly number[]> } {
  let isOver = false
  const waits: number[] = []
  const running = (async () => {
    while (!isOver) {
      const began = performance.now()
      await one()
      waits.push(performance.now() - began)
      await new Promise((next) => setTimeout(next, PING_EVERY_MS))
    }
  })()
  return {
    end: async () => {
      isOver = true
      await running
      return waits
    },
  }
}
