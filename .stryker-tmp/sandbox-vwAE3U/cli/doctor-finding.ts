// What doctor found of one thing.

export interface Finding {
  readonly name: string
  /** `warn`: it works, and may not for long, or not for everybody. */
  readonly state: 'ok' | 'warn' | 'fail'
  readonly detail: string
  /** What to do about it, where it is not well. */
  readonly fix?: string
}
