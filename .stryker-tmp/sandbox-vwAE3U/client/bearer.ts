// A bearer token that is renewed before it expires, by whatever means it was got: the handshake, or a refresh token.

import type { Token } from './shapes.ts'

/** Local time, corrected by what the service said of its own. */
export interface Clock {
  /** Unix milliseconds, as the service counts them. */
  now(): number
  /** The service's clock, in Unix seconds, as it said just now. */
  set(serverSeconds: number): void
}

export interface Bearer {
  /** A token with a while to live. */
  token(): Promise<string>
  /** Another one than this, which the service has refused. */
  replace(refused: string): Promise<string>
}

/** The service takes a timestamp 60 seconds off: so much may the two clocks differ without being noticed, and more. */
const RENEWED_BEFORE_MS = 120_000

export function createClock(localNow: () => number): Clock {
  let aheadMs = 0
  return {
    now: () => localNow() + aheadMs,
    set: (serverSeconds) => {
      aheadMs = serverSeconds * 1_000 - localNow()
    },
  }
}

/** `first` is the token there is already. Renewals asked for at one time are one. */
export function createBearer<Renewed extends Token>(
  first: Renewed,
  renew: () => Promise<Renewed>,
  clock: Clock,
): Bearer {
  let current = first
  let renewing: Promise<string> | null = null

  const renewed = (): Promise<string> => {
    renewing ??= renew()
      .then((token) => {
        current = token
        return token.token
      })
      .finally(() => {
        renewing = null
      })
    return renewing
  }
  return {
    token: async () => {
      const livesMs = current.expires_at * 1_000 - clock.now()
      return livesMs > RENEWED_BEFORE_MS ? current.token : renewed()
    },
    replace: async (refused) => (current.token === refused ? renewed() : current.token),
  }
}
