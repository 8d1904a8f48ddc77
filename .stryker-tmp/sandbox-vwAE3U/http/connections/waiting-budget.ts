// Limits the requests that wait behind others of their connections, per network address and process.

import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Budget, type BudgetLimits, type Release } from './budget.ts'
import type { WaitingPlaces } from './connection-deps.ts'
import type { ReadScheduler } from './read-scheduler.ts'

export class WaitingBudget implements WaitingPlaces {
  readonly #budget: Budget
  readonly #scheduler: Pick<ReadScheduler, 'addressOf' | 'waitingChanged'>
  readonly #places = new WeakMap<Duplex, Release[]>()

  /** `scheduler` knows the address of each connection, and reads fewer connections of an address with many waiting requests. */
  constructor(limits: BudgetLimits, scheduler: Pick<ReadScheduler, 'addressOf' | 'waitingChanged'>) {
    this.#budget = new Budget(limits)
    this.#scheduler = scheduler
  }

  take(socket: Socket): boolean {
    const taken = this.#budget.take(this.#scheduler.addressOf(socket))
    if (typeof taken === 'string') return false
    const places = this.#places.get(socket)
    if (places === undefined) this.#places.set(socket, [taken])
    else places.push(taken)
    this.#scheduler.waitingChanged(socket, 1)
    return true
  }

  giveBack(socket: Socket, count: number): void {
    const places = this.#places.get(socket) ?? []
    const left = Math.min(count, places.length)
    for (let n = 0; n < left; n++) places.pop()?.()
    this.#scheduler.waitingChanged(socket, -left)
  }
}
