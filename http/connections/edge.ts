// What one listener allows its callers to hold, and what it counts of that: made once, used by the listener for connections
// and by the pipeline for requests, bodies and answers.

import type { Registry } from 'prom-client'
import { Refusal } from '../../domain/decider.ts'
import { NOBODY, type Trusted } from '../pipeline/network.ts'
import { Budget, type BudgetLimits, type Release } from './budget.ts'
import { EDGE_LIMITS, type EdgeLimits, RETRY_AFTER_S } from './limits.ts'
import { type EdgeMetrics, edgeMetrics, type Refused } from './metrics.ts'
import { ReadScheduler } from './read-scheduler.ts'
import { WaitingBudget } from './waiting-budget.ts'

export interface EdgeDeps {
  readonly metrics: Registry
  /** Whose connections are not counted. Nobody's where it is left out. */
  readonly trustedProxies?: Trusted
  /** `off` lifts the limits per network address; those of the process stay. */
  readonly rateLimits: unknown
  /** In place of EDGE_LIMITS. */
  readonly edgeLimits?: Partial<EdgeLimits>
}

export interface Edge {
  readonly metrics: EdgeMetrics
  readonly trusted: Trusted
  /** Infinite per address where rates are off. */
  readonly limits: EdgeLimits
  readonly scheduler: ReadScheduler
  readonly places: WaitingBudget
  /**
   * Takes room for what a network address is about to hold. Throws 429 `rate_limited` where the address has no more, 503
   * `server_full` where the process has none.
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
    places: new WaitingBudget(limits.waiting, scheduler),
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
  request: 'requests that are not answered yet',
  body: 'bodies that are still arriving',
  answer: 'bytes of answers that are not read yet',
}

function ofAddress(what: Exclude<Refused, 'connection'>): Refusal {
  const detail = `Your network address has as many ${IN_USE[what]} as it may have. Nothing was changed: send it again later.`
  return new Refusal('too_many', 'rate_limited', detail, { retry_after: RETRY_AFTER_S, policy: POLICIES[what] })
}

const POLICIES = { request: 'address_requests', body: 'address_bodies', answer: 'address_answers' } as const

function ofProcess(what: Exclude<Refused, 'connection'>): Refusal {
  const detail = `This server has as many ${IN_USE[what]} as it takes. Nothing was changed: send it again later.`
  return new Refusal('unavailable', 'server_full', detail, { retry_after: RETRY_AFTER_S })
}
