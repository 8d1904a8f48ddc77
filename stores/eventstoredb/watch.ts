// Detects a subscription that has fallen silent without an error: it checks the end of the log every few seconds, and
// an event found there must have been delivered by the next check.

import type { Position } from '../../domain/event.ts'
import type { Feed } from './feed.ts'

interface WatchDeps {
  /** Milliseconds between two checks. A stall is found after at most two intervals plus the duration of a check. */
  readonly heartbeatMs: number
  head(): Promise<Position | null>
}

/** An event is in the log but is not delivered. */
export class Stalled extends Error {
  constructor() {
    super('The subscription to EventStoreDB is silent although the log has events after the last one it gave')
    this.name = 'Stalled'
  }
}

/** Watches until stopped; a stall fails the feed. */
export function watch({ heartbeatMs, head }: WatchDeps, feed: Feed): { stop(): void } {
  let isStopped = false
  let timer: NodeJS.Timeout

  async function check(expected: Position | null, countThen: number): Promise<void> {
    const { count, event, upTo } = feed.seen()
    if (expected !== null && feed.isHungry() && (event === null || event < expected)) {
      // Searching foreign records counts as activity, unless the search has passed the event that was due.
      const isPassed = upTo !== null && upTo >= expected
      if (count === countThen || isPassed) return feed.fail(new Stalled())
    }
    const end = await head().catch(() => null)
    const now = feed.seen()
    const isMissing = end !== null && feed.isHungry() && (now.event === null || now.event < end)
    plan(isMissing ? end : null, now.count)
  }

  function plan(expected: Position | null, count: number): void {
    if (!isStopped) timer = setTimeout(() => void check(expected, count), heartbeatMs)
  }

  plan(null, 0)
  return {
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
