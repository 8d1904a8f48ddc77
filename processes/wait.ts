// What a process waits for before it does anything: that a call has had its time, and that the views have come to an event.

import { setTimeout } from 'node:timers/promises'
import type { Written } from '../commands/intent.ts'
import type { StoredEvent } from '../domain/event.ts'
import type { ProcessDeps } from './process-deps.ts'

/** The time that a call which recorded the first of several events has to go on by itself. */
const GRACE_MS = 5_000
/** How long it waits for the views; then the event comes again. */
const SEEN_MS = 10_000
/** A clock may be set: it is looked at every second, but no more than so often in a wait of hours. */
const LOOK_EVERY_MS = 1_000
const LOOKS_MOST = 10_000

/** Waits until an event is so old. False where the signal came first. */
export async function untilOld(
  { meta }: Pick<StoredEvent, 'meta'>,
  now: () => number,
  signal: AbortSignal,
  ageMs: number = GRACE_MS,
): Promise<boolean> {
  const dueMs = Date.parse(meta.time) + ageMs
  const lookEveryMs = Math.max(LOOK_EVERY_MS, ageMs / LOOKS_MOST)
  for (let left = dueMs - now(); left > 0 && !signal.aborted; left = dueMs - now()) {
    await setTimeout(Math.min(left, lookEveryMs), undefined, { signal }).catch(() => {})
  }
  return !signal.aborted
}

/**
 * Waits until the views have a write, and with them what is read of history where that is a view. False where the signal came
 * first; rejects where they do not come to it.
 */
export async function viewsHave(
  { seen }: Pick<ProcessDeps, 'seen'>,
  written: Written,
  signal: AbortSignal,
): Promise<boolean> {
  if (await seen(written, SEEN_MS)) return true
  if (signal.aborted) return false
  throw new Error(`the views have not come to position ${written.position}`)
}
