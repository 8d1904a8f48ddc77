// One-time secrets of one kind, in this process. Bounded in total and per owner, so that neither another kind nor one
// owner can use up the capacity.

import { ShareFull } from '../contract/faults.ts'
import type { Guess, Share } from '../contract/transient.ts'

/** Entries checked for expiry by each new one: two, so that expired ones go faster than new ones come. */
const SWEPT_PER_ENTRY = 2
/**
 * Minimum milliseconds between two full sweeps of a store that is full of valid entries; a sweep takes milliseconds.
 */
const SWEPT_EVERY_MS = 1_000

interface StoredSecret {
  readonly value: string
  readonly expiresMs: number
  readonly owner: string | null
  /** Wrong guesses so far, by guesser. */
  readonly wrong: Map<string, number>
}

export class Secrets {
  readonly #max: number
  readonly #stored = new Map<string, StoredSecret>()
  /** Owner -> their keys, oldest first. */
  readonly #owned = new Map<string, Set<string>>()
  #sweptMs = Number.NEGATIVE_INFINITY

  constructor(max: number) {
    this.#max = max
  }

  /**
   * Throws ShareFull, or an Error if the store is full of valid entries. Evicting an old entry instead would let anyone
   * who can request challenges invalidate those of others.
   */
  put(key: string, value: string, times: { readonly nowMs: number; readonly expiresMs: number }, share?: Share): void {
    const { nowMs, expiresMs } = times
    this.#delete(key)
    this.#sweep(this.#stored.keys(), SWEPT_PER_ENTRY, nowMs)
    if (share !== undefined) this.#checkShare(share, nowMs)
    if (this.#stored.size >= this.#max) this.#sweepAll(nowMs)
    if (this.#stored.size >= this.#max) throw new Error(`No room for another one-time secret: ${this.#max} are valid`)
    const owner = share?.owner ?? null
    this.#stored.set(key, { value, expiresMs, owner, wrong: new Map() })
    if (owner === null) return
    const owned = this.#owned.get(owner)
    if (owned === undefined) this.#owned.set(owner, new Set([key]))
    else owned.add(key)
  }

  take(key: string, nowMs: number): string | null {
    const stored = this.#stored.get(key)
    if (stored === undefined) return null
    this.#delete(key)
    return stored.expiresMs > nowMs ? stored.value : null
  }

  guess(key: string, { value, by, maxByAddress, max }: Guess, nowMs: number): boolean {
    const stored = this.#stored.get(key)
    if (stored === undefined) return false
    if (stored.expiresMs <= nowMs) {
      this.#delete(key)
      return false
    }
    const { wrong } = stored
    const ofThem = wrong.get(by) ?? 0
    if (ofThem >= maxByAddress) return false
    if (stored.value === value) {
      this.#delete(key)
      return true
    }
    wrong.set(by, ofThem + 1)
    const all = [...wrong.values()].reduce((sum, count) => sum + count, 0)
    if (all >= max) this.#delete(key)
    return false
  }

  #checkShare({ owner, max }: Share, nowMs: number): void {
    const owned = this.#owned.get(owner)
    if (owned === undefined || owned.size < max) return
    this.#sweep(owned, SWEPT_PER_ENTRY, nowMs)
    if ((this.#owned.get(owner)?.size ?? 0) >= max) throw new ShareFull(max)
  }

  #sweepAll(nowMs: number): void {
    if (nowMs >= this.#sweptMs && nowMs < this.#sweptMs + SWEPT_EVERY_MS) return
    this.#sweptMs = nowMs
    this.#sweep(this.#stored.keys(), this.#max, nowMs)
  }

  /** Checks `count` of these entries, oldest first, and removes the expired ones. */
  #sweep(keys: Iterable<string>, count: number, nowMs: number): void {
    let left = count
    for (const key of keys) {
      if (left-- === 0) return
      if ((this.#stored.get(key)?.expiresMs ?? 0) <= nowMs) this.#delete(key)
    }
  }

  #delete(key: string): void {
    const stored = this.#stored.get(key)
    if (stored === undefined) return
    this.#stored.delete(key)
    const owned = stored.owner === null ? undefined : this.#owned.get(stored.owner)
    if (stored.owner === null || owned === undefined) return
    owned.delete(key)
    if (owned.size === 0) this.#owned.delete(stored.owner)
  }
}
