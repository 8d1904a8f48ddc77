// The Redis connection of the stores: uses the current connection, fails at once while there is none, and reconnects
// as soon as possible. It queues nothing and sends nothing twice.

import { NoAnswer, withTimeout } from '../../scheduling/with-timeout.ts'
import { type Address, addressOf } from './address.ts'
import { type Connection, openConnection } from './client.ts'
import { explained, openingFault, RedisUnavailable } from './errors.ts'

/** A command not answered by then is given up, with its connection. */
const ANSWER_MS = 1_500
const RECONNECT_FIRST_MS = 50
const RECONNECT_MOST_MS = 1_000

export interface RedisEvents {
  /** The connection broke. */
  lost?(why: Error): void
  /** There is one again. */
  back?(): void
}

export interface Redis {
  /** Its address as it may be shown. */
  readonly shown: string
  /**
   * Commands on the connection that stands. Rejects with RedisAway, outcome unknown, where there is none or it breaks
   * or is silent for `timeoutMs`; with RedisRefused where Redis refuses a command.
   */
  use<T>(work: (connection: Connection) => Promise<T>, timeoutMs?: number): Promise<T>
  close(): void
}

/** Rejects with StoresFault where it cannot be reached or does not let us in. */
export async function connectRedis(url: string, events: RedisEvents = {}): Promise<Redis> {
  const address = addressOf(url)
  return new Reconnecting(address, events).begin()
}

class Reconnecting implements Redis {
  readonly shown: string
  private readonly address: Address
  private readonly events: RedisEvents
  private current: Connection | null = null
  private why = 'not connected yet'
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
    if (connection === null) throw new RedisUnavailable(this.shown, this.why)
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
    this.why = 'it was closed'
    clearTimeout(this.timer)
    this.current?.destroy()
    this.current = null
  }

  private async open(): Promise<Connection> {
    let broken: { readonly why: unknown } | null = null
    let opened: Connection | null = null
    opened = await openConnection(this.address, ANSWER_MS, (why) => {
      broken = { why }
      if (opened !== null) this.broken(opened, why)
    })
    if (broken !== null) throw (broken as { readonly why: unknown }).why
    return opened
  }

  private broken(connection: Connection, why: unknown): void {
    connection.destroy()
    if (this.current !== connection) return
    this.current = null
    const error = explained(this.shown, why)
    this.why = why instanceof Error && why.message !== '' ? why.message : error.message
    this.events.lost?.(error)
    this.reconnect(RECONNECT_FIRST_MS)
  }

  private reconnect(afterMs: number): void {
    if (this.closed) return
    // Spread, so that many processes do not all come at once.
    const delayMs = afterMs * (0.5 + Math.random() / 2)
    this.timer = setTimeout(() => void this.tryAgain(Math.min(afterMs * 2, RECONNECT_MOST_MS)), delayMs)
  }

  private async tryAgain(nextMs: number): Promise<void> {
    try {
      const opened = await this.open()
      if (this.closed) return opened.destroy()
      this.current = opened
      this.events.back?.()
    } catch (failure) {
      this.why = failure instanceof Error && failure.message !== '' ? failure.message : String(failure)
      this.reconnect(nextMs)
    }
  }
}
