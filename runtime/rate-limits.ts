// The rate limits of calls, and their setting RATE_LIMITS: `off`, or JSON with some of the limits.

import { z } from 'zod'

export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

export type RateName = 'key' | 'player' | 'address' | 'handshake' | 'guest'
export type RateLimits = 'off' | Readonly<Record<RateName, Rate>>

export const DEFAULT_RATE_LIMITS: Readonly<Record<RateName, Rate>> = {
  key: { perSecond: 5_000, burst: 10_000 },
  player: { perSecond: 50, burst: 250 },
  address: { perSecond: 1_000, burst: 5_000 },
  handshake: { perSecond: 50, burst: 500 },
  guest: { perSecond: 20, burst: 500 },
}

const rate = z.strictObject({ perSecond: z.number().positive(), burst: z.int().positive() })
const rates = z.strictObject({
  key: rate.optional(),
  player: rate.optional(),
  address: rate.optional(),
  handshake: rate.optional(),
  guest: rate.optional(),
})

/** Missing limits get their defaults; null if the text is invalid. */
export function rateLimitsIn(text: string): RateLimits | null {
  if (text === 'off') return 'off'
  const parsed = rates.safeParse(parseJson(text))
  if (!parsed.success) return null
  const result: Record<RateName, Rate> = { ...DEFAULT_RATE_LIMITS }
  for (const [name, value] of Object.entries(parsed.data)) if (value !== undefined) result[name as RateName] = value
  return result
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
