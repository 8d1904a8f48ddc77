// Checks this machine's clock against the server's clock and the time of the last event.

import type { Finding } from './doctor-finding.ts'

/** Maximum difference that the handshake accepts. */
const HANDSHAKE_TOLERANCE_MS = 60_000
const NOTABLE_MS = 5_000
/** A clock before this time was never set. */
const NEVER_BEFORE_MS = Date.UTC(2026, 0, 1)

interface OtherClocks {
  /** How far the server's clock is ahead of this one; null if no server answered. */
  readonly serverAheadMs: number | null
  /** Time of the last event; null if there is none or the log cannot be read. */
  readonly lastEventMs: number | null
}

export function checkClock(nowMs: number, { serverAheadMs, lastEventMs }: OtherClocks): Finding {
  const name = 'clock'
  const fix = 'Set the clock, and keep it set (NTP).'
  const detail = new Date(nowMs).toISOString()
  if (nowMs < NEVER_BEFORE_MS) return { name, state: 'fail', detail: `${detail} is in the past`, fix }
  if (serverAheadMs !== null && Math.abs(serverAheadMs) > NOTABLE_MS) {
    const state = Math.abs(serverAheadMs) > HANDSHAKE_TOLERANCE_MS ? 'fail' : 'warn'
    return { name, state, detail: `${apart(-serverAheadMs)} the server’s`, fix }
  }
  if (lastEventMs !== null && lastEventMs - nowMs > NOTABLE_MS) {
    return { name, state: 'fail', detail: `${apart(nowMs - lastEventMs)} the last event recorded`, fix }
  }
  return { name, state: 'ok', detail }
}

function apart(differenceMs: number): string {
  const seconds = Math.round(Math.abs(differenceMs) / 1_000)
  return `${seconds} s ${differenceMs < 0 ? 'behind' : 'ahead of'}`
}
