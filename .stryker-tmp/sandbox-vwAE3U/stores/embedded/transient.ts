// Short-lived data in this process: one-time secrets, claims for calls in progress, token buckets. After a restart
// secrets are void, never valid again.

import { LRUCache } from 'lru-cache'
import { MarksFull } from '../contract/faults.ts'
import type { BucketSpec, BucketState, Rates, Transient } from '../contract/transient.ts'
import { Secrets } from './secrets.ts'
import { createWindows } from './windows.ts'

/** Marks held at one time. */
const MAX_MARKS = 262_144
/** One-time secrets of one kind held at one time: of those that one challenge, or one sign-in of many players, needs. */
const MAX_SECRETS: Readonly<Record<string, number>> = { 'challenge:': 131_072, 'ticket:': 131_072 }
const MAX_SECRETS_OF_OTHERS = 65_536

/** Marks looked at for their expiry by each new one: two, so that the expired go faster than new ones come. */
const SWEPT_PER_ENTRY = 2

/**
 * Buckets held at one time. Past it the one not used for longest is forgotten, and is full again: refusing instead would
 * let a flood of made-up callers lock everybody out.
 */
const MAX_BUCKETS = 262_144

/** Clocks of nodes differ, and are set right, by less than this. */
const CLOCK_BACK_MAX_MS = 60_000

/** Levels are thousandths of a token: at one token a second, one comes back each millisecond, exactly. */
const TOKEN = 1_000

/** A rate that is no whole number is a rounded one; this much short of a token is a token. */
const ROUNDING = 1e-6

interface Mark {
  readonly owner: string
  readonly expiresMs: number
}

interface Bucket {
  readonly level: number
  /** When it held that. */
  readonly atMs: number
}

/**
 * Each kind of secret has its own room. When it is full of entries that are all still valid, new ones are refused with an
 * Error: who is refused can try again.
 */
export function createTransient(maxKeys?: number): Transient {
  const kinds = new Map<string, Secrets>()
  const marks = new Map<string, Mark>()
  const maxMarks = maxKeys ?? MAX_MARKS

  /** Kinds are this program's own, and few. */
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
    for (const [key, { expiresMs }] of marks) {
      if (left-- === 0) return
      if (expiresMs <= nowMs) marks.delete(key)
    }
  }

  return {
    put: async (key, value, times, share) => secretsOf(key).put(key, value, times, share),
    take: async (key, nowMs) => secretsOf(key).take(key, nowMs),
    guess: async (key, guess, nowMs) => secretsOf(key).guess(key, guess, nowMs),

    claim: async (key, owner, nowMs, expiresMs) => {
      const held = marks.get(key)
      if (held !== undefined && held.expiresMs > nowMs) return false
      marks.delete(key)
      sweep(marks.size >= maxMarks ? maxMarks : SWEPT_PER_ENTRY, nowMs)
      if (marks.size >= maxMarks) throw new MarksFull(maxMarks)
      marks.set(key, { owner, expiresMs })
      return true
    },

    release: async (key, owner) => {
      if (marks.get(key)?.owner === owner) marks.delete(key)
    },
  }
}

/** What came back is counted from the last token taken, so that asking often neither gains nor loses anything. */
export function createRates(maxBuckets: number = MAX_BUCKETS): Rates {
  const buckets = new LRUCache<string, Bucket>({ max: maxBuckets })

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

  /** A clock that goes back takes nothing away; far back, it counts from there, else nothing would come back for as long. */
  function levelAt({ key, perSecond, burst }: BucketSpec, nowMs: number): Bucket {
    if (!(perSecond > 0 && burst >= 1)) throw new RangeError(`Bucket ${key} could never admit anything`)
    const held = buckets.get(key) ?? { level: burst * TOKEN, atMs: nowMs }
    const { level } = held
    const atMs = held.atMs - nowMs > CLOCK_BACK_MAX_MS ? nowMs : held.atMs
    if (atMs !== held.atMs) buckets.set(key, { level, atMs })
    const passedMs = Math.max(0, nowMs - atMs)
    return { level: Math.min(burst * TOKEN, level + passedMs * perSecond), atMs: atMs + passedMs }
  }

  return { take, spend, ...createWindows(maxBuckets) }
}

function isEnough(level: number): boolean {
  return level >= TOKEN - ROUNDING
}
