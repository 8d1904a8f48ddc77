// Calls that begin at a steady pace, however long each takes.

import { setTimeout as pause } from 'node:timers/promises'

const POLL_MS = 10

/** A call that succeeded: start and duration in milliseconds by `performance.now()`, and its result. */
export interface Taken<Result> {
  readonly began: number
  readonly took: number
  readonly result: Result
}

export interface SteadyCalls<Result> {
  /** In the order of their ends. */
  readonly taken: readonly Taken<Result>[]
  /** Of each call that failed, why. */
  readonly failures: readonly string[]
  /** Begins no further call, and waits for those that run. */
  end(): Promise<void>
}

export function steadyCalls<Result>(aSecond: number, call: () => Promise<Result>): SteadyCalls<Result> {
  const taken: Taken<Result>[] = []
  const failures: string[] = []
  let running = 0
  const one = async () => {
    const began = performance.now()
    running++
    try {
      const result = await call()
      taken.push({ began, took: performance.now() - began, result })
    } catch (error) {
      failures.push(`${error}${error instanceof Error && error.cause !== undefined ? ` (${error.cause})` : ''}`)
    }
    running--
  }
  const beginning = setInterval(() => void one(), 1_000 / aSecond)
  return {
    taken,
    failures,
    async end() {
      clearInterval(beginning)
      while (running > 0) await pause(POLL_MS)
    },
  }
}

/** The milliseconds of calls that began in a span. */
export const tookBetween = (taken: readonly Taken<unknown>[], from: number, until: number): number[] =>
  taken.filter(({ began }) => began >= from && began < until).map(({ took }) => took)
