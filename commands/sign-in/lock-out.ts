// Limits attempts to guess a password or a mailed code, over all nodes: 5 failures a minute per login, and per network as
// many failures and wrong codes as the operator allows. An attempt is counted before it is checked and uncounted if it was
// right, so that concurrent attempts get no extra guesses.

import { randomUUID } from 'node:crypto'
import { Refusal } from '../../domain/decider.ts'
import { type AddressLimits, DEFAULT_ADDRESS_LIMITS, type Window } from '../../runtime/rate-limits.ts'
import type { WindowSpec, Windows } from '../../stores/contract/transient.ts'

export const FAILURES_PER_LOGIN = 5
export const FAILURES_WITHIN_MS = 60_000
/** Maximum attempts of this node that wait for a running one to end, in all and per network. */
export const MAX_WAITING = 1_024
export const MAX_WAITING_OF_NETWORK = 64

export interface LockOut {
  /**
   * Runs `check`, which resolves to null if the attempt failed. 429 `rate_limited` if too many failed for this login or
   * from this network, whether or not the login exists and even if this attempt is right. `isKnown` is asked only if
   * too many failed from this network: if it resolves to true, only the failures of this login count. Default: false.
   */
  attempt<T>(attempt: Attempt, check: () => Promise<T | null>, isKnown?: () => Promise<boolean>): Promise<T | null>
  /** The same for a mailed code: 429 if too many from this network were wrong. */
  attemptCode<T>(network: string, nowMs: number, check: () => Promise<T | null>): Promise<T | null>
}

export interface Attempt {
  /** A digest. */
  readonly login: string
  readonly network: string
  readonly nowMs: number
}

interface Running {
  /** The windows that count it. */
  readonly keys: readonly string[]
  readonly ended: Promise<void>
  end(): void
}

export function createLockOut(
  windows: Windows,
  { login_address: ofLogins, code_address: ofCodes }: LockOutLimits = DEFAULT_ADDRESS_LIMITS,
): LockOut {
  const attempts = new Attempts(windows)
  return {
    attempt: ({ login, network, nowMs }, check, isKnown = async () => false) => {
      const ofLogin = { key: `login:${login}`, max: FAILURES_PER_LOGIN, withinMs: FAILURES_WITHIN_MS }
      const ofNetwork = { key: `login_address:${network}`, ...windowOf(ofLogins) }
      return attempts.run(
        [ofLogin, ofNetwork],
        { network, nowMs, exempt: { specs: [ofLogin], applies: isKnown } },
        check,
      )
    },
    attemptCode: (network, nowMs, check) => {
      const spec = { key: `code_address:{${network}}`, ...windowOf(ofCodes) }
      return attempts.run([spec], { network, nowMs, exempt: null }, check)
    },
  }
}

type LockOutLimits = Pick<AddressLimits, 'login_address' | 'code_address'>

interface Circumstances {
  readonly network: string
  readonly nowMs: number
  /** If too many failed, and it applies, only these windows count. */
  readonly exempt: { readonly specs: readonly WindowSpec[]; applies(): Promise<boolean> } | null
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
    all: readonly WindowSpec[],
    circumstances: Circumstances,
    check: () => Promise<T | null>,
  ): Promise<T | null> {
    const id = randomUUID()
    const { one, specs } = await this.#enterUnlessExempt(all, id, circumstances)
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

  async #enterUnlessExempt(
    specs: readonly WindowSpec[],
    attempt: string,
    { network, nowMs, exempt }: Circumstances,
  ): Promise<{ readonly one: Running; readonly specs: readonly WindowSpec[] }> {
    try {
      return { one: await this.#enter(specs, attempt, network, nowMs), specs }
    } catch (error) {
      const isLocked = error instanceof Refusal && error.kind === 'too_many'
      if (!isLocked || exempt === null || !(await exempt.applies())) throw error
      return { one: await this.#enter(exempt.specs, attempt, network, nowMs), specs: exempt.specs }
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

/** The window of a setting, as the store counts it. */
export const windowOf = ({ max, perSeconds }: Window): Pick<WindowSpec, 'max' | 'withinMs'> => ({
  max,
  withinMs: perSeconds * 1_000,
})

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
