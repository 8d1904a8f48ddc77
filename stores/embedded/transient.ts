// Short-lived data in this process: one-time secrets, claims for calls in progress, token buckets. After a restart
// secrets are void, never valid again.

import { lru } from '../../runtime/lru.ts'
import { ClaimsFull } from '../contract/faults.ts'
import {
  type BucketSpec,
  type BucketState,
  CLOCK_BACK_MAX_MS,
  type Rates,
  type Transient,
} from '../contract/transient.ts'
import { Secrets } from './secrets.ts'
import { createWindows } from './windows.ts'

/** Maximum claims. */
const MAX_CLAIMS = 262_144
/** Maximum one-time secrets of one kind. */
const MAX_SECRETS: Readonly<Record<string, number>> = { 'challenge:': 131_072, 'ticket:': 131_072 }
const MAX_SECRETS_OF_OTHERS = 65_536

/** Claims checked for expiry by each new one: two, so that expired ones go faster than new ones come. */
const SWEPT_PER_ENTRY = 2

/**
 * Maximum token buckets. Beyond it the least recently used one is evicted and thereby full again. Rejecting instead
 * would let a flood of forged callers lock everyone out.
 */
const MAX_BUCKETS = 262_144

/** Levels are in thousandths of a token, so one token per second refills exactly one unit per millisecond. */
const TOKEN = 1_000

/** Tolerance for rounding: a level that is short of a token by this much counts as a token. */
const ROUNDING = 1e-6

interface Claim {
  readonly owner: string
  readonly expiresMs: number
}

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

  function sweep(count: number, nowMs: number): void {
    let left = count
    for (const [key, { expiresMs }] of claims) {
      if (left-- === 0) return
      if (expiresMs <= nowMs) claims.delete(key)
    }
  }

  return {
    put: async (key, value, times, share) => secretsOf(key).put(key, value, times, share),
    take: async (key, nowMs) => secretsOf(key).take(key, nowMs),
    guess: async (key, guess, nowMs) => secretsOf(key).guess(key, guess, nowMs),

    claim: async (key, owner, nowMs, expiresMs) => {
      const stored = claims.get(key)
      if (stored !== undefined && stored.expiresMs > nowMs) return false
      claims.delete(key)
      sweep(claims.size >= maxClaims ? maxClaims : SWEPT_PER_ENTRY, nowMs)
      if (claims.size >= maxClaims) throw new ClaimsFull(maxClaims)
      claims.set(key, { owner, expiresMs })
      return true
    },

    release: async (key, owner) => {
      if (claims.get(key)?.owner === owner) claims.delete(key)
    },
  }
}

/** Refill is computed from the last taken token, so that frequent calls neither gain nor lose tokens. */
export function createRates(maxBuckets: number = MAX_BUCKETS): Rates {
  const buckets = lru<string, Bucket>(maxBuckets)

  async function take(specs: readonly BucketSpec[], nowMs: number): Promise<BucketState[]> {
    const found = specs.map((spec) => ({ spec, ...levelAt(spec, nowMs) }))
    const all = found.every(({ level }) => isEnough(level))
    return found.map(({ spec, level, atMs }) => {
      if (!isEnough(level)) {
        return { admitted: false, remaining: 0, retryAfterMs: Math.ceil((TOKEN - level - ROUNDING) / spec.perSecond) }
      }
      const left = all ? Math.max(0, level - TOKEN) : level
      if (all) buckets.set(spec.key, { level: left, atMs })
      return { admitted: true, remaining: Math.floor((left + ROUNDING) / TOKEN), retryAfterMs: 0 }
    })
  }

  async function spend(spec: BucketSpec, tokens: number, nowMs: number): Promise<number> {
    const { level, atMs } = levelAt(spec, nowMs)
    const left = level - tokens * TOKEN
    buckets.set(spec.key, { level: left, atMs })
    return left / TOKEN
  }

  /** A clock that moves back removes nothing. If it moves back far, refill restarts from the new time. */
  function levelAt({ key, perSecond, burst }: BucketSpec, nowMs: number): Bucket {
    if (!(perSecond > 0 && burst >= 1)) throw new RangeError(`Bucket ${key} could never admit anything`)
    const stored = buckets.get(key) ?? { level: burst * TOKEN, atMs: nowMs }
    const { level } = stored
    const atMs = stored.atMs - nowMs > CLOCK_BACK_MAX_MS ? nowMs : stored.atMs
    if (atMs !== stored.atMs) buckets.set(key, { level, atMs })
    const passedMs = Math.max(0, nowMs - atMs)
    return { level: Math.min(burst * TOKEN, level + passedMs * perSecond), atMs: atMs + passedMs }
  }

  return { take, spend, ...createWindows(maxBuckets) }
}

function isEnough(level: number): boolean {
  return level >= TOKEN - ROUNDING
}
