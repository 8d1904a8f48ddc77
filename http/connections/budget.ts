// Counts what callers hold (connections, requests, bodies, bytes) per network address and in the process, and refuses
// what is over a limit. The key is the network address as runtime/network.ts names it.

/** Whose limit is reached: that of one network address, or of the process. */
export type Exceeded = 'address' | 'process'

export interface BudgetLimits {
  /** `Infinity`: addresses are not limited. */
  readonly perAddress: number
  readonly perProcess: number
}

/** Gives back what was taken; calling it again does nothing. */
export type Release = () => void

/** A network, and how many times as much as an address it may hold. */
interface Network {
  readonly name: string
  readonly times: number
}

/** The address, and around an IPv6 /64 its /56 and /48: one customer of a provider has up to a /48. */
function networksOf(address: string): readonly Network[] {
  const own = { name: address, times: 1 }
  if (!address.endsWith('::/64')) return [own]
  const [first, second, third, fourth = '0'] = address.split(':')
  const site = `${first}:${second}:${third}`
  const wider = `${site}:${(Number.parseInt(fourth, 16) >> 8).toString(16)}/56`
  return [own, { name: wider, times: 2 }, { name: `${site}/48`, times: 4 }]
}

/** The unit of fair sharing: the /48 around an IPv6 network address, else the address itself. */
export const siteOf = (address: string): string => networksOf(address).at(-1)?.name ?? address

export class Budget {
  readonly #limits: BudgetLimits
  readonly #used = new Map<string, number>()
  #total = 0

  constructor(limits: BudgetLimits) {
    this.#limits = limits
  }

  get inUse(): number {
    return this.#total
  }

  /**
   * Takes `amount` for a network address. Returns a function that gives it back, or the limit that is reached. A null
   * address counts against the process only. An address never holds more than what is left for all others (the dynamic
   * thresholds of Choudhury and Hahne, 1998): n addresses that take all they can hold 1/(n + 1) each, and the last part
   * stays free for others.
   */
  take(address: string | null, amount = 1): Release | Exceeded {
    const networks = address === null ? [] : networksOf(address)
    const { perAddress, perProcess } = this.#limits
    if (this.#total + amount > perProcess) return 'process'
    const left = perAddress === Number.POSITIVE_INFINITY ? perAddress : perProcess - this.#total
    for (const { name, times } of networks) {
      if (this.#usedBy(name) + amount > Math.min(times * perAddress, left)) return 'address'
    }
    for (const { name } of networks) this.#used.set(name, this.#usedBy(name) + amount)
    this.#total += amount
    let isInUse = true
    return () => {
      if (!isInUse) return
      isInUse = false
      this.#release(networks, amount)
    }
  }

  #usedBy(network: string): number {
    return this.#used.get(network) ?? 0
  }

  #release(networks: readonly Network[], amount: number): void {
    this.#total -= amount
    for (const { name } of networks) {
      const left = this.#usedBy(name) - amount
      if (left > 0) this.#used.set(name, left)
      else this.#used.delete(name)
    }
  }
}
