// /health/live, /health/ready and, on the admin port, /metrics: not rate limited and not in the access log. And the
// readiness of this process, which /health/ready shows.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import { withTimeout } from '../../runtime/with-timeout.ts'

/** Component -> why it is not ready, for operators. */
type Reasons = Readonly<Record<string, string>>
/** False: not ready. Reasons: degraded, ready for calls that do not need the named components. */
export type Ready = () => boolean | Reasons | Promise<boolean | Reasons>

const LIVE = /^\/health\/live\/?$/
const READY = /^\/health\/ready\/?$/
const METRICS = /^\/metrics\/?$/

/**
 * Answers health paths, and /metrics if given a registry; returns false for other paths. The components that are not
 * ready are public; the reasons are shown only on the admin port.
 */
export function answerHealth(
  request: IncomingMessage,
  response: ServerResponse,
  ready: Ready,
  metrics: Registry | null,
): boolean {
  const path = request.url?.split('?', 1)[0] ?? ''
  const known = LIVE.test(path) || READY.test(path) || (metrics !== null && METRICS.test(path))
  if (!known) return false
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    respond(response, 405, '{"status":"method not allowed"}', { Allow: 'GET, HEAD' })
  } else if (metrics !== null && METRICS.test(path)) {
    metrics.metrics().then(
      (text) => respond(response, 200, text, { 'Content-Type': metrics.contentType }),
      () => respond(response, 500, '{"status":"no metrics"}', {}),
    )
  } else if (LIVE.test(path)) {
    respond(response, 200, '{"status":"live"}', {})
  } else {
    Promise.resolve()
      .then(ready)
      .then(
        (is) => respondReady(response, is, metrics !== null),
        () => respond(response, 503, '{"status":"not ready"}', {}),
      )
  }
  return true
}

function respondReady(response: ServerResponse, is: boolean | Reasons, withReasons: boolean): void {
  const reasons = typeof is === 'boolean' ? {} : is
  const missing = Object.keys(reasons)
  const details = missing.length === 0 ? {} : withReasons ? { reasons } : { missing }
  const status = is === false ? 'not ready' : missing.length === 0 ? 'ready' : 'degraded'
  // An unavailable service affects all nodes. Removing them all from the load balancer would also stop the calls that
  // still work.
  respond(response, is === false ? 503 : 200, JSON.stringify({ status, ...details }), {})
}

function respond(response: ServerResponse, status: number, text: string, headers: Record<string, string>): void {
  const all = {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  }
  response.writeHead(status, all)
  response.end(text)
}

// Readiness of this process: its stores answer and its views follow the log. Checked on demand, at most about once a
// second, and within the timeout of a probe.

/** Component -> a check that resolves if it is healthy, and rejects with the reason if not. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>

const FRESH_MS = 1_000
/** Time limit of one check. Probes commonly time out after a second or more. */
const ANSWER_MS = 900

/** Returns the unhealthy components with their reasons. `elapsedMs`: a monotonic clock. */
export function createReadiness(checks: Checks, elapsedMs = () => performance.now()): () => Promise<Reasons> {
  let running: Promise<Reasons> | null = null
  let startedMs = Number.NEGATIVE_INFINITY
  return () => {
    if (running === null || elapsedMs() - startedMs > FRESH_MS) {
      startedMs = elapsedMs()
      running = runChecks(checks)
    }
    return running
  }
}

async function runChecks(checks: Checks): Promise<Reasons> {
  const results = Object.entries(checks).map(async ([part, check]) => [part, await reasonOf(check)] as const)
  return Object.fromEntries(
    (await Promise.all(results)).flatMap(([part, reason]) => (reason === null ? [] : [[part, reason]])),
  )
}

async function reasonOf(check: () => Promise<unknown>): Promise<string | null> {
  try {
    await withTimeout(ANSWER_MS, check())
    return null
  } catch (error) {
    return error instanceof Error && error.message !== '' ? error.message : String(error)
  }
}
