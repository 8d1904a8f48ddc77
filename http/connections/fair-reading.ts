// Reads connections fairly by network address. One read of a connection may hold thousands of pipelined requests or chunks, all of
// which Node parses at once. An address that sends such reads has one connection read per turn of the event loop, and none of
// those that pipeline while many of its requests wait. Other addresses are read as ever.

import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Budget, type BudgetLimits, type Release, siteOf } from './budget.ts'
import { PARSED_PER_TURN, WAITING_UNREAD } from './limits.ts'

/** The connections of one site: a network address, or an IPv6 /48. */
interface Group {
  readonly site: string
  readonly sockets: Set<Socket>
  /** Those that are not read now, in the order in which they will be. */
  readonly held: Set<Socket>
  /** Pipelined requests and chunks of this turn. */
  parsed: number
  /** Requests that wait behind others of their connections. */
  waiting: number
}

export interface FairReadingEvents {
  /** A connection is read in a later turn. */
  held?(): void
}

export class FairReading {
  readonly #budget: Budget
  readonly #events: FairReadingEvents
  /** By site. */
  readonly #groups = new Map<string, Group>()
  readonly #groupOf = new WeakMap<Duplex, Group>()
  readonly #addressOf = new WeakMap<Duplex, string>()
  /** The places of each connection's waiting requests. */
  readonly #places = new WeakMap<Duplex, Release[]>()
  /** Groups that parsed something in this turn, or have connections that are not read. */
  readonly #active = new Set<Group>()
  #isScheduled = false

  /** `limits`: of requests that wait behind others of their connections. */
  constructor(limits: BudgetLimits, events: FairReadingEvents = {}) {
    this.#budget = new Budget(limits)
    this.#events = events
  }

  /** A new connection, or one whose parser was exchanged. Those never added count for the process only. */
  add(socket: Socket, address: string): void {
    if (!this.#addressOf.has(socket)) socket.once('close', () => this.remove(socket))
    // Node reads a new connection on whatever was paused before.
    socket.on('resume', () => {
      if (this.holds(socket)) socket.pause()
    })
    this.#addressOf.set(socket, address)
    const site = siteOf(address)
    const group = this.#groups.get(site) ?? { site, sockets: new Set(), held: new Set(), parsed: 0, waiting: 0 }
    this.#groups.set(site, group)
    this.#groupOf.set(socket, group)
    group.sockets.add(socket)
    if (group.held.size > 0) this.#hold(group, socket)
  }

  /** The connection is closed, or its bytes are no longer HTTP. Its requests that wait keep their places. */
  remove(socket: Socket): void {
    const group = this.#groupOf.get(socket)
    if (group === undefined) return
    group.sockets.delete(socket)
    if (group.held.delete(socket) && !socket.destroyed) socket.resume()
    this.#forgetIfEmpty(group)
  }

  /** Counts a pipelined request or a chunk of a body. */
  parsed(socket: Duplex): void {
    const group = this.#groupOf.get(socket)
    if (group === undefined) return
    if (group.parsed === 0) this.#schedule(group)
    group.parsed += 1
    if (group.parsed !== PARSED_PER_TURN) return
    for (const one of group.sockets) if (one !== socket) this.#hold(group, one)
  }

  /** Whether this connection is read in a later turn. */
  holds(socket: Socket): boolean {
    return this.#groupOf.get(socket)?.held.has(socket) === true
  }

  /** Takes a place for one more waiting request; false where its address or the process has none. */
  enterWaiting(socket: Socket): boolean {
    const taken = this.#budget.take(this.#addressOf.get(socket) ?? null)
    if (typeof taken === 'string') return false
    const places = this.#places.get(socket) ?? []
    this.#places.set(socket, places)
    places.push(taken)
    const group = this.#groupOf.get(socket)
    if (group !== undefined) group.waiting += 1
    return true
  }

  /** Gives back up to `count` places of a connection. */
  leaveWaiting(socket: Socket, count: number): void {
    const left = this.#places.get(socket)?.splice(0, count) ?? []
    for (const release of left) release()
    const group = this.#groupOf.get(socket)
    if (group === undefined) return
    group.waiting -= left.length
    if (group.held.size > 0) this.#schedule(group)
    this.#forgetIfEmpty(group)
  }

  #hold(group: Group, socket: Socket): void {
    if (group.held.has(socket)) return
    group.held.add(socket)
    this.#events.held?.()
    socket.pause()
    this.#schedule(group)
  }

  #schedule(group: Group): void {
    this.#active.add(group)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#isScheduled = false
    const groups = [...this.#active]
    this.#active.clear()
    for (const group of groups) {
      group.parsed = 0
      const next = this.#nextOf(group)
      if (next === null) continue
      group.held.delete(next)
      next.resume()
      if (group.held.size > 0) this.#schedule(group)
    }
  }

  /** While many requests wait, those that send such reads have to: a connection without a waiting request is read all the same. */
  #nextOf({ held, waiting }: Group): Socket | null {
    for (const socket of held) {
      if (waiting < WAITING_UNREAD || (this.#places.get(socket)?.length ?? 0) === 0) return socket
    }
    return null
  }

  /** A connection whose parser is exchanged may be the last of its group: another group of its site may be there by now. */
  #forgetIfEmpty(group: Group): void {
    const isEmpty = group.sockets.size === 0 && group.waiting === 0
    if (isEmpty && this.#groups.get(group.site) === group) this.#groups.delete(group.site)
  }
}
