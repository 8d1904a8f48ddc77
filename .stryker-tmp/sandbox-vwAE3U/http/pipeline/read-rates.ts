// Parses RATE_LIMITS: `off`, or JSON with some of the limits.

import { z } from 'zod'
import { DEFAULT_RATE_LIMITS, type Rate, type RateLimits, type RateName } from './rates.ts'

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
