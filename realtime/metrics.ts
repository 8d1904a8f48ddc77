// The metrics of the rooms.

import { Counter, type Registry } from 'prom-client'
import { watchGauge } from '../runtime/gauge.ts'
import type { CutReason, RefusalCode } from './events.ts'

/**
 * Why a connection was dropped without `closing`: `post`, a POST body over its limits; `early`, too much sent before
 * it joined; `received`, too many unread bytes; `upgrade`, a second WebSocket for one connection.
 */
export type DropReason = 'post' | 'early' | 'received' | 'upgrade'

export interface RoomsMetrics {
  dropped(reason: DropReason): void
  refused(code: RefusalCode): void
  cut(reason: CutReason): void
  message(): void
  rejected(): void
}

interface RoomsNow {
  readonly sockets: number
  readonly rooms: number
  readonly maxUnsentBytes: number
  readonly unread: number
}

/** `now` returns the current values of the gauges of this node. */
export function roomsMetrics(registry: Registry, now: () => RoomsNow): RoomsMetrics {
  makeGauges(registry, now)
  const registers = [registry]
  const drops = new Counter({
    name: 'scorebook_rooms_drops_total',
    help: 'Connections dropped before their client could be notified, by reason.',
    labelNames: ['reason'],
    registers,
  })
  const rejected = new Counter({
    name: 'scorebook_rooms_rejected_total',
    help: 'Connections refused at the handshake.',
    registers,
  })
  const cuts = new Counter({
    name: 'scorebook_rooms_cuts_total',
    help: 'Connections that this node cut, by reason.',
    labelNames: ['reason'],
    registers,
  })
  return {
    ...countByHand(registers),
    dropped: (reason) => drops.inc({ reason }),
    cut: (reason) => cuts.inc({ reason }),
    rejected: () => rejected.inc(),
  }
}

function makeGauges(registry: Registry, now: () => RoomsNow): void {
  const gauge = watchGauge.bind(null, registry)
  gauge('scorebook_rooms_sockets', 'Connections to the rooms on this node.', () => now().sockets)
  gauge('scorebook_rooms_open', 'Rooms that have a member on this node.', () => now().rooms)
  gauge(
    'scorebook_rooms_unsent_most_bytes',
    'Unsent bytes of the client with the most of them.',
    () => now().maxUnsentBytes,
  )
  gauge(
    'scorebook_rooms_received_bytes',
    'Bytes received from clients and not read yet: incomplete frames and bodies, and queued frames.',
    () => now().unread,
  )
}

/** Counts in plain variables, and adds to the counters on collection: a counter's `inc` costs more than a message. */
function countByHand(registers: readonly Registry[]): Pick<RoomsMetrics, 'message' | 'refused'> {
  let taken = 0
  new Counter({
    name: 'scorebook_rooms_messages_total',
    help: 'Messages that this node accepted.',
    registers: [...registers],
    collect() {
      this.inc(taken)
      taken = 0
    },
  })
  const refused = new Map<RefusalCode, number>()
  new Counter({
    name: 'scorebook_rooms_refusals_total',
    help: 'Events of clients that were refused, by code.',
    labelNames: ['code'],
    registers: [...registers],
    collect() {
      for (const [code, count] of refused) this.inc({ code }, count)
      refused.clear()
    },
  })
  return {
    message: () => {
      taken++
    },
    refused: (code) => {
      refused.set(code, (refused.get(code) ?? 0) + 1)
    },
  }
}
