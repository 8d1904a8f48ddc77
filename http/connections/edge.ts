// The limits of one listener and their counters. Created once; the listener uses it for connections, the pipeline for
// requests, bodies and answers.

import type { Registry } from 'prom-client'
import { Refusal } from '../../domain/decider.ts'
import { NOBODY, type Trusted } from '../../runtime/network.ts'
import { Budget, type BudgetLimits, type Release } from './budget.ts'
import { EDGE_LIMITS, type EdgeLimits, RETRY_AFTER_S } from './limits.ts'
import { type EdgeMetrics, edgeMetrics, type Refused } from './metrics.ts'
import { ReadScheduler } from './read-scheduler.ts'
import { WaitingBudget } from './waiting-budget.ts'

export interface EdgeDeps {
  readonly metrics: Registry
  /** Proxies whose connections are not counted. Default: none. */
  readonly trustedProxies?: Trusted
  /** `off` lifts the limits per network address; those of the process stay. */
  readonly rateLimits: unknown
  /** Overrides of EDGE_LIMITS. */
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
