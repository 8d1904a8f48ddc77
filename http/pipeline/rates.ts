// Token buckets per address, key and player, and their RateLimit headers
// (draft-ietf-httpapi-ratelimit-headers-10: `"key";q=10000;w=2` and `"key";r=9999;t=1`).

import { Refusal } from '../../domain/decider.ts'
import type { Rate, RateName } from '../../runtime/rate-limits.ts'
import type { BucketSpec, BucketState, Buckets } from '../../stores/contract/transient.ts'

/** One bucket: `{ name: 'key', of: 'sk_…' }`. */
export interface Drawn {
  readonly name: RateName
  readonly of: string
}

/** Values of the RateLimit headers, from the buckets used so far. */
export interface RateHeaders {
  policy: string
  left: string
}

export interface Limiter {
  /**
   * Takes one token from each bucket, adds the state to `rateHeaders`, and throws 429 `rate_limited` if one is empty.
   * If the shared store is unavailable, this node counts alone; with `shared` it throws 503 `store_away` instead.
   */
  take(drawn: readonly Drawn[], rateHeaders: RateHeaders, nowMs: number, shared: boolean): Promise<void>
  /**
   * Takes tokens from each bucket, even more than it has: later calls are then refused for longer. `drawn`: all
   * buckets of `rateHeaders`, whose state is then this one.
   */
  spend(drawn: readonly Drawn[], tokens: number, rateHeaders: RateHeaders, nowMs: number): Promise<void>
}

export function createLimiter(
  limits: Readonly<Record<RateName, Rate>>,
  rates: Buckets,
  ratesOfThisNode: Buckets,
): Limiter {
  const policies = new Map<RateName, string>()
  for (const [name, { perSecond, burst }] of Object.entries(limits) as [RateName, Rate][]) {
    policies.set(name, `"${name}";q=${burst};w=${Math.ceil(burst / perSecond)}`)
  }

  const leftIn = (name: RateName, remaining: number) => {
    const { burst, perSecond } = limits[name]
    return `"${name}";r=${remaining};t=${Math.ceil((burst - remaining) / perSecond)}`
  }

  const states = async (buckets: readonly BucketSpec[], nowMs: number, shared: boolean): Promise<BucketState[]> => {
    try {
      return await rates.take(buckets, nowMs)
    } catch {
      if (!shared) return ratesOfThisNode.take(buckets, nowMs)
      throw new Refusal(
        'unavailable',
        'store_away',
        'The rate limiter is unavailable. Nothing was changed. Try again in a moment.',
      )
    }
  }

  const take: Limiter['take'] = async (drawn, rateHeaders, nowMs, shared) => {
    const buckets = drawn.map(({ name, of }) => ({ key: `${name}:${of}`, ...limits[name] }))
    const found = await states(buckets, nowMs, shared)
    drawn.forEach(({ name }, index) => {
      const comma = rateHeaders.left === '' ? '' : ', '
      rateHeaders.policy += comma + policies.get(name)
      rateHeaders.left += comma + leftIn(name, found[index]?.remaining ?? 0)
    })
    if (found.every(({ admitted }) => admitted)) return
    const waits = found.map(({ retryAfterMs }) => retryAfterMs)
    const seconds = Math.max(1, Math.ceil(Math.max(...waits) / 1_000))
    const policy = drawn[waits.indexOf(Math.max(...waits))]?.name
    const detail = `Too many calls of this ${policy}. Wait ${seconds} s.`
    throw new Refusal('too_many', 'rate_limited', detail, { retry_after: seconds, policy })
  }

  const spend: Limiter['spend'] = async (drawn, tokens, rateHeaders, nowMs) => {
    const left = await Promise.all(
      drawn.map(async ({ name, of }) => {
        const bucket = { key: `${name}:${of}`, ...limits[name] }
        const balance = await rates
          .spend(bucket, tokens, nowMs)
          .catch(() => ratesOfThisNode.spend(bucket, tokens, nowMs))
        return leftIn(name, Math.max(0, Math.floor(balance)))
      }),
    )
    rateHeaders.left = left.join(', ')
  }
  return { take, spend }
}
