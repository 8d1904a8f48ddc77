// One-time secrets of one kind, in this process. Bounded in total and per owner, so that neither another kind nor one
// owner can use up the capacity.

import { ShareFull } from '../contract/faults.ts'
import type { Guess, Share } from '../contract/transient.ts'

/** Entries looked at for their expiry by each new one: two, so that the expired go faster than new ones come. */
const SWEPT_PER_ENTRY = 2
/** Where all entries are valid, they are looked at for their expiry so often at most: it takes milliseconds. */
const SWEPT_EVERY_MS = 1_000

interface Held {
  readonly value: string
  readonly expiresMs: number
  readonly owner: string | null
  /** Wrong guesses so far, by who made them. */
  readonly wrong: Map<string, number>
}

export class Secrets {
  readonly #max: number
  readonly #held = new Map<string, Held>()
  /** Owner -> keys of theirs, the oldest first. */
  readonly #owned = new Map<string, Set<string>>()
  #sweptMs = Number.NEGATIVE_INFINITY

  constructor(max: number) {
    this.#max = max
  }

  /**
   * Throws ShareFull, or an Error where all entries are valid: dropping an old one instead would let anybody who can ask
   * for challenges make those of others void.
   */
  put(key: string, value: string, times: { readonly nowMs: number; readonly expiresMs: number }, share?: Share): void {
    const { nowMs, expiresMs } = times
    this.#delete(key)
    this.#sweep(this.#held.keys(), SWEPT_PER_ENTRY, nowMs)
    if (share !== undefined) this.#checkShare(share, nowMs)
    if (this.#held.size >= this.#max) this.#sweepAll(nowMs)
    if (this.#held.size >= this.#max) throw new Error(`No room for another one-time secret: ${this.#max} are valid`)
    const owner = share?.owner ?? null
    this.#held.set(key, { value, expiresMs, owner, wrong: new Map() })
    if (owner === null) return
    const owned = this.#owned.get(owner)
    if (owned === undefined) this.#owned.set(owner, new Set([key]))
    else owned.add(key)
  }

  take(key: string, nowMs: number): string | null {
    const held = this.#held.get(key)
    if (held === undefined) return null
    this.#delete(key)
    return held.expiresMs > nowMs ? held.value : null
  }

  guess(key: string, { value, by, mostBy, most }: Guess, nowMs: number): boolean {
    const held = this.#held.get(key)
    if (held === undefined) return false
    if (held.expiresMs <= nowMs) {
      this.#delete(key)
      return false
    }
    const { wrong } = held
    const ofThem = wrong.get(by) ?? 0
    if (ofThem >= mostBy) return false
    if (held.value === value) {
      this.#delete(key)
      return true
    }
    wrong.set(by, ofThem + 1)
    const all = [...wrong.values()].reduce((sum, count) => sum + count, 0)
    if (all >= most) this.#delete(key)
    return false
  }

  #checkShare({ owner, most }: Share, nowMs: number): void {
    const owned = this.#owned.get(owner)
    if (owned === undefined || owned.size < most) return
    this.#sweep(owned, SWEPT_PER_ENTRY, nowMs)
    if ((this.#owned.get(owner)?.size ?? 0) >= most) throw new ShareFull(most)
  }

  #sweepAll(nowMs: number): void {
    if (nowMs >= this.#sweptMs && nowMs < this.#sweptMs + SWEPT_EVERY_MS) return
    this.#sweptMs = nowMs
    this.#sweep(this.#held.keys(), this.#max, nowMs)
  }

  /** Looks at so many of these, the oldest first, and drops the expired ones. */
  #sweep(keys: Iterable<string>, count: number, nowMs: number): void {
    let left = count
    for (const key of keys) {
      if (left-- === 0) return
      if ((this.#held.get(key)?.expiresMs ?? 0) <= nowMs) this.#delete(key)
    }
  }

  #delete(key: string): void {
    const held = this.#held.get(key)
    if (held === undefined) return
    this.#held.delete(key)
    const owned = held.owner === null ? undefined : this.#owned.get(held.owner)
    if (held.owner === null || owned === undefined) return
    owned.delete(key)
    if (owned.size === 0) this.#owned.delete(held.owner)
  }
}
