// Short-lived data in this process: one-time secrets, claims for calls in progress, locks, token buckets, windows.
// After a restart secrets are void, never valid again.

import { lru } from '../../runtime/lru.ts'
import { ShareFull } from '../contract/faults.ts'
import {
  type BucketSpec,
  type BucketState,
  CLOCK_BACK_MAX_MS,
  type Guess,
  hasToken,
  type Rates,
  requireBucket,
  type Share,
  stateOf,
  TOKEN,
  type Transient,
  type WindowSpec,
  type Windows,
} from '../contract/transient.ts'
import { addClaim, type Claim, createLocks, SWEPT_PER_ENTRY } from './locks.ts'

/** Of claims, and of locks. */
const MAX_CLAIMS = 262_144
/** Maximum one-time secrets of one kind. */
const MAX_SECRETS: Readonly<Record<string, number>> = { 'challenge:': 131_072, 'ticket:': 131_072 }
const MAX_SECRETS_OF_OTHERS = 65_536

/**
 * Maximum token buckets. Beyond it the least recently used one is evicted and thereby full again. Rejecting instead
 * would let a flood of forged callers lock everyone out.
 */
const MAX_BUCKETS = 262_144

interface Bucket {
  readonly level: number
  /** The time of `level`. */
  readonly atMs: number
}

/**
 * Each kind of secret has its own capacity. If it is full of valid entries, new ones are rejected with an Error;
 * callers can retry.
 */
export function createTransient(maxKeys?: number): Transient {
  const kinds = new Map<string, Secrets>()
  const claims = new Map<string, Claim>()
  const maxClaims = maxKeys ?? MAX_CLAIMS

  /** The program defines the kinds, so there are few. */
  function secretsOf(key: string): Secrets {
    const kind = key.slice(0, key.indexOf(':') + 1)
    const known = kinds.get(kind)
    if (known !== undefined) return known
    const made = new Secrets(maxKeys ?? MAX_SECRETS[kind] ?? MAX_SECRETS_OF_OTHERS)
    kinds.set(kind, made)
    return made
  }

  return {
    put: async (key, value, times, share) => secretsOf(key).put(key, value, times, share),
    take: async (key, nowMs) => secretsOf(key).take(key, nowMs),
    guess: async (key, guess, nowMs) => secretsOf(key).guess(key, guess, nowMs),

    claim: async (key, owner, nowMs, expiresMs) => {
      const stored = claims.get(key)
      if (stored !== undefined && stored.expiresMs > nowMs) return false
      addClaim(claims, key, { owner, expiresMs }, { max: maxClaims, nowMs })
      return true
    },

    release: async (key, owner) => {
      if (claims.get(key)?.owner === owner) claims.delete(key)
    },

    ...createLocks(maxClaims),
  }
}

/** Refill is computed from the last taken token, so that frequent calls neither gain nor lose tokens. */
export function createRates(maxBuckets: number = MAX_BUCKETS): Rates {
  const buckets = lru<string, Bucket>(maxBuckets)

  async function take(specs: readonly BucketSpec[], nowMs: number): Promise<BucketState[]> {
    const found = specs.map((spec) => ({ spec, ...levelAt(spec, nowMs) }))
    const isAll = found.every(({ level }) => hasToken(level))
    return found.map(({ spec, level, atMs }) => {
      if (isAll) buckets.set(spec.key, { level: Math.max(0, level - TOKEN), atMs })
      return stateOf(spec, level, isAll)
    })
  }

  async function spend(spec: BucketSpec, tokens: number, nowMs: number): Promise<number> {
    const { level, atMs } = levelAt(spec, nowMs)
    const left = level - tokens * TOKEN
    buckets.set(spec.key, { level: left, atMs })
    return left / TOKEN
  }

  /** A clock that moves back removes nothing. If it moves back far, refill restarts from the new time. */
  function levelAt(spec: BucketSpec, nowMs: number): Bucket {
    const { key, perSecond, burst } = requireBucket(spec)
    const stored = buckets.get(key) ?? { level: burst * TOKEN, atMs: nowMs }
    const { level } = stored
    const atMs = stored.atMs - nowMs > CLOCK_BACK_MAX_MS ? nowMs : stored.atMs
    if (atMs !== stored.atMs) buckets.set(key, { level, atMs })
    const passedMs = Math.max(0, nowMs - atMs)
    return { level: Math.min(burst * TOKEN, level + passedMs * perSecond), atMs: atMs + passedMs }
  }

  return { take, spend, ...createWindows(maxBuckets) }
}

// In-process sliding windows: for each key the times of its attempts, oldest first.

type Attempts = Map<string, number>

/** Beyond `maxKeys` the least recently used key is evicted. */
function createWindows(maxKeys: number): Windows {
  const windows = lru<string, Attempts>(maxKeys)

  /** Milliseconds until the window has capacity; 0 if it has. */
  function wait({ key, max, withinMs }: WindowSpec, nowMs: number): number {
    const attempts = windows.get(key)
    if (attempts === undefined) return 0
    const counted: number[] = []
    for (const [attempt, atMs] of attempts) {
      if (atMs <= nowMs - withinMs || atMs > nowMs + CLOCK_BACK_MAX_MS) attempts.delete(attempt)
      else counted.push(atMs)
    }
    if (counted.length < max) return 0
    // The attempt that must leave the window first.
    const last = counted.toSorted((a, b) => a - b)[counted.length - max] ?? nowMs
    return Math.max(1, last + withinMs - nowMs)
  }

  return {
    enter: async (specs, attempt, nowMs) => {
      const waits = specs.map((spec) => wait(spec, nowMs))
      if (waits.some((ms) => ms > 0)) return waits
      for (const { key } of specs) {
        const attempts: Attempts = windows.get(key) ?? new Map()
        windows.set(key, attempts.set(attempt, nowMs))
      }
      return waits
    },
    leave: async (specs, attempt) => {
      for (const { key } of specs) windows.get(key)?.delete(attempt)
    },
  }
}

// One-time secrets of one kind, in this process. Bounded in total and per owner, so that neither another kind nor one
// owner can use up the capacity.

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
