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
  attempt<T>(login: string, network: string, nowMs: number, check: () => Promise<T | null>): Promise<T | null>
  /** Likewise for a mailed code: 429 where too many from this network were wrong within the last 15 minutes. */
  attemptCode<T>(network: string, nowMs: number, check: () => Promise<T | null>): Promise<T | null>
}

interface Running {
  /** The windows that it holds a place of. */
  readonly keys: readonly string[]
  readonly ended: Promise<void>
  end(): void
}

export function createLockOut(windows: Windows): LockOut {
  const attempts = new Attempts(windows)
  return {
    attempt: (login, network, nowMs, check) => {
      const specs: readonly WindowSpec[] = [
        { key: `login:${login}`, most: FAILURES_PER_LOGIN, withinMs: FAILURES_WITHIN_MS },
        { key: `login_address:${network}`, most: FAILURES_PER_NETWORK, withinMs: FAILURES_WITHIN_MS },
      ]
      return attempts.run(specs, network, nowMs, check)
    },
    attemptCode: (network, nowMs, check) => {
      const spec = { key: `code_address:{${network}}`, most: WRONG_CODES_PER_NETWORK, withinMs: WRONG_CODES_WITHIN_MS }
      return attempts.run([spec], network, nowMs, check)
    },
  }
}

class Attempts {
  readonly #windows: Windows
  readonly #waiting = new WaitingAttempts()
  /** Attempts under way on this node. */
  readonly #running = new Set<Running>()

  constructor(windows: Windows) {
    this.#windows = windows
  }

  async run<T>(
    specs: readonly WindowSpec[],
    network: string,
    nowMs: number,
    check: () => Promise<T | null>,
  ): Promise<T | null> {
    const id = randomUUID()
    const one = await this.#enter(specs, id, network, nowMs)
    let isFailure = false
    try {
      const proven = await check()
      isFailure = proven === null
      return proven
    } finally {
      // Where it cannot be given back, it counts: nobody gains by that.
      if (!isFailure) await this.#windows.leave(specs, id).catch(() => {})
      this.#running.delete(one)
      one.end()
    }
  }

  /**
   * Places may all be held by attempts that will turn out right: where those of this node hold one of each full window,
   * it waits for them. Where none does, failures have filled it.
   */
  async #enter(specs: readonly WindowSpec[], attempt: string, network: string, nowMs: number): Promise<Running> {
    for (;;) {
      const before = [...this.#running]
      const waits = await this.#windows.enter(specs, attempt, nowMs)
      const full = specs.filter((_, n) => (waits[n] ?? 0) > 0)
      if (full.length === 0) return this.#begin(specs)
      // An attempt that held a place when the windows were asked may have given it back since.
      const holders = [...before, ...this.#running].filter(({ keys }) => full.some(({ key }) => keys.includes(key)))
      if (!full.every(({ key }) => holders.some(({ keys }) => keys.includes(key)))) throw lockedOut(specs, waits)
      await this.#waiting.wait(network, Promise.race(holders.map(({ ended }) => ended)))
    }
  }

  #begin(specs: readonly WindowSpec[]): Running {
    let resolved = () => {}
    const ended = new Promise<void>((resolve) => {
      resolved = resolve
    })
    const one = { keys: specs.map(({ key }) => key), ended, end: () => resolved() }
    this.#running.add(one)
    return one
  }
}

/** How many attempts wait for others to end, in all and by network. */
class WaitingAttempts {
  #all = 0
  readonly #ofNetwork = new Map<string, number>()

  /** Throws 503 `sign_in_busy` where too many wait. */
  async wait(network: string, ended: Promise<void>): Promise<void> {
    const own = this.#ofNetwork.get(network) ?? 0
    if (this.#all >= MAX_WAITING || own >= MAX_WAITING_OF_NETWORK) throw signInBusy()
    this.#all += 1
    this.#ofNetwork.set(network, own + 1)
    await ended.finally(() => {
      this.#all -= 1
      const left = (this.#ofNetwork.get(network) ?? 1) - 1
      if (left === 0) this.#ofNetwork.delete(network)
      else this.#ofNetwork.set(network, left)
    })
  }
}

function lockedOut(specs: readonly WindowSpec[], waits: readonly number[]): Refusal {
  const longest = Math.max(...waits)
  const policy = specs[waits.indexOf(longest)]?.key.split(':')[0]
  return tooMany(policy ?? '', longest, 'Too many sign-ins have failed.')
}

/** 429 `rate_limited`. */
export function tooMany(policy: string, waitMs: number, reason: string): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return new Refusal('too_many', 'rate_limited', `${reason} Wait ${seconds} s.`, { retry_after: seconds, policy })
}

/** 503 `sign_in_busy`: nothing was looked at. */
export function signInBusy(): Refusal {
  const detail = 'Too many players sign in at once. Nothing was changed; try again.'
  return new Refusal('unavailable', 'sign_in_busy', detail, { retry_after: 1 })
}
