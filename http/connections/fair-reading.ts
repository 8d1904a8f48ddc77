// Reads connections fairly by network address. One read of a connection may hold thousands of pipelined requests or chunks, all of
// which Node parses at once. Of an address that sends such reads, one connection is read per turn of the event loop; its new and its
// pipelining connections are also limited to 8,192 requests and chunks a second. Other addresses are read as ever.

import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Budget, type BudgetLimits, type Release, siteOf } from './budget.ts'
import { connectionOf } from './connection.ts'
import { PARSED_PER_SECOND, PARSED_PER_TURN, UNREAD_MAX_MS, WAITING_UNREAD } from './limits.ts'
import { pauseReading } from './pause-reading.ts'
import type { Reading } from './reading.ts'

/** The connections of one site: a network address, or an IPv6 /48. */
interface Group {
  readonly site: string
  readonly sockets: Set<Socket>
  /** Those that are not read now: those that never pipelined, the new ones, those that pipelined. Read in this order. */
  readonly held: readonly [modest: Set<Socket>, fresh: Set<Socket>, pipelining: Set<Socket>]
  /** Pipelined requests and chunks of this turn. */
  parsed: number
  /** Requests that wait behind others of their connections. */
  waiting: number
  /** No new or pipelining connection is read before: the rate is used up until then. */
  pausedUntilMs: number
  pause: NodeJS.Timeout | null
}

/** What is known of one connection. */
interface Known {
  /** Null where it was never added: it counts for the process only. */
  address: string | null
  group: Group | null
  /** Whether it sent requests, and none behind another. */
  isModest: boolean
  hasPipelined: boolean
  /** Ends the connection, unless it is read before. Null while it is read. */
  giveUp: NodeJS.Timeout | null
  /** Of its requests that wait. */
  readonly places: Release[]
}

export interface FairReadingEvents {
  /** A connection is read in a later turn. */
  held?(): void
  /** A connection is closed that was not read for too long. */
  closed?(why: 'unread'): void
}

const heldBy = ({ held }: Group): number => held.reduce((sum, sockets) => sum + sockets.size, 0)

export class FairReading implements Reading {
  readonly #budget: Budget
  readonly #events: FairReadingEvents
  readonly #unreadMaxMs: number
  /** By site. */
  readonly #groups = new Map<string, Group>()
  readonly #known = new WeakMap<Duplex, Known>()
  /** Groups that parsed something in this turn, or have connections that are not read. */
  readonly #active = new Set<Group>()
  #isScheduled = false

  /** `limits`: of requests that wait behind others of their connections. `unreadMaxMs`: a connection that is not read for so long is closed. */
  constructor(limits: BudgetLimits, events: FairReadingEvents = {}, unreadMaxMs = UNREAD_MAX_MS) {
    this.#budget = new Budget(limits)
    this.#events = events
    this.#unreadMaxMs = unreadMaxMs
  }

  /** A new connection, or one whose parser was exchanged. Those never added count for the process only. */
  add(socket: Socket, address: string): void {
    const known = this.#knownOf(socket)
    if (known.address === null) socket.once('close', () => this.remove(socket))
    // Node resumes a new connection, also where it was paused before.
    socket.on('resume', () => {
      if (known.giveUp !== null) pauseReading(socket)
    })
    const group = this.#groupFor(siteOf(address))
    known.address = address
    known.group = group
    group.sockets.add(socket)
    const isOver = group.parsed >= PARSED_PER_TURN || group.waiting >= WAITING_UNREAD
    if (isOver || heldBy(group) > 0 || group.pausedUntilMs > performance.now()) this.#hold(group, socket)
  }

  /** The connection is closed, or its bytes are no longer HTTP. Its requests that wait keep their places. */
  remove(socket: Socket): void {
    const { group } = this.#knownOf(socket)
    if (group === null) return
    group.sockets.delete(socket)
    this.#letGo(group, socket)
    this.#forgetIfEmpty(group)
  }

  used(socket: Duplex): void {
    const known = this.#knownOf(socket)
    known.isModest = !known.hasPipelined
  }

  parsed(socket: Duplex, weight = 1): void {
    const known = this.#knownOf(socket)
    known.hasPipelined = true
    known.isModest = false
    if (known.group === null) return
    // Where the only connection of its site was handed over, the group is forgotten by now.
    const group = this.#groupFor(known.group.site)
    known.group = group
    if (group.parsed === 0) this.#schedule(group)
    const before = group.parsed
    group.parsed += weight
    if (before >= PARSED_PER_TURN || group.parsed < PARSED_PER_TURN) return
    for (const one of group.sockets) if (one !== socket) this.#hold(group, one)
  }

  enterWaiting(socket: Socket): boolean {
    const { address, group, places } = this.#knownOf(socket)
    const taken = this.#budget.take(address)
    if (typeof taken === 'string') return false
    places.push(taken)
    if (group !== null) group.waiting += 1
    return true
  }

  leaveWaiting(socket: Socket, count: number): void {
    const { group, places } = this.#knownOf(socket)
    const left = Math.min(count, places.length)
    for (let n = 0; n < left; n++) places.pop()?.()
    if (group === null) return
    group.waiting -= left
    if (heldBy(group) > 0) this.#schedule(group)
    this.#forgetIfEmpty(group)
  }

  #knownOf(socket: Duplex): Known {
    let known = this.#known.get(socket)
    if (known === undefined) {
      known = { address: null, group: null, isModest: false, hasPipelined: false, giveUp: null, places: [] }
      this.#known.set(socket, known)
    }
    return known
  }

  #groupFor(site: string): Group {
    let group = this.#groups.get(site)
    if (group === undefined) {
      const none = { parsed: 0, waiting: 0, pausedUntilMs: 0, pause: null }
      group = { site, sockets: new Set(), held: [new Set(), new Set(), new Set()], ...none }
      this.#groups.set(site, group)
    }
    return group
  }

  #hold(group: Group, socket: Socket): void {
    const known = this.#knownOf(socket)
    if (known.giveUp !== null) return
    const [modest, fresh, pipelining] = group.held
    if (known.isModest) modest.add(socket)
    else if (known.hasPipelined) pipelining.add(socket)
    else fresh.add(socket)
    this.#giveUpLater(known, socket)
    this.#events.held?.()
    pauseReading(socket)
    this.#schedule(group)
  }

  /** Not while it waits for an answer. */
  #giveUpLater(known: Known, socket: Socket): void {
    known.giveUp = setTimeout(() => {
      if ((connectionOf(socket)?.unanswered ?? 0) > 0) {
        this.#giveUpLater(known, socket)
        return
      }
      this.#events.closed?.('unread')
      socket.destroy()
    }, this.#unreadMaxMs)
    known.giveUp.unref()
  }

  /** Reads a connection again, where it is not read now. */
  #letGo(group: Group, socket: Socket): void {
    const known = this.#knownOf(socket)
    if (known.giveUp === null) return
    clearTimeout(known.giveUp)
    known.giveUp = null
    for (const sockets of group.held) sockets.delete(socket)
    if (!socket.destroyed) socket.resume()
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
      this.#readOne(group, nowMs)
      this.#forgetIfEmpty(group)
    }
  }

  #readOne(group: Group, nowMs: number): void {
    const [modest, fresh, pipelining] = group.held
    if (this.#readNext(group, modest) || group.waiting >= WAITING_UNREAD) return
    if (group.pausedUntilMs > nowMs) this.#turnLater(group, group.pausedUntilMs - nowMs)
    else if (!this.#readNext(group, fresh)) this.#readNext(group, pipelining)
  }

  /** Reads the first of some connections that are not read now; false where there is none. */
  #readNext(group: Group, sockets: Set<Socket>): boolean {
    for (const socket of sockets) {
      this.#letGo(group, socket)
      if (heldBy(group) > 0) this.#schedule(group)
      return true
    }
    return false
  }

  #turnLater(group: Group, ms: number): void {
    if (group.pause !== null) return
    group.pause = setTimeout(() => {
      group.pause = null
      this.#schedule(group)
    }, ms)
    group.pause.unref()
  }

  /**
   * A group with no connections is kept for as long as its rate is used up: the next connection may be of the same sender. A
   * connection whose parser is exchanged may be the last of its group: another group of its site may be there by now.
   */
  #forgetIfEmpty(group: Group): void {
    if (group.sockets.size > 0 || group.waiting > 0 || group.parsed > 0) return
    const leftMs = group.pausedUntilMs - performance.now()
    if (leftMs > 0) this.#turnLater(group, leftMs)
    else if (this.#groups.get(group.site) === group) this.#groups.delete(group.site)
  }
}
