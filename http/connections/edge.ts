// The limits of one listener and their counters. Created once; the listener uses it for connections, the pipeline for
// requests, bodies and answers.

import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Counter, type Registry } from 'prom-client'
import { Refusal } from '../../domain/decider.ts'
import { watchGauge } from '../../runtime/gauge.ts'
import { NOBODY, peerNetwork, type Trusted } from '../../runtime/network.ts'
import { Budget, type BudgetLimits, type Exceeded, type Release } from './budget.ts'
import type { CloseReason, WaitingSlots } from './http-connection.ts'
import { EDGE_LIMITS, type EdgeLimits, RETRY_AFTER_S } from './limits.ts'
import { ReadScheduler } from './read-scheduler.ts'

export interface EdgeDeps {
  readonly metrics: Registry
  readonly trustedProxies?: Trusted
  /** `off` lifts the limits per network address; those of the process stay. */
  readonly rateLimits: unknown
  readonly edgeLimits?: Partial<EdgeLimits>
}

export interface Edge {
  readonly metrics: EdgeMetrics
  readonly trusted: Trusted
  /** Per-address limits are infinite with RATE_LIMITS=off. */
  readonly limits: EdgeLimits
  readonly scheduler: ReadScheduler
  readonly slots: WaitingBudget
  /**
   * Counts what a network address is about to hold. Throws 429 `rate_limited` at the limit of the address and 503
   * `server_full` at the limit of the process.
   */
  take(what: Exclude<Refused, 'connection'>, network: string, amount?: number): Release
}

export function createEdge({ metrics: registry, trustedProxies = NOBODY, rateLimits, edgeLimits }: EdgeDeps): Edge {
  const metrics = edgeMetrics(registry)
  const limits = limitsOf({ ...EDGE_LIMITS, ...edgeLimits }, rateLimits === 'off')
  const scheduler = new ReadScheduler(metrics)
  const budgets = {
    request: new Budget(limits.requests),
    body: new Budget(limits.bodies),
    answer: new Budget(limits.answers),
  }
  return {
    metrics,
    trusted: trustedProxies,
    limits,
    scheduler,
    slots: new WaitingBudget(limits.waiting, scheduler),
    take: (what, network, amount = 1) => {
      const taken = budgets[what].take(network, amount)
      if (typeof taken === 'function') return taken
      metrics.refused(what, taken)
      throw taken === 'address' ? ofAddress(what) : ofProcess(what)
    },
  }
}

function limitsOf(limits: EdgeLimits, isOff: boolean): EdgeLimits {
  if (!isOff) return limits
  const unlimited = ({ perProcess }: BudgetLimits) => ({ perAddress: Number.POSITIVE_INFINITY, perProcess })
  const { connections, requests, waiting, bodies, answers } = limits
  return {
    ...limits,
    connections: unlimited(connections),
    requests: unlimited(requests),
    waiting: unlimited(waiting),
    bodies: unlimited(bodies),
    answers: unlimited(answers),
  }
}

const IN_USE: Readonly<Record<Exclude<Refused, 'connection'>, string>> = {
  request: 'unanswered requests',
  body: 'request bodies in transfer',
  answer: 'bytes of unread answers',
}

function ofAddress(what: Exclude<Refused, 'connection'>): Refusal {
  const detail = `Your network address has too many ${IN_USE[what]}. Nothing was changed. Send it again after Retry-After.`
  return new Refusal('too_many', 'rate_limited', detail, { retry_after: RETRY_AFTER_S, policy: POLICIES[what] })
}

const POLICIES = { request: 'address_requests', body: 'address_bodies', answer: 'address_answers' } as const

function ofProcess(what: Exclude<Refused, 'connection'>): Refusal {
  const detail = `This server has too many ${IN_USE[what]}. Nothing was changed. Send it again after Retry-After.`
  return new Refusal('unavailable', 'server_full', detail, { retry_after: RETRY_AFTER_S })
}

interface ConnectionLimiterOptions extends BudgetLimits {
  /** Connections from these proxies are not counted. */
  readonly trusted: Trusted
  refused(limit: Exceeded): void
}

interface ConnectionLimiter {
  readonly open: number
}

/**
 * Bounds the connections of each network address and of the process. The newest connection over a limit is closed at
 * once, before anything of it is read.
 */
export function limitConnections(server: Server, options: ConnectionLimiterOptions): ConnectionLimiter {
  const { trusted, refused } = options
  const budget = new Budget(options)
  // Node emits 'connection' again when the parser is replaced (connections/upgrades.ts).
  const counted = new WeakSet<Socket>()
  server.on('connection', (socket: Socket) => {
    if (counted.has(socket)) return
    const network = peerNetwork(socket, trusted)
    if (network === null) return
    const taken = budget.take(network)
    if (typeof taken === 'string') {
      socket.destroy()
      refused(taken)
      return
    }
    counted.add(socket)
    socket.once('close', taken)
  })
  return {
    get open() {
      return budget.inUse
    },
  }
}

/** Limits the requests that wait behind others of their connections, per network address and process. */
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

/**
 * Bounds the bodies of requests that wait behind others of their connections: each may take 64 KiB until its request
 * starts. Returns a function that reserves one body for a request: it returns the release, or null at the limit.
 */
export function createReserveBody(
  limits: BudgetLimits,
  addressOf: (request: IncomingMessage) => string,
): (request: IncomingMessage) => Release | null {
  const budget = new Budget(limits)
  return (request) => {
    const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.headers
    if (encoding === undefined && length === '0') return () => {}
    const taken = budget.take(addressOf(request))
    return typeof taken === 'string' ? null : taken
  }
}

/** What is refused: a connection, a request, its body, or an answer that would have to be held. */
type Refused = 'connection' | 'request' | 'body' | 'answer'

export interface EdgeMetrics {
  refused(what: Refused, exceeded: Exceeded): void
  paused(): void
  deferred(): void
  readDeferred(): void
  closed(reason: CloseReason): void
  /** Bytes that never became a request were refused with this problem code. */
  unreadable(code: string): void
  watch(open: () => number): void
}

function edgeMetrics(registry: Registry): EdgeMetrics {
  const registers = [registry]
  const refused = new Counter({
    name: 'scorebook_http_limited_total',
    help: 'Connections, requests, bodies and answers refused, by what is limited and whose limit it is.',
    labelNames: ['what', 'limit'],
    registers,
  })
  const paused = new Counter({
    name: 'scorebook_http_paused_total',
    help: 'Requests that waited for an earlier one of their connection.',
    registers,
  })
  const deferred = new Counter({
    name: 'scorebook_http_deferred_total',
    help: 'Requests that waited for a later turn of the event loop, as their network address had started enough in this one.',
    registers,
  })
  const readDeferred = new Counter({
    name: 'scorebook_http_reads_deferred_total',
    help: 'Times that a connection was read in a later turn, as another of its network address sent many requests or chunks.',
    registers,
  })
  const closed = new Counter({
    name: 'scorebook_http_closed_total',
    help: 'Connections that this process closed: answers not read (stalled), too many requests or bodies waiting (waiting), not read for 10 s (unread), too many chunks that nobody read (chunks).',
    labelNames: ['reason'],
    registers,
  })
  const unreadable = new Counter({
    name: 'scorebook_http_unreadable_total',
    help: 'Connections closed as their bytes could not be read as a request, by problem code.',
    labelNames: ['code'],
    registers,
  })
  let openNow: () => number = () => 0
  const help = 'Open connections, without those of trusted proxies.'
  watchGauge(registry, 'scorebook_http_connections', help, () => openNow())
  return {
    refused: (what, limit) => refused.inc({ what, limit }),
    paused: () => paused.inc(),
    deferred: () => deferred.inc(),
    readDeferred: () => readDeferred.inc(),
    closed: (reason) => closed.inc({ reason }),
    unreadable: (code) => unreadable.inc({ code }),
    watch: (open) => {
      openNow = open
    },
  }
}
