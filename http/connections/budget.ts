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
function exceededBy(amount: number, { ofAddress, total }: Held, limits: BudgetLimits): Exceeded | null {
  if (total + amount > limits.perProcess) return 'process'
  const left = limits.perAddress === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : limits.perProcess - total
  return ofAddress + amount > Math.min(limits.perAddress, left) ? 'address' : null
}

/** Gives back what was taken; calling it again does nothing. */
export type Release = () => void

/** One customer of an IPv6 provider has up to a /48: what wider networks may hold, in multiples of what a /64 may. */
export const WIDER_NETWORKS: readonly (readonly [bits: number, times: number])[] = [
  [56, 2],
  [48, 4],
]

/** The /56 and the /48 around the /64 that names an IPv6 network address; none for other addresses. */
export function widerNetworks(address: string): string[] {
  if (!address.endsWith('::/64')) return []
  const [first, second, third, fourth = '0'] = address.split(':')
  const site = `${first}:${second}:${third}`
  return WIDER_NETWORKS.map(([bits]) =>
    bits === 48 ? `${site}/48` : `${site}:${(Number.parseInt(fourth, 16) >> (64 - bits)).toString(16)}/${bits}`,
  )
}

/** What takes turns or shares as one caller: the /48 around an IPv6 network address, else the address itself. */
export const siteOf = (address: string): string => widerNetworks(address).at(-1) ?? address

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
    const networks = address === null ? [] : [address, ...widerNetworks(address)]
    if (this.#total + amount > this.#limits.perProcess) return 'process'
    for (const [level, network] of networks.entries()) {
      const held = { ofAddress: this.#held.get(network) ?? 0, total: this.#total }
      const times = level === 0 ? 1 : (WIDER_NETWORKS[level - 1]?.[1] ?? 1)
      const exceeded = exceededBy(amount, held, { ...this.#limits, perAddress: times * this.#limits.perAddress })
      if (exceeded !== null) return exceeded
    }
    for (const network of networks) this.#held.set(network, (this.#held.get(network) ?? 0) + amount)
    this.#total += amount
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#giveBack(networks, amount)
    }
  }

  #giveBack(networks: readonly string[], amount: number): void {
    this.#total -= amount
    for (const network of networks) {
      const left = (this.#held.get(network) ?? 0) - amount
      if (left > 0) this.#held.set(network, left)
      else this.#held.delete(network)
    }
  }
}
