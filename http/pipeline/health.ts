// /health/live, /health/ready and, on the admin port, /metrics. Not rate limited and not in the access log.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'

/** Component -> why it is not ready, for operators. */
export type Reasons = Readonly<Record<string, string>>
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
