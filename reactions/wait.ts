// Lets a reaction wait: until the request that recorded an event has had time to finish, until the views contain the
// event, or until the backing services are available again.

import { setTimeout } from 'node:timers/promises'
import type { CommitPosition } from '../commands/command-context.ts'
import type { StoredEvent } from '../domain/event.ts'
import type { ReactionDeps } from './reaction.ts'

/** Time that a request has to record all of its events. After that, a reaction records the missing ones. */
const GRACE_MS = 5_000
/** How long to wait for the views. After that, the wait rejects and the event is delivered again. */
const WAIT_FOR_VIEWS_MS = 10_000
/** Interval between reads of the system clock, which may be adjusted during a wait. */
const CHECK_EVERY_MS = 1_000
/** Limits the reads of the clock in one wait. Waits longer than CHECK_EVERY_MS times this read it less often. */
const MAX_CHECKS = 10_000

/**
 * Waits until an event is `ageMs` old, and `ageMs` at most: an event that is dated later than now was recorded by a
 * clock that was ahead. False if the signal aborts first.
 */
export async function waitForAge(
  { meta }: Pick<StoredEvent, 'meta'>,
  now: () => number,
  signal: AbortSignal,
  ageMs: number = GRACE_MS,
): Promise<boolean> {
  const dueMs = Math.min(Date.parse(meta.time), now()) + ageMs
  const checkEveryMs = Math.max(CHECK_EVERY_MS, ageMs / MAX_CHECKS)
  for (let left = dueMs - now(); left > 0 && !signal.aborted; left = dueMs - now()) {
    await setTimeout(Math.min(left, checkEveryMs), undefined, { signal }).catch(() => {})
  }
  return !signal.aborted
}

/** The views did not reach a position in time: their projector is slow or stopped. The reaction tries again later. */
export class ViewsBehind extends Error {
  constructor(position: string) {
    super(`the views have not reached position ${position}`)
    this.name = 'ViewsBehind'
  }
}

/**
 * Waits until the views contain a commit. This includes the history, if it is a view. If they do not contain it after
 * WAIT_FOR_VIEWS_MS, returns false if the signal has aborted, else rejects.
 */
export async function waitForViews(
  { waitForProjection }: Pick<ReactionDeps, 'waitForProjection'>,
  written: CommitPosition,
  signal: AbortSignal,
): Promise<boolean> {
  if (await waitForProjection(written, WAIT_FOR_VIEWS_MS)) return true
  if (signal.aborted) return false
  throw new ViewsBehind(written.position)
}

const RETRY_AFTER_MS = 500

export interface TryDeps {
  /** `reaction`: its name, or `all` if the log cannot be followed or the checkpoints cannot be read. */
  failed(reaction: string, error: unknown): void
}

/** Retries until it succeeds; null if the signal aborts first. */
export async function untilDone<Made>(
  deps: TryDeps,
  reaction: string,
  signal: AbortSignal,
  work: () => Promise<Made>,
): Promise<Made | null> {
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      // The failure is the abort itself: another node owns the partition now.
      if (signal.aborted && error === signal.reason) return null
      deps.failed(reaction, error)
      await setTimeout(RETRY_AFTER_MS, undefined, { signal }).catch(() => {})
    }
  }
  return null
}
