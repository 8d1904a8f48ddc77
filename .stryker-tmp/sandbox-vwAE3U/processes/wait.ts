// Waits that come before a reaction: until a request has had time to finish, and until the views contain an event.

import { setTimeout } from 'node:timers/promises'
import type { CommitPosition } from '../commands/command-context.ts'
import type { StoredEvent } from '../domain/event.ts'
import type { ProcessDeps } from './process-deps.ts'

/** How long a request that recorded the first of several events may take to continue by itself. */
const GRACE_MS = 5_000
/** How long to wait for the views; then the event is delivered again. */
const SEEN_MS = 10_000
/** The system clock may be adjusted, so it is checked every second, but at most this often in a wait of hours. */
const LOOK_EVERY_MS = 1_000
const LOOKS_MOST = 10_000

/** Waits until an event has this age. False if the signal aborts first. */
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
 * Waits until the views contain a commit, including the history if that is a view. False if the signal aborts first;
 * rejects on timeout.
 */
export async function viewsHave(
  { seen }: Pick<ProcessDeps, 'seen'>,
  written: CommitPosition,
  signal: AbortSignal,
): Promise<boolean> {
  if (await seen(written, SEEN_MS)) return true
  if (signal.aborted) return false
  throw new Error(`the views have not come to position ${written.position}`)
}
