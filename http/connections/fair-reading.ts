// Reads connections fairly by network address. One read of a connection may hold thousands of pipelined requests or chunks, all of
// which Node parses at once. An address that sends such reads has one connection read per turn of the event loop, and those that
// may send such reads again more slowly. Other addresses are read as ever.

import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Budget, type BudgetLimits, type Release, siteOf } from './budget.ts'
import { PARSED_PER_SECOND, PARSED_PER_TURN, WAITING_UNREAD } from './limits.ts'

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
  /** Until then what was parsed is more than the rate allows. */
  pausedUntilMs: number
  pause: NodeJS.Timeout | null
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
  /** Connections that sent a request, and whether they sent none behind another. */
  readonly #isModest = new WeakMap<Duplex, boolean>()
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
    const group = this.#groups.get(site) ?? {
      site,
      sockets: new Set(),
      held: new Set(),
      parsed: 0,
      waiting: 0,
      pausedUntilMs: 0,
      pause: null,
    }
    this.#groups.set(site, group)
    this.#groupOf.set(socket, group)
    group.sockets.add(socket)
    const isOver = group.parsed >= PARSED_PER_TURN || group.waiting >= WAITING_UNREAD
    if (isOver || group.held.size > 0 || group.pausedUntilMs > performance.now()) this.#hold(group, socket)
  }

  /** The connection is closed, or its bytes are no longer HTTP. Its requests that wait keep their places. */
  remove(socket: Socket): void {
    const group = this.#groupOf.get(socket)
    if (group === undefined) return
    group.sockets.delete(socket)
    if (group.held.delete(socket) && !socket.destroyed) socket.resume()
    this.#forgetIfEmpty(group)
  }

  /** A request is here that nothing says is pipelined. */
  used(socket: Duplex): void {
    if (!this.#isModest.has(socket)) this.#isModest.set(socket, true)
  }

  /** Counts a pipelined request or a chunk of a body. `weight`: as how many of them it counts. */
  parsed(socket: Duplex, weight = 1): void {
    this.#isModest.set(socket, false)
    const group = this.#groupOf.get(socket)
    if (group === undefined) return
    if (group.parsed === 0) this.#schedule(group)
    const before = group.parsed
    group.parsed += weight
    if (before >= PARSED_PER_TURN || group.parsed < PARSED_PER_TURN) return
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
    const nowMs = performance.now()
    for (const group of groups) {
      group.pausedUntilMs = Math.max(group.pausedUntilMs, nowMs) + group.parsed / (PARSED_PER_SECOND / 1_000)
      group.parsed = 0
      if (this.#readNext(group, this.#modestOf(group))) continue
      if (group.waiting >= WAITING_UNREAD) continue
      if (group.pausedUntilMs > nowMs) this.#readLater(group, group.pausedUntilMs - nowMs)
      else this.#readNext(group, group.held)
    }
  }

  *#modestOf({ held }: Group): Generator<Socket> {
    for (const socket of held) if (this.#isModest.get(socket) === true) yield socket
  }

  /** Reads the first of some connections that are not read now; false where there is none. */
  #readNext(group: Group, sockets: Iterable<Socket>): boolean {
    for (const socket of sockets) {
      group.held.delete(socket)
      socket.resume()
      if (group.held.size > 0) this.#schedule(group)
      return true
    }
    return false
  }

  #readLater(group: Group, ms: number): void {
    if (group.pause !== null || group.held.size === 0) return
    group.pause = setTimeout(() => {
      group.pause = null
      this.#schedule(group)
    }, ms)
    group.pause.unref()
  }

  /** A connection whose parser is exchanged may be the last of its group: another group of its site may be there by now. */
  #forgetIfEmpty(group: Group): void {
    const isEmpty = group.sockets.size === 0 && group.waiting === 0
    if (isEmpty && this.#groups.get(group.site) === group) this.#groups.delete(group.site)
  }
}
