// A bearer token that is renewed before it expires, by the handshake or a refresh token.

/** Local time, corrected by the server's time. */
export interface Clock {
  /** Unix milliseconds by the server's clock. */
  now(): number
  /** Sets the server's current time, in Unix seconds. */
  set(serverSeconds: number): void
}

/** A token and the Unix seconds at which it expires. */
export interface BearerToken {
  readonly token: string
  readonly expires_at: number
}

export interface Bearer {
  /** A token that does not expire soon. */
  token(): Promise<string>
  /** A new token, because the server has rejected this one. */
  replace(refused: string): Promise<string>
}

/**
 * Renew this early. The server accepts timestamps 60 seconds off, so the clocks may differ by that without correction.
 */
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

/** `first`: the existing token; null to request it on the first call. Concurrent renewals share one call. */
export function createBearer<Renewed extends BearerToken>(
  first: Renewed | null,
  renew: () => Promise<Renewed>,
  clock: Clock,
): Bearer {
  let current: BearerToken | null = first
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
      const isFresh = current !== null && current.expires_at * 1_000 - clock.now() > RENEWED_BEFORE_MS
      return current !== null && isFresh ? current.token : renewed()
    },
    replace: async (refused) => (current === null || current.token === refused ? renewed() : current.token),
  }
}
