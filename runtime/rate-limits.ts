// The rate limits of calls, and limits of network addresses, with their setting RATE_LIMITS: `off`, or JSON with some
// of the limits.

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

/** At most `max` within any `perSeconds`. */
export interface Window {
  readonly max: number
  readonly perSeconds: number
}

/** Limits of one network address. */
export interface AddressLimits {
  /** Wrong passwords. Holds with RATE_LIMITS=off, too. */
  readonly login_address: Window
  /** Mailed sign-in codes. */
  readonly mail_address: Window
  /** Wrong sign-in codes. */
  readonly code_address: Window
  /** Open rooms that it made. */
  readonly rooms_address: Pick<Window, 'max'>
}

export const DEFAULT_ADDRESS_LIMITS: AddressLimits = {
  login_address: { max: 20, perSeconds: 60 },
  mail_address: { max: 30, perSeconds: 900 },
  code_address: { max: 20, perSeconds: 900 },
  rooms_address: { max: 20 },
}

/** The store keeps each attempt of a window. */
const ATTEMPTS_MAX = 100_000
const WINDOW_MAX_SECONDS = 86_400

const whole = (max: number) => {
  const message = `must be a whole number from 1 to ${max.toLocaleString('en')}`
  return z.int(message).min(1, message).max(max, message)
}
const rate = z
  .strictObject(
    {
      perSecond: z.number('must be a number above 0').positive('must be a number above 0'),
      burst: z.int('must be a whole number above 0').positive('must be a whole number above 0'),
    },
    objectFault('{"perSecond":50,"burst":250}'),
  )
  .optional()
const max = whole(ATTEMPTS_MAX)
const window = z
  .strictObject({ max, perSeconds: whole(WINDOW_MAX_SECONDS) }, objectFault('{"max":20,"perSeconds":900}'))
  .optional()
const limits = z.strictObject(
  {
    key: rate,
    player: rate,
    address: rate,
    handshake: rate,
    guest: rate,
    login_address: window,
    mail_address: window,
    code_address: window,
    rooms_address: z.strictObject({ max }, objectFault('{"max":20}')).optional(),
  },
  'must be `off`, or JSON such as {"player":{"perSecond":50,"burst":250}}',
)

export interface Limits {
  readonly rateLimits: RateLimits
  readonly addressLimits: AddressLimits
}

export const DEFAULT_LIMITS: Limits = { rateLimits: DEFAULT_RATE_LIMITS, addressLimits: DEFAULT_ADDRESS_LIMITS }

/** Missing limits get their defaults. Each fault names its field and says what it must be. */
export function limitsIn(text: string): Limits | { readonly faults: readonly string[] } {
  if (text === 'off') return { rateLimits: 'off', addressLimits: DEFAULT_ADDRESS_LIMITS }
  const parsed = limits.safeParse(parseJson(text))
  if (!parsed.success) return { faults: parsed.error.issues.flatMap(faultsOf) }
  const { login_address, mail_address, code_address, rooms_address, ...rates } = parsed.data
  const addresses = { login_address, mail_address, code_address, rooms_address }
  return {
    rateLimits: { ...DEFAULT_RATE_LIMITS, ...given(rates) },
    addressLimits: { ...DEFAULT_ADDRESS_LIMITS, ...given(addresses) },
  }
}

function objectFault(example: string): string {
  return `must be an object, such as ${example}`
}

function faultsOf(issue: z.core.$ZodIssue): string[] {
  const nameOf = (path: readonly PropertyKey[]) => (path.length === 0 ? '' : `${path.join('.')} `)
  if (issue.code !== 'unrecognized_keys') return [`${nameOf(issue.path)}${issue.message}`]
  return issue.keys.map((key) => `${nameOf([...issue.path, key])}is unknown: remove it`)
}

function given<Named extends object>(some: Named): { [K in keyof Named]: NonNullable<Named[K]> } {
  // Only given ones are left.
  return Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined)) as {
    [K in keyof Named]: NonNullable<Named[K]>
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
