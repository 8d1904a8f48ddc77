// Rates of all connections of one network address on this node together: frames, and work that costs more than a
// message. They keep many connections of one address from using up the node.

import { lru } from '../runtime/lru.ts'
import {
  FRAMES_PER_NETWORK,
  FRAMES_PER_NETWORK_AT_ONCE,
  MAX_CACHED_NETWORKS,
  WORK_PER_NETWORK,
  WORK_PER_NETWORK_AT_ONCE,
} from './limits.ts'

const SECOND_MS = 1_000

/** A token bucket. `spend` may overdraw it, `take` may not. */
class Allowance {
  readonly #perSecond: number
  readonly #burst: number
  #tokens: number
  #atMs: number | null = null

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond
    this.#burst = burst
    this.#tokens = burst
  }

  /** Takes `count` tokens; false, with nothing taken, if there are fewer. */
  take(count: number, nowMs: number): boolean {
    this.#refill(nowMs)
    if (this.#tokens < count) return false
    this.#tokens -= count
    return true
  }

  /** Takes `count` tokens and returns the milliseconds until the balance is no longer negative; 0 if it is not. */
  spend(count: number, nowMs: number): number {
    this.#refill(nowMs)
    this.#tokens -= count
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#perSecond) * SECOND_MS
  }

  #refill(nowMs: number): void {
    const passedMs = this.#atMs === null ? 0 : Math.max(0, nowMs - this.#atMs)
    this.#atMs = nowMs
    this.#tokens = Math.min(this.#burst, this.#tokens + (passedMs * this.#perSecond) / SECOND_MS)
  }
}

export interface NetworkPace {
  /** Counts a frame, and returns the milliseconds for which to pause its connection. `nowMs` must be monotonic. */
  frame(nowMs: number): number
  /** Takes work of this cost from the allowance; false if there is too little left. */
  work(cost: number, nowMs: number): boolean
}

export interface NetworkPaces {
  /** Null means that networks are not limited. */
  of(network: string | null): NetworkPace
}

interface NetworkPaceLimits {
  readonly frames: number
  readonly framesAtOnce: number
  readonly work: number
  readonly workAtOnce: number
}

const LIMITS: NetworkPaceLimits = {
  frames: FRAMES_PER_NETWORK,
  framesAtOnce: FRAMES_PER_NETWORK_AT_ONCE,
  work: WORK_PER_NETWORK,
  workAtOnce: WORK_PER_NETWORK_AT_ONCE,
}
const UNCOUNTED: NetworkPace = { frame: () => 0, work: () => true }

export function createNetworkPaces(limits: NetworkPaceLimits = LIMITS): NetworkPaces {
  const paces = lru<string, NetworkPace>(MAX_CACHED_NETWORKS)
  const made = (): NetworkPace => {
    const frames = new Allowance(limits.frames, limits.framesAtOnce)
    const work = new Allowance(limits.work, limits.workAtOnce)
    return { frame: (nowMs) => frames.spend(1, nowMs), work: (cost, nowMs) => work.take(cost, nowMs) }
  }
  return {
    of: (network) => {
      if (network === null) return UNCOUNTED
      const known = paces.get(network) ?? made()
      paces.set(network, known)
      return known
    },
  }
}
