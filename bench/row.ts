// One line of the bench's page: a figure of ours against a limit measured in the same run.

export interface BenchRow {
  readonly what: string
  /** The limit, with its unit; or why it was not measured. */
  readonly limit: string
  readonly ours: string
  /** As printed, counted the way the goal counts it. */
  readonly ratio: string
  readonly goal: string
  readonly met: boolean
}
