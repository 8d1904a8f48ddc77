// Parses REDIS_URL, and makes a form without the password for messages.

import { StoresFault } from '../contract/faults.ts'

export interface Address {
  readonly url: string
  /** `redis://host:port/database`, without user and password. */
  readonly shown: string
}

/** Throws StoresFault if it is not a Redis URL. */
export function addressOf(url: string): Address {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null || !['redis:', 'rediss:'].includes(parsed.protocol) || parsed.hostname === '') {
    throw new StoresFault(
      'REDIS_URL is no address of a Redis. Give one like redis://user:password@host:6379/0 (rediss:// for TLS), ' +
        'with special characters of the password percent-encoded.',
    )
  }
  const database = parsed.pathname.length > 1 ? parsed.pathname : ''
  return { url, shown: `${parsed.protocol}//${parsed.hostname}:${parsed.port || '6379'}${database}` }
}
