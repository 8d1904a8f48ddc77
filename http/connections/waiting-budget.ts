// Limits the requests that wait behind others of their connections, per network address and process.

import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Budget, type BudgetLimits, type Release } from './budget.ts'
import type { WaitingSlots } from './connection-deps.ts'
import type { ReadScheduler } from './read-scheduler.ts'

export class WaitingBudget implements WaitingSlots {
  readonly #budget: Budget
  readonly #scheduler: Pick<ReadScheduler, 'addressOf' | 'waitingChanged'>
  readonly #slots = new WeakMap<Duplex, Release[]>()

  /**
   * `scheduler` knows the address of each connection, and reads fewer connections of an address with many waiting
   * requests.
   */
  constructor(limits: BudgetLimits, scheduler: Pick<ReadScheduler, 'addressOf' | 'waitingChanged'>) {
    this.#budget = new Budget(limits)
    this.#scheduler = scheduler
  }

  take(socket: Socket): boolean {
    const taken = this.#budget.take(this.#scheduler.addressOf(socket))
    if (typeof taken === 'string') return false
    const slots = this.#slots.get(socket)
    if (slots === undefined) this.#slots.set(socket, [taken])
    else slots.push(taken)
    this.#scheduler.waitingChanged(socket, 1)
    return true
  }

  release(socket: Socket, count: number): void {
    const slots = this.#slots.get(socket) ?? []
    const left = Math.min(count, slots.length)
    for (let n = 0; n < left; n++) slots.pop()?.()
    this.#scheduler.waitingChanged(socket, -left)
  }
}
