// Counts what callers hold (connections, requests, bodies, bytes) per network address and in the process, and refuses what
// is over a limit. The key is the network address as pipeline/network.ts names it.

/** What has no room: one network address, or the process. */
export type Exceeded = 'address' | 'process'

export interface BudgetLimits {
  /** `Infinity`: addresses are not limited. */
  readonly perAddress: number
  readonly perProcess: number
}

/** What a network address holds, and what all of them do. */
export interface Held {
  readonly ofAddress: number
  readonly total: number
}

/**
 * What `amount` more would exceed. An address never holds more than what is left for all others (the dynamic thresholds of
 * Choudhury and Hahne, 1998): n addresses that take all they can hold 1/(n + 1) each, and the last part stays free for others.
 */
export function exceededBy(amount: number, { ofAddress, total }: Held, limits: BudgetLimits): Exceeded | null {
  if (total + amount > limits.perProcess) return 'process'
  const left = limits.perAddress === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : limits.perProcess - total
  return ofAddress + amount > Math.min(limits.perAddress, left) ? 'address' : null
}

/** Gives back what was taken; calling it again does nothing. */
export type Release = () => void

export class Budget {
  readonly #limits: BudgetLimits
  readonly #held = new Map<string, number>()
  #total = 0

  constructor(limits: BudgetLimits) {
    this.#limits = limits
  }

  /** All that is held now. */
  get held(): number {
    return this.#total
  }

  /**
   * Takes `amount` for a network address and returns how to give it back, or what is exceeded. Null means an address that
   * is not limited and counts for the process only.
   */
  take(address: string | null, amount = 1): Release | Exceeded {
    const ofAddress = address === null ? 0 : (this.#held.get(address) ?? 0)
    const exceeded = exceededBy(amount, { ofAddress, total: this.#total }, this.#limits)
    if (exceeded !== null) return exceeded
    if (address !== null) this.#held.set(address, ofAddress + amount)
    this.#total += amount
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#giveBack(address, amount)
    }
  }

  #giveBack(address: string | null, amount: number): void {
    this.#total -= amount
    if (address === null) return
    const left = (this.#held.get(address) ?? 0) - amount
    if (left > 0) this.#held.set(address, left)
    else this.#held.delete(address)
  }
}
