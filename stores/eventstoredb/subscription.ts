// Follows the log: history first, then new events, over as many subscriptions as needed. If the server drops a
// subscription that lagged, it resumes after the last event that arrived; other failures are thrown.

import { setTimeout as pause } from 'node:timers/promises'
import type { Position, StoredEvent } from '../../domain/event.ts'
import type { Message } from './decode.ts'
import { createFeed, type Feed } from './feed.ts'
import type { Line } from './line.ts'
import { following } from './requests.ts'

/** gRPC's code "aborted": the server dropped a reader that lagged. */
const ABORTED = 10
const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 1_000
const MAX_DROPS = 10

export interface FollowDeps {
  readonly line: Line
  readonly decode: (bytes: Buffer) => Message
  readonly prefixes: readonly string[]
  readonly deadlineMs: number
  /** Milliseconds between two checks for a silent subscription. */
  readonly heartbeatMs: number
  readonly keptEvents: number
  readonly closed: AbortSignal
  head(): Promise<Position | null>
  /** Called each time the server drops a lagging subscription. */
  dropped(): void
  /** Called with any other error that broke a subscription. */
  failed(error: unknown): void
}

/**
 * Yields events after a position in batches of at most `limit`, until `signal` aborts. Throws the error that broke it.
 */
export async function* follow(
  deps: FollowDeps,
  after: Position | null,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<readonly StoredEvent[]> {
  let last = after
  for (let drops = 0; !signal.aborted; ) {
    try {
      for await (const events of once(deps, last, limit, signal)) {
        drops = 0
        last = events.at(-1)?.position ?? last
        yield events
      }
      return
    } catch (error) {
      if (signal.aborted) return
      if ((error as { code?: unknown }).code !== ABORTED || drops === MAX_DROPS) {
        deps.failed(error)
        throw error
      }
      deps.dropped()
      await pause(Math.min(FIRST_PAUSE_MS * 2 ** drops, LONGEST_PAUSE_MS), null, { signal }).catch(() => {})
      drops += 1
    }
  }
}

/** The events of one subscription until it breaks or the signal aborts. */
async function* once(
  deps: FollowDeps,
  after: Position | null,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<readonly StoredEvent[]> {
  const { closed } = deps
  const connection = deps.line.connection()
  const startedMs = performance.now()
  const feed = createFeed(connection.openRead(following(after, deps.prefixes), deps.decode), {
    after,
    deadlineMs: deps.deadlineMs,
    keptEvents: deps.keptEvents,
    opened: deps.line.begin(),
    heard: deps.line.heard,
    silent: () => deps.line.silent(connection, startedMs),
  })
  const stop = () => feed.close()
  const fail = () => feed.fail(new Error('The log was closed'))
  signal.addEventListener('abort', stop)
  closed.addEventListener('abort', fail)
  if (signal.aborted) stop()
  if (closed.aborted) fail()
  const watching = watch(deps, feed)
  try {
    for (;;) {
      const events = await feed.next(limit)
      if (events === null || signal.aborted) return
      yield events
    }
  } finally {
    watching.stop()
    signal.removeEventListener('abort', stop)
    closed.removeEventListener('abort', fail)
    feed.close()
  }
}

// Detects a subscription that has fallen silent without an error: it checks the end of the log every few seconds, and
// an event found there must have been delivered by the next check.

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
