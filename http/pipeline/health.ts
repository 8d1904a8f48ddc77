// /health/live, /health/ready and, on the admin port, /metrics: outside the API, its rates and its log.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'

/** What is not ready -> why, for operators. */
export type Reasons = Readonly<Record<string, string>>
/** False: not ready. Reasons: ready for what needs nothing of what they name. */
export type Ready = () => boolean | Reasons | Promise<boolean | Reasons>

const LIVE = /^\/health\/live\/?$/
const READY = /^\/health\/ready\/?$/
const METRICS = /^\/metrics\/?$/

/**
 * Answers a health path (and /metrics, given a registry); false where the path is another. What is not ready is named
 * to everybody; why, only where the metrics are.
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

function respondReady(response: ServerResponse, is: boolean | Reasons, saysWhy: boolean): void {
  const reasons = typeof is === 'boolean' ? {} : is
  const missing = Object.keys(reasons)
  const told = missing.length === 0 ? {} : saysWhy ? { reasons } : { missing }
  const status = is === false ? 'not ready' : missing.length === 0 ? 'ready' : 'degraded'
  // A store that is away is so for all nodes: taken out of service together, they would
  // not even do what they still can.
  respond(response, is === false ? 503 : 200, JSON.stringify({ status, ...told }), {})
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
