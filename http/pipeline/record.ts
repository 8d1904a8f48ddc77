// The access log and metrics: one log line and one measurement per request. The line has the route's template, never
// the URL, a token, a body or a query.

import type { Logger } from 'pino'
import { Counter, Histogram, type Registry } from 'prom-client'
import { watchGauge } from '../../runtime/gauge.ts'
import { createRepeatedFailures, failureText } from '../../runtime/repeated-failures.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import type { Problem } from '../problem.ts'
import { PROBLEMS } from '../problem-codes.ts'
import type { Caller } from '../route.ts'

const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
/** Methods used as label values; others become `other`, so that callers cannot add metrics. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export interface Served {
  readonly requestId: string
  readonly method: string
  /** The route's template; `-` if none matched. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly caller: Caller | null
}

export interface Recorder {
  began(): void
  ended(served: Served): void
  /** Counts a problem answer by its code, and a `rate_limited` one by its policy too. */
  refused(problem: Problem): void
  /**
   * Logs an unexpected error with its stack, without `secrets`. An unavailable store is logged once, then once a
   * minute.
   */
  failed(error: unknown, requestId: string, route: string, secrets: readonly string[]): void
}

export function createRecorder(log: Logger, registry: Registry): Recorder {
  let inFlight = 0
  const outages = createRepeatedFailures()
  watchGauge(registry, 'scorebook_http_requests_in_flight', 'Requests being worked on.', () => inFlight)
  const histogram = new Histogram({
    name: 'scorebook_http_request_duration_seconds',
    help: 'Time from a request’s headers to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_S,
    registers: [registry],
  })
  const children = new Map<string, ReturnType<typeof histogram.labels>>()
  const refused = refusedCounter(registry)

  const child = ({ method, route, status }: Served) => {
    const known = METHODS.has(method) ? method : 'other'
    const name = `${known} ${route} ${status}`
    const found = children.get(name)
    if (found !== undefined) return found
    const made = histogram.labels(known, route, `${Math.floor(status / 100)}xx`)
    children.set(name, made)
    return made
  }

  return {
    began: () => {
      inFlight++
    },
    ended: (served) => {
      inFlight--
      child(served).observe(served.ms / 1_000)
      if (!log.isLevelEnabled('info')) return
      const { requestId, method, route, status, caller } = served
      const [key, player] = caller === null ? [null, null] : [caller.key, caller.player]
      const ms = Math.round(served.ms * 1_000) / 1_000
      log.info({ request_id: requestId, method, route, status, ms, key, player }, 'request')
    },
    refused,
    failed: (error, requestId, route, secrets) => {
      // Every internal error gets a line, as its caller may report the request id.
      const line = error instanceof StoreUnavailable ? outages.line(error) : {}
      if (line === null) return
      const failure = secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), failureText(error))
      const fields = { request_id: requestId, route, failure, ...line }
      if (error instanceof StoreUnavailable) log.warn(fields, 'a backing service is unavailable')
      else log.error(fields, 'request failed')
    },
  }
}

/** Codes are those of the registry, and policies are names in this program: callers cannot add label values. */
function refusedCounter(registry: Registry): Recorder['refused'] {
  const counter = new Counter({
    name: 'scorebook_refused_total',
    help: 'Problem answers by code, and by policy where the code is rate_limited.',
    labelNames: ['code', 'policy'],
    registers: [registry],
  })
  const children = new Map<string, ReturnType<typeof counter.labels>>()
  return ({ code, body }) => {
    const known = Object.hasOwn(PROBLEMS, code) ? code : 'other'
    const policy = known === 'rate_limited' && typeof body.policy === 'string' ? body.policy : ''
    const name = `${known} ${policy}`
    const child = children.get(name) ?? counter.labels(known, policy)
    children.set(name, child)
    child.inc()
  }
}
