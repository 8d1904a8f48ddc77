// Waiting time by cause: the time during which at least one call of a kind is in flight.

export class Waits {
  readonly #kinds = new Map<string, { running: number; since: number; ms: number }>()

  async during<Answer>(kind: string, call: Promise<Answer>): Promise<Answer> {
    const one = this.#kinds.get(kind) ?? { running: 0, since: 0, ms: 0 }
    this.#kinds.set(kind, one)
    if (one.running++ === 0) one.since = performance.now()
    try {
      return await call
    } finally {
      if (--one.running === 0) one.ms += performance.now() - one.since
    }
  }

  /** Seconds of each kind since the last call. */
  taken(): ReadonlyMap<string, number> {
    const seconds = new Map([...this.#kinds].map(([kind, one]) => [kind, one.ms / 1_000]))
    this.#kinds.clear()
    return seconds
  }
}
