// The Redis connection of the stores: uses the current connection, fails at once while there is none, and reconnects
// as soon as possible. It queues nothing and sends nothing twice.

import { NoAnswer, withTimeout } from '../../runtime/with-timeout.ts'
import { type Address, addressOf, type Connection, openConnection } from './client.ts'
import { explained, openingFault, RedisUnavailable } from './errors.ts'

/** Milliseconds after which an unanswered command fails and its connection is closed. */
const ANSWER_MS = 1_500
const RECONNECT_FIRST_MS = 50
const MAX_RECONNECT_MS = 1_000

export interface RedisEvents {
  lost?(cause: Error): void
  back?(): void
}

export interface Redis {
  /** The address without the password. */
  readonly shown: string
  /**
   * Runs commands on the current connection. Rejects with RedisUnavailable, outcome unknown, if there is none, or it
   * breaks, or it is silent for `timeoutMs`; with RedisRefused if Redis rejects a command.
   */
  use<T>(work: (connection: Connection) => Promise<T>, timeoutMs?: number): Promise<T>
  close(): void
}

/** Rejects with StoresFault if Redis cannot be reached or rejects the credentials. */
export async function connectRedis(url: string, events: RedisEvents = {}): Promise<Redis> {
  const address = addressOf(url)
  return new Reconnecting(address, events).begin()
}

class Reconnecting implements Redis {
  readonly shown: string
  private readonly address: Address
  private readonly events: RedisEvents
  private current: Connection | null = null
  private cause = 'not connected yet'
  private timer: NodeJS.Timeout | undefined
  private closed = false

  constructor(address: Address, events: RedisEvents) {
    this.address = address
    this.shown = address.shown
    this.events = events
  }

  async begin(): Promise<this> {
    try {
      this.current = await this.open()
    } catch (failure) {
      throw openingFault(this.shown, failure)
    }
    return this
  }

  async use<T>(work: (connection: Connection) => Promise<T>, timeoutMs = ANSWER_MS): Promise<T> {
    const connection = this.current
    if (connection === null) throw new RedisUnavailable(this.shown, this.cause)
    try {
      return await withTimeout(timeoutMs, work(connection))
    } catch (failure) {
      if (!(failure instanceof NoAnswer)) throw explained(this.shown, failure)
      this.broken(connection, failure)
      throw new RedisUnavailable(this.shown, failure.message)
    }
  }

  close(): void {
    this.closed = true
    this.cause = 'it was closed'
    clearTimeout(this.timer)
    this.current?.destroy()
    this.current = null
  }

  private async open(): Promise<Connection> {
    let broken: { readonly cause: unknown } | null = null
    let opened: Connection | null = null
    opened = await openConnection(this.address, ANSWER_MS, (cause) => {
      broken = { cause }
      if (opened !== null) this.broken(opened, cause)
    })
    if (broken !== null) throw (broken as { readonly cause: unknown }).cause
    return opened
  }

  private broken(connection: Connection, cause: unknown): void {
    connection.destroy()
    if (this.current !== connection) return
    this.current = null
    const error = explained(this.shown, cause)
    this.cause = cause instanceof Error && cause.message !== '' ? cause.message : error.message
    this.events.lost?.(error)
    this.reconnect(RECONNECT_FIRST_MS)
  }

  private reconnect(afterMs: number): void {
    if (this.closed) return
    // Add jitter, so that processes do not all reconnect at once.
    const delayMs = afterMs * (0.5 + Math.random() / 2)
    this.timer = setTimeout(() => void this.tryAgain(Math.min(afterMs * 2, MAX_RECONNECT_MS)), delayMs)
  }

  private async tryAgain(nextMs: number): Promise<void> {
    try {
      const opened = await this.open()
      if (this.closed) return opened.destroy()
      this.current = opened
      this.events.back?.()
    } catch (failure) {
      this.cause = failure instanceof Error && failure.message !== '' ? failure.message : String(failure)
      this.reconnect(nextMs)
    }
  }
}

const KEYS_PER_SCAN = 1_000
/** The server may be writing to disk. */
const CLEAR_MS = 10_000

/**
 * Deletes every key of an installation. Returns how many keys there were. Rejects with StoresFault if Redis cannot be
 * reached.
 */
export async function clearRedis(url: string, namespace: string): Promise<number> {
  const redis = await connectRedis(url)
  const pattern = `${namespace.replaceAll(/[*?[\]\\^]/g, '\\$&')}*`
  let [cursor, deleted] = ['0', 0]
  try {
    do {
      cursor = await redis.use(async (connection) => {
        const args = ['SCAN', cursor, 'MATCH', pattern, 'COUNT', String(KEYS_PER_SCAN)]
        const [next, keys] = (await connection.send(args)) as [string, string[]]
        if (keys.length > 0) deleted += Number(await connection.send(['UNLINK', ...keys]))
        return next
      }, CLEAR_MS)
    } while (cursor !== '0')
  } finally {
    redis.close()
  }
  return deleted
}
