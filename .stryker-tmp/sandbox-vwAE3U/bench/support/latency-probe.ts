// How long other calls take while something runs.

const PING_EVERY_MS = 5

/** Calls one after another, with a pause between; `end` gives how long each took, in milliseconds. */
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
