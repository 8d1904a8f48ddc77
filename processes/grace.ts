// A call that recorded the first of several events has some time to go on by itself, before a process does it.

import { setTimeout } from 'node:timers/promises'
import type { EventMeta } from '../domain/event.ts'

const GRACE_MS = 5_000

/** Waits until the call that recorded an event has had its time. False where the signal aborted before. */
export async function itsTimeIsOver({ time }: EventMeta, nowMs: number, signal: AbortSignal): Promise<boolean> {
  const leftMs = Date.parse(time) + GRACE_MS - nowMs
  if (leftMs > 0) await setTimeout(leftMs, undefined, { signal }).catch(() => {})
  return !signal.aborted
}
