// Reads connections fairly by network address. One read of a connection may hold thousands of pipelined requests or
// chunks, all of which Node parses at once. Of an address that sends such reads, one connection is read per turn of the
// event loop; its unused and its pipelining connections are also limited to 8,192 requests and chunks a second. Other
// addresses are read as before.

import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { siteOf } from './budget.ts'
import { connectionOf, type ParseCounter, pauseReading } from './http-connection.ts'
import { PARSED_PER_SECOND, PARSED_PER_TURN, READ_DEFERRED_MAX_MS, WAITING_DEFERS_READS } from './limits.ts'

/** The connections of one site: a network address, or an IPv6 /48. */
interface Group {
  readonly site: string
  readonly sockets: Set<Socket>
  /** Connections whose reads are deferred, in the order in which they are read: sequential, unused, pipelining. */
  readonly deferred: readonly [sequential: Set<Socket>, unused: Set<Socket>, pipelining: Set<Socket>]
  parsed: number
  waiting: number
  /** The rate is used up until then: no unused or pipelining connection is read before. */
  pausedUntilMs: number
  pause: NodeJS.Timeout | null
}

interface ConnectionState {
  /** Null if it was never added: it counts for the process only. */
  address: string | null
  group: Group | null
  /** Whether it has sent requests and never pipelined. */
  isSequential: boolean
  hasPipelined: boolean
  /** Timer that closes a connection that is not read; null while it is read. */
  giveUp: NodeJS.Timeout | null
}

export interface ReadSchedulerEvents {
  readDeferred?(): void
  /** A connection is closed that was not read for too long. */
  closed?(reason: 'unread'): void
}

const deferredOf = ({ deferred }: Group): number => deferred.reduce((sum, sockets) => sum + sockets.size, 0)

export class ReadScheduler implements ParseCounter {
  readonly #events: ReadSchedulerEvents
  readonly #deferredMaxMs: number
  /** By site. */
  readonly #groups = new Map<string, Group>()
  readonly #states = new WeakMap<Duplex, ConnectionState>()
  /** Groups that parsed something in this turn, or have connections that are not read. */
  readonly #active = new Set<Group>()
  #isScheduled = false

  /** `deferredMaxMs`: a connection that is not read for this long is closed. */
  constructor(events: ReadSchedulerEvents = {}, deferredMaxMs = READ_DEFERRED_MAX_MS) {
    this.#events = events
    this.#deferredMaxMs = deferredMaxMs
  }

  /** A new connection, or one whose parser was exchanged. Those never added count for the process only. */
  add(socket: Socket, address: string): void {
    const state = this.#stateOf(socket)
    if (state.address === null) socket.once('close', () => this.remove(socket))
    // Node resumes a new connection even if it was paused before.
    socket.on('resume', () => {
      if (state.giveUp !== null) pauseReading(socket)
    })
    const group = this.#groupFor(siteOf(address))
    state.address = address
    state.group = group
    group.sockets.add(socket)
    const isOver = group.parsed >= PARSED_PER_TURN || group.waiting >= WAITING_DEFERS_READS
    if (isOver || deferredOf(group) > 0 || group.pausedUntilMs > performance.now()) this.#deferRead(group, socket)
  }

  /** Call it when the connection closes or its bytes are no longer HTTP. Its waiting requests keep their slots. */
  remove(socket: Socket): void {
    const { group } = this.#stateOf(socket)
    if (group === null) return
    group.sockets.delete(socket)
    this.#read(group, socket)
    this.#forgetIfEmpty(group)
  }

  used(socket: Duplex): void {
    const state = this.#stateOf(socket)
    state.isSequential = !state.hasPipelined
  }

  parsed(socket: Duplex, weight = 1): void {
    const state = this.#stateOf(socket)
    state.hasPipelined = true
    state.isSequential = false
    if (state.group === null) return
    // If the only connection of its site was handed over, the group no longer exists.
    const group = this.#groupFor(state.group.site)
    state.group = group
    if (group.parsed === 0) this.#schedule(group)
    const before = group.parsed
    group.parsed += weight
    if (before >= PARSED_PER_TURN || group.parsed < PARSED_PER_TURN) return
    for (const one of group.sockets) if (one !== socket) this.#deferRead(group, one)
  }

  /** The network address of a connection; null if it was never added. */
  addressOf(socket: Duplex): string | null {
    return this.#stateOf(socket).address
  }

  /** Adds `by`, which may be negative, to the number of waiting requests of the connection. */
  waitingChanged(socket: Socket, by: number): void {
    const { group } = this.#stateOf(socket)
    if (group === null) return
    group.waiting += by
    if (by > 0) return
    if (deferredOf(group) > 0) this.#schedule(group)
    this.#forgetIfEmpty(group)
  }

  #stateOf(socket: Duplex): ConnectionState {
    let state = this.#states.get(socket)
    if (state === undefined) {
      state = { address: null, group: null, isSequential: false, hasPipelined: false, giveUp: null }
      this.#states.set(socket, state)
    }
    return state
  }

  #groupFor(site: string): Group {
    let group = this.#groups.get(site)
    if (group === undefined) {
      const none = { parsed: 0, waiting: 0, pausedUntilMs: 0, pause: null }
      group = { site, sockets: new Set(), deferred: [new Set(), new Set(), new Set()], ...none }
      this.#groups.set(site, group)
    }
    return group
  }

  #deferRead(group: Group, socket: Socket): void {
    const state = this.#stateOf(socket)
    if (state.giveUp !== null) return
    const [sequential, unused, pipelining] = group.deferred
    if (state.isSequential) sequential.add(socket)
    else if (state.hasPipelined) pipelining.add(socket)
    else unused.add(socket)
    this.#giveUpLater(state, socket)
    this.#events.readDeferred?.()
    pauseReading(socket)
    this.#schedule(group)
  }

  /** Postponed while the connection waits for an answer. */
  #giveUpLater(state: ConnectionState, socket: Socket): void {
    state.giveUp = setTimeout(() => {
      if ((connectionOf(socket)?.unanswered ?? 0) > 0) {
        this.#giveUpLater(state, socket)
        return
      }
      this.#events.closed?.('unread')
      socket.destroy()
    }, this.#deferredMaxMs)
    state.giveUp.unref()
  }

  #read(group: Group, socket: Socket): void {
    const state = this.#stateOf(socket)
    if (state.giveUp === null) return
    clearTimeout(state.giveUp)
    state.giveUp = null
    for (const sockets of group.deferred) sockets.delete(socket)
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
    const [sequential, unused, pipelining] = group.deferred
    if (this.#readNext(group, sequential) || group.waiting >= WAITING_DEFERS_READS) return
    if (group.pausedUntilMs > nowMs) this.#turnLater(group, group.pausedUntilMs - nowMs)
    else if (!this.#readNext(group, unused)) this.#readNext(group, pipelining)
  }

  /** Resumes the first of some deferred connections; false if there is none. */
  #readNext(group: Group, sockets: Set<Socket>): boolean {
    for (const socket of sockets) {
      this.#read(group, socket)
      if (deferredOf(group) > 0) this.#schedule(group)
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
   * A group without connections is kept while its rate is used up: the next connection may be of the same sender. Its
   * site may have another group by now, if a connection's parser was exchanged.
   */
  #forgetIfEmpty(group: Group): void {
    if (group.sockets.size > 0 || group.waiting > 0 || group.parsed > 0) return
    const leftMs = group.pausedUntilMs - performance.now()
    if (leftMs > 0) this.#turnLater(group, leftMs)
    else if (this.#groups.get(group.site) === group) this.#groups.delete(group.site)
  }
}
