// One line of a bench's page: a figure of ours against a limit measured in the same run.

export interface BenchRow {
  readonly what: string
  /** The limit, with its unit; or why it was not measured. */
  readonly limit: string
  readonly ours: string
  /** As the goal counts it (see there); NaN where the limit was not measured. */
  readonly ratio: number
  readonly goal: string
  readonly met: boolean
}

/** The middle of the values; of an even number the higher of the two in the middle. */
export function median(values: readonly number[]): number {
  const middle = values.toSorted((a, b) => a - b)[values.length >> 1]
  if (middle === undefined) throw new RangeError('a median needs at least one value')
  return middle
}
