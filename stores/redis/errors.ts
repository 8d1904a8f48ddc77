// Runtime errors of Redis, worded so that an operator knows what to do.

import { ErrorReply } from 'redis'
import { StoresFault, StoreUnavailable } from '../contract/faults.ts'

/** No answer from Redis: whether a command that was sent took effect is unknown. */
export class RedisUnavailable extends StoreUnavailable {
  constructor(shown: string, detail: string) {
    super(`Redis at ${shown} cannot be used now: ${detail}. It is being connected to again.`)
    this.name = 'RedisUnavailable'
  }
}

/** Redis rejected the command. Nothing was written. */
class RedisRefused extends Error {
  constructor(shown: string, detail: string) {
    super(`Redis at ${shown} refused a command: ${detail}`)
    this.name = 'RedisRefused'
  }
}

/** Errors of a server that recovers by itself: it is starting, or has just lost its primary. */
const AWAY_REPLY = /^(LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY)\b/

/** Maps the error of a command to one of ours; our own pass through. */
export function explained(shown: string, error: unknown): Error {
  if (error instanceof ErrorReply) {
    if (error.message.startsWith('OOM')) {
      return new RedisRefused(shown, 'it has no memory left (maxmemory is reached). Raise maxmemory, or free some.')
    }
    if (AWAY_REPLY.test(error.message)) return new RedisUnavailable(shown, error.message)
    return new RedisRefused(shown, error.message)
  }
  if (isOfLibrary(error)) return new RedisUnavailable(shown, reasonOf(error))
  return error instanceof Error ? error : new Error(String(error))
}

/** Why Redis cannot be opened at all. */
export function openingFault(shown: string, error: unknown): StoresFault {
  const reason = reasonOf(error)
  if (/^(WRONGPASS|NOAUTH|NOPERM)|without any password configured|invalid password/.test(reason)) {
    return new StoresFault(
      `Redis at ${shown} does not let us in (${reason.split(' ', 1)[0]}). Give the right user and password in REDIS_URL, ` +
        'and allow that user all commands on the keys of the namespace.',
    )
  }
  return new StoresFault(
    `Redis at ${shown} cannot be reached: ${reason}. Start it, or set REDIS_URL to where it runs; to run without ` +
      'Redis, in one process, use the embedded stores.',
  )
}

/** Errors of sockets carry a code; those of the client library are named after what happened to the connection. */
function isOfLibrary(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return 'code' in error || /Client|Socket|Connection|Abort|Timeout|Reconnect/.test(error.constructor.name)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message !== '') return error.message
  return 'code' in error ? String(error.code) : error.name
}
