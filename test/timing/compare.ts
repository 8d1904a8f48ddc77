// Compares the durations of two kinds of calls that callers must not be able to distinguish: sequential, alternating
// calls; medians.

const WARM_UP = 50
/** Maximum relative difference of the medians. */
const TOLERANCE = 0.05

export interface Comparison {
  readonly what: string
  /** Median of the first kind divided by that of the second. */
  readonly ratio: number
  /** Medians in milliseconds. */
  readonly ms: readonly [number, number]
  readonly isEqual: boolean
}

/** Seconds of the nth call. Throws if its answer differs from the one that both kinds must get. */
type TimedCall = (n: number) => Promise<number>

export async function compareTimes(
  what: string,
  samples: number,
  first: TimedCall,
  second: TimedCall,
): Promise<Comparison> {
  const times: [number[], number[]] = [[], []]
  for (let n = -WARM_UP; n < samples; n++) {
    // Alternate which kind goes first.
    for (const side of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const seconds = await (side === 0 ? first : second)(Math.abs(n))
      if (n >= 0) times[side].push(seconds)
    }
  }
  const [one, other] = [median(times[0]), median(times[1])]
  const ratio = one / other
  return { what, ratio, ms: [one * 1_000, other * 1_000], isEqual: Math.abs(ratio - 1) <= TOLERANCE }
}

/** `seconds` must not be empty. */
function median(seconds: readonly number[]): number {
  return seconds.toSorted((a, b) => a - b)[seconds.length >> 1] ?? Number.NaN
}
