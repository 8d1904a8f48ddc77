// The result of one check of doctor.

export interface Finding {
  readonly name: string
  /** `warn`: it works, but may stop working, or not work for everyone. */
  readonly state: 'ok' | 'warn' | 'fail'
  readonly detail: string
  /** How to fix it, unless it is ok. */
  readonly fix?: string
}
