// Limits attempts to guess a password or a mailed code, over all nodes: 5 failures a minute per login, 20 per network,
// and 20 wrong codes in 15 minutes per network. An attempt is counted before it is checked and uncounted if it was
// right, so that concurrent attempts get no extra guesses.

import { randomUUID } from 'node:crypto'
import { Refusal } from '../../domain/decider.ts'
import type { WindowSpec, Windows } from '../../stores/contract/transient.ts'

export const FAILURES_PER_LOGIN = 5
export const FAILURES_PER_NETWORK = 20
export const FAILURES_WITHIN_MS = 60_000
export const WRONG_CODES_PER_NETWORK = 20
export const WRONG_CODES_WITHIN_MS = 15 * 60_000
/** Maximum attempts of this node that wait for a running one to end, in all and per network. */
export const MAX_WAITING = 1_024
export const MAX_WAITING_OF_NETWORK = 64

export interface LockOut {
  /**
   * Runs `check`, which resolves to null if the attempt failed. 429 `rate_limited` if too many failed within the last
   * minute for this login or from this network, whether or not the login exists and even if this attempt is right.
   */
  attempt<T>(login: string, network: string, nowMs: number, check: () => Promise<T | null>): Promise<T | null>
  /** The same for a mailed code: 429 if too many from this network were wrong within the last 15 minutes. */
  attemptCode<T>(network: string, nowMs: number, check: () => Promise<T | null>): Promise<T | null>
}

interface Running {
  /** The windows that count it. */
  readonly keys: readonly string[]
  readonly ended: Promise<void>
  end(): void
}

export function createLockOut(windows: Windows): LockOut {
  const attempts = new Attempts(windows)
  return {
    attempt: (login, network, nowMs, check) => {
      const specs: readonly WindowSpec[] = [
        { key: `login:${login}`, max: FAILURES_PER_LOGIN, withinMs: FAILURES_WITHIN_MS },
        { key: `login_address:${network}`, max: FAILURES_PER_NETWORK, withinMs: FAILURES_WITHIN_MS },
      ]
      return attempts.run(specs, network, nowMs, check)
    },
    attemptCode: (network, nowMs, check) => {
      const spec = { key: `code_address:{${network}}`, max: WRONG_CODES_PER_NETWORK, withinMs: WRONG_CODES_WITHIN_MS }
      return attempts.run([spec], network, nowMs, check)
    },
  }
}

class Attempts {
  readonly #windows: Windows
  readonly #waiting = new WaitingAttempts()
  /** Attempts running on this node. */
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
      // If it cannot be uncounted, it counts as a failure, which gains an attacker nothing.
      if (!isFailure) await this.#windows.leave(specs, id).catch(() => {})
      this.#running.delete(one)
      one.end()
    }
  }

  /**
   * A full window may be full of running attempts that turn out right. If this node has running attempts in every full
   * window, this waits for one to end; else failures have filled a window, and it throws.
   */
  async #enter(specs: readonly WindowSpec[], attempt: string, network: string, nowMs: number): Promise<Running> {
    for (;;) {
      const before = [...this.#running]
      const waits = await this.#windows.enter(specs, attempt, nowMs)
      const full = specs.filter((_, n) => (waits[n] ?? 0) > 0)
      if (full.length === 0) return this.#begin(specs)
      // Include attempts that ended while the windows were queried.
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

/** Counts attempts that wait for others to end, in all and by network. */
class WaitingAttempts {
  #all = 0
  readonly #ofNetwork = new Map<string, number>()

  /** Throws 503 `sign_in_busy` if too many wait. */
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

/** 503 `sign_in_busy`: the attempt was not checked. */
export function signInBusy(): Refusal {
  const detail = 'Too many players are signing in. Nothing was changed. Try again.'
  return new Refusal('unavailable', 'sign_in_busy', detail, { retry_after: 1 })
}
