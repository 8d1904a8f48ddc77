// Metrics of the limits on connections, requests, bodies and answers.

import { Counter, type Registry } from 'prom-client'
import { watchGauge } from '../../runtime/gauge.ts'
import type { Exceeded } from './budget.ts'
import type { CloseReason } from './connection-deps.ts'

/** What is refused: a connection, a request, its body, or an answer that would have to be held. */
export type Refused = 'connection' | 'request' | 'body' | 'answer'

export interface EdgeMetrics {
  refused(what: Refused, exceeded: Exceeded): void
  paused(): void
  deferred(): void
  readDeferred(): void
  closed(reason: CloseReason): void
  /** Bytes that never became a request were refused with this problem code. */
  unreadable(code: string): void
  /** Reads a gauge when metrics are collected. */
  watch(open: () => number): void
}

export function edgeMetrics(registry: Registry): EdgeMetrics {
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
