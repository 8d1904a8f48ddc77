// What lives for seconds, in this process: one-time secrets, marks of calls in progress, token buckets. A restart makes
// secrets void, never valid again.

import { LRUCache } from 'lru-cache'
import type { BucketSpec, BucketState, Rates, Transient } from '../contract/transient.ts'
import { createWindows } from './windows.ts'

/** Values, and likewise marks, held at one time. */
const MAX_TRANSIENT_KEYS = 262_144

/** Entries looked at for their expiry by each new one: two, so that the expired go faster than new ones come. */
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

interface Held {
  readonly value: string
  readonly expiresMs: number
  /** Wrong guesses so far. */
  readonly wrong?: number
}

interface Bucket {
  readonly level: number
  /** When it held that. */
  readonly atMs: number
}

/**
 * When it is full of entries that are all still valid, new ones are refused with an Error. Dropping an old one instead
 * would let anybody who can ask for challenges make those of others void; who is refused can try again.
 */
export function createTransient(maxKeys: number = MAX_TRANSIENT_KEYS): Transient {
  const values = new Map<string, Held>()
  const marks = new Map<string, Held>()

  function hold(entries: Map<string, Held>, key: string, held: Held, nowMs: number): void {
    entries.delete(key)
    sweep(entries, SWEPT_PER_ENTRY, nowMs)
    if (entries.size >= maxKeys) sweep(entries, maxKeys, nowMs)
    if (entries.size >= maxKeys) throw new Error(`No room for another short-lived entry: ${maxKeys} are still valid`)
    entries.set(key, held)
  }

  /** Looks at the oldest entries, and lets go of the expired ones. */
  function sweep(entries: Map<string, Held>, count: number, nowMs: number): void {
    let left = count
    for (const [key, held] of entries) {
      if (left === 0) return
      left -= 1
      if (held.expiresMs <= nowMs) entries.delete(key)
    }
  }

  return {
    put: async (key, value, nowMs, expiresMs) => hold(values, key, { value, expiresMs }, nowMs),

    take: async (key, nowMs) => {
      const held = values.get(key)
      if (held === undefined) return null
      values.delete(key)
      return held.expiresMs > nowMs ? held.value : null
    },

    guess: async (key, value, most, nowMs) => {
      const held = values.get(key)
      if (held === undefined) return false
      const isIt = held.expiresMs > nowMs && held.value === value
      const wrong = (held.wrong ?? 0) + 1
      if (isIt || held.expiresMs <= nowMs || wrong >= most) values.delete(key)
      else values.set(key, { ...held, wrong })
      return isIt
    },

    claim: async (key, owner, nowMs, expiresMs) => {
      const held = marks.get(key)
      if (held !== undefined && held.expiresMs > nowMs) return false
      hold(marks, key, { value: owner, expiresMs }, nowMs)
      return true
    },

    release: async (key, owner) => {
      if (marks.get(key)?.value === owner) marks.delete(key)
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
