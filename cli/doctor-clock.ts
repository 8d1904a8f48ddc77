// Checks this machine's clock against the server's clock and the newest event.

import { TIMESTAMP_TOLERANCE_S } from '../commands/handshake.ts'
import { behindMs, clockWarning, REFUSED_BEHIND_MS } from '../domain/clock.ts'
import type { Finding } from './doctor-finding.ts'

const NOTABLE_MS = 5_000
/** A clock before this time was never set. */
const NEVER_BEFORE_MS = Date.UTC(2026, 0, 1)

interface OtherClocks {
  /** How far the server's clock is ahead of this one; null if no server answered. */
  readonly aheadMs: number | null
  /** What the server says about its own clock; null if nothing is wrong or no server answered. */
  readonly clockWarning: string | null
  /** The latest time of all events; null if there is none or the log cannot be read. */
  readonly newest: string | null
  /** Whether a server of these stores has started. */
  readonly isReady: boolean
}

export function checkClock(nowMs: number, { aheadMs, clockWarning: served, newest, isReady }: OtherClocks): Finding {
  const name = 'clock'
  const fix = 'Set the clock, and keep it set (NTP).'
  const detail = new Date(nowMs).toISOString()
  if (nowMs < NEVER_BEFORE_MS) return { name, state: 'fail', detail: `${detail} is in the past`, fix }
  if (aheadMs !== null && Math.abs(aheadMs) > NOTABLE_MS) {
    const state = Math.abs(aheadMs) > TIMESTAMP_TOLERANCE_S * 1_000 ? 'fail' : 'warn'
    return { name, state, detail: `${apart(-aheadMs)} the server’s`, fix }
  }
  const warning = served ?? clockWarning(nowMs, newest)
  if (warning === null) return { name, state: 'ok', detail }
  const isRefused = !isReady && behindMs(nowMs, newest) > REFUSED_BEHIND_MS
  const ahead = isRefused
    ? 'If it is right, an earlier clock was ahead: start with `scorebook serve --accept-clock`.'
    : 'If it is right, an earlier clock was ahead: the warning ends at the time of that event.'
  return { name, state: isRefused ? 'fail' : 'warn', detail: warning, fix: `${fix} ${ahead}` }
}

function apart(differenceMs: number): string {
  const seconds = Math.round(Math.abs(differenceMs) / 1_000)
  return `${seconds} s ${differenceMs < 0 ? 'behind' : 'ahead of'}`
}
