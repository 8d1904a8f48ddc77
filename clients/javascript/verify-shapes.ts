// The lines of a verification and its result, as a server answers them.

/** Lines of a verification: progress, and finally the result. */
export interface VerifyLine {
  readonly progress?: {
    readonly phase: string
    readonly done: number
    readonly share: number
    readonly per_second: number
    readonly eta_seconds: number | null
    readonly at: string | null
  }
  readonly result?: VerifyResult
}

export interface VerifyResult {
  readonly equal: boolean
  readonly position: string
  readonly events: number
  readonly documents: number
  readonly ranked: number | null
  readonly parked: number
  readonly behind: boolean
  readonly differences: readonly {
    readonly view: string
    readonly collection: string | null
    readonly id: string | null
    readonly field: string | null
    readonly live: string | null
    readonly rebuilt: string | null
  }[]
  readonly found: number
  /** Gaps and duplicates in the revisions of the log's streams. Absent from servers of 0.2. */
  readonly revisions?: {
    readonly faults: readonly {
      readonly stream: string
      readonly position: string
      readonly expected: number
      readonly revision: number
    }[]
    readonly found: number
  }
}
