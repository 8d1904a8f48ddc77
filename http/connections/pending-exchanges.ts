// The requests of one connection that wait for the answers before them.

import type { Socket } from 'node:net'
import type { Release } from './budget.ts'
import type { ConnectionDeps, Exchange } from './connection-deps.ts'

export interface PendingExchange extends Exchange {
  /** Releases the memory reserved for its body. */
  readonly release: Release
}

export class PendingExchanges {
  readonly #socket: Socket
  readonly #deps: Pick<ConnectionDeps, 'slots' | 'reserveBody'>
  #pending: PendingExchange[] = []

  constructor(socket: Socket, deps: Pick<ConnectionDeps, 'slots' | 'reserveBody'>) {
    this.#socket = socket
    this.#deps = deps
  }

  get length(): number {
    return this.#pending.length
  }

  get last(): PendingExchange | undefined {
    return this.#pending.at(-1)
  }

  /** False if a limit on waiting requests or bodies is reached. */
  add(exchange: Exchange): boolean {
    const { slots, reserveBody } = this.#deps
    // The first is free: a client that does not pipeline may send its next request before Node reports the end of an
    // answer.
    const isFirst = this.#pending.length === 0
    if (!isFirst && !slots.take(this.#socket)) return false
    const release = reserveBody(exchange.request)
    if (release === null) {
      if (!isFirst) slots.release(this.#socket, 1)
      return false
    }
    this.#pending.push({ ...exchange, release })
    return true
  }

  /** Removes the first. */
  shift(): PendingExchange | undefined {
    const first = this.#pending.shift()
    if (this.#pending.length > 0) this.#deps.slots.release(this.#socket, 1)
    return first
  }

  dropLast(): void {
    this.#pending.pop()?.release()
    if (this.#pending.length > 0) this.#deps.slots.release(this.#socket, 1)
  }

  dropAll(): void {
    this.#deps.slots.release(this.#socket, Math.max(0, this.#pending.length - 1))
    for (const { release } of this.#pending) release()
    this.#pending = []
  }
}
