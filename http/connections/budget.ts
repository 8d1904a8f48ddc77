// Counts what callers hold (connections, requests, bodies, bytes) per network address and in the process, and refuses what
// is over a limit. The key is the network address as pipeline/network.ts names it.

/** What has no room: one network address, or the process. */
export type Exceeded = 'address' | 'process'

export interface BudgetLimits {
  /** `Infinity`: addresses are not limited. */
  readonly perAddress: number
  readonly perProcess: number
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
    const { perAddress, perProcess } = this.#limits
    if (this.#total + amount > perProcess) return 'process'
    if (address !== null) {
      const held = (this.#held.get(address) ?? 0) + amount
      if (held > perAddress) return 'address'
      this.#held.set(address, held)
    }
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
