// Attempts to guess a password or a mailed code, counted on all nodes: 5 failures a minute for a login, 20 for a network;
// 20 wrong codes in 15 minutes for a network. A place is taken before the password or the code is looked at and given
// back where it was right, so that racers get no more guesses than anybody.

import { randomUUID } from 'node:crypto'
import { Refusal } from '../../domain/decider.ts'
import type { WindowSpec, Windows } from '../../stores/contract/transient.ts'

export const FAILURES_PER_LOGIN = 5
export const FAILURES_PER_NETWORK = 20
export const FAILURES_WITHIN_MS = 60_000
export const WRONG_CODES_PER_NETWORK = 20
export const WRONG_CODES_WITHIN_MS = 15 * 60_000
/**
 * Attempts of this node that wait for one under way to end; and of one network among them, so that others can wait too.
 */
export const MAX_WAITING = 1_024
export const MAX_WAITING_OF_NETWORK = 64

export interface LockOut {
  /**
   * Runs an attempt, which answers null where it failed. 429 `rate_limited` where too many failed within the last
   * minute, for this login or from this network, whether or not anybody has the login and whatever the attempt would
   * have been.
   */
  attempt<T>(login: string, network: string, nowMs: number, prove: () => Promise<T | null>): Promise<T | null>
  /** Likewise for a mailed code: 429 where too many from this network were wrong within the last 15 minutes. */
  attemptCode<T>(network: string, nowMs: number, prove: () => Promise<T | null>): Promise<T | null>
}

interface Running {
  /** The windows that it holds a place of. */
  readonly keys: readonly string[]
  readonly ended: Promise<void>
  end(): void
}

export function createLockOut(windows: Windows): LockOut {
  /** Attempts under way on this node: what each holds, and its end. */
  const running = new Set<Running>()
  let waiting = 0
  const waitingOf = new Map<string, number>()

  /**
   * Places may all be held by attempts that will turn out right: where those of this node hold one of each full window,
   * it waits for them. Where none does, failures have filled it.
   */
  async function enter(
    specs: readonly WindowSpec[],
    attempt: string,
    network: string,
    nowMs: number,
  ): Promise<Running> {
    for (;;) {
      const before = [...running]
      const waits = await windows.enter(specs, attempt, nowMs)
      const full = specs.filter((_, n) => (waits[n] ?? 0) > 0)
      if (full.length === 0) return begun(specs)
      // Whoever held a place when it was asked for may have given it back since.
      const holders = [...before, ...running].filter(({ keys }) => full.some(({ key }) => keys.includes(key)))
      if (!full.every(({ key }) => holders.some(({ keys }) => keys.includes(key)))) throw lockedOut(specs, waits)
      const own = waitingOf.get(network) ?? 0
      if (waiting >= MAX_WAITING || own >= MAX_WAITING_OF_NETWORK) throw signInBusy()
      waiting += 1
      waitingOf.set(network, own + 1)
      await Promise.race(holders.map(({ ended }) => ended)).finally(() => {
        waiting -= 1
        const left = (waitingOf.get(network) ?? 1) - 1
        if (left === 0) waitingOf.delete(network)
        else waitingOf.set(network, left)
      })
    }
  }

  function begun(specs: readonly WindowSpec[]): Running {
    let resolved = () => {}
    const ended = new Promise<void>((resolve) => {
      resolved = resolve
    })
    const one = { keys: specs.map(({ key }) => key), ended, end: () => resolved() }
    running.add(one)
    return one
  }

  async function attempt<T>(
    specs: readonly WindowSpec[],
    network: string,
    nowMs: number,
    prove: () => Promise<T | null>,
  ): Promise<T | null> {
    const id = randomUUID()
    const one = await enter(specs, id, network, nowMs)
    let isFailure = false
    try {
      const proven = await prove()
      isFailure = proven === null
      return proven
    } finally {
      // Where it cannot be given back, it counts: nobody gains by that.
      if (!isFailure) await windows.leave(specs, id).catch(() => {})
      running.delete(one)
      one.end()
    }
  }

  return {
    attempt: (login, network, nowMs, prove) => {
      const specs: readonly WindowSpec[] = [
        { key: `login:${login}`, most: FAILURES_PER_LOGIN, withinMs: FAILURES_WITHIN_MS },
        { key: `login_address:${network}`, most: FAILURES_PER_NETWORK, withinMs: FAILURES_WITHIN_MS },
      ]
      return attempt(specs, network, nowMs, prove)
    },
    attemptCode: (network, nowMs, prove) => {
      const spec = { key: `code_address:{${network}}`, most: WRONG_CODES_PER_NETWORK, withinMs: WRONG_CODES_WITHIN_MS }
      return attempt([spec], network, nowMs, prove)
    },
  }
}

function lockedOut(specs: readonly WindowSpec[], waits: readonly number[]): Refusal {
  const longest = Math.max(...waits)
  const policy = specs[waits.indexOf(longest)]?.key.split(':')[0]
  return tooMany(policy ?? '', longest, 'Too many sign-ins have failed.')
}

/** 429 `rate_limited`. */
export function tooMany(policy: string, waitMs: number, why: string): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return new Refusal('too_many', 'rate_limited', `${why} Wait ${seconds} s.`, { retry_after: seconds, policy })
}

/** 503 `sign_in_busy`: nothing was looked at. */
export function signInBusy(): Refusal {
  const detail = 'Too many players sign in at once. Nothing was changed; try again.'
  return new Refusal('unavailable', 'sign_in_busy', detail, { retry_after: 1 })
}
