// The durable end of the embedded log: its last sequence number, its newest events in memory, and the subscribers that
// wait for more.

import type { Position, StoredEvent } from '../../domain/event.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { requireLimit } from '../support/log-arguments.ts'
import type { LogReader } from './log-reader.ts'
import { requirePosition } from './log-schema.ts'
import { createRecentEvents, type RecentEvent, type RecentEvents } from './recent-events.ts'

/**
 * Events from memory that a subscriber gets at once, so that other work runs between them: a view applies them in about
 * a millisecond.
 */
const LIVE_AT_ONCE = 64

export class LogTail {
  readonly #reader: Pick<LogReader, 'all' | 'at' | 'lastSequence'>
  readonly #recent: RecentEvents
  readonly #wakeups = createWakeups()
  #head: number
  #ended: Error | null = null

  constructor(reader: Pick<LogReader, 'all' | 'at' | 'lastSequence'>) {
    this.#reader = reader
    this.#head = reader.lastSequence()
    this.#recent = createRecentEvents(this.#head)
  }

  /** The sequence number of the last durable event; 0 if there is none. */
  get head(): number {
    return this.#head
  }

  /** Adds durable events and wakes the subscribers. Their sequence numbers follow the head without gaps. */
  push(events: readonly RecentEvent[]): void {
    this.#recent.push(events)
    this.#head += events.length
    this.#wakeups.wake()
  }

  /** Replaces rewritten events, by position. */
  replace(events: readonly StoredEvent[]): void {
    this.#recent.replace(events)
  }

  /** Ends all subscriptions with this error; only the first call has an effect. */
  end(error: Error): void {
    this.#ended ??= error
    this.#wakeups.wake()
  }

  /** At most `limit` durable events after a sequence number. */
  after(sequence: number, limit: number): StoredEvent[] {
    return this.#recent.after(sequence, limit) ?? this.#fromFile(sequence, limit)
  }

  /** The durable events with these sequence numbers, which ascend. */
  at(sequences: readonly number[]): StoredEvent[] {
    return this.#recent.at(sequences) ?? this.#reader.at(sequences)
  }

  /**
   * Yields all events after a position in batches of at most `limit`, then new ones. Throws the error given to `end`.
   */
  async *subscribe(after: Position | null, limit: number, signal: AbortSignal): AsyncGenerator<StoredEvent[]> {
    let sequence = requirePosition(after)
    requireLimit(limit)
    while (!signal.aborted) {
      if (this.#ended !== null) throw this.#ended
      const live = this.#recent.after(sequence, Math.min(limit, LIVE_AT_ONCE))
      const events = live ?? this.#fromFile(sequence, limit)
      if (events.length === 0) {
        await this.#wakeups.wait(signal)
        continue
      }
      // There are no gaps, so this is the sequence number of the last event.
      sequence += events.length
      yield events
      // Promises alone never yield to the event loop, so a long history would block every request.
      if (live === null || live.length === LIVE_AT_ONCE) await yieldToEventLoop()
    }
  }

  #fromFile(after: number, limit: number): StoredEvent[] {
    return this.#reader.all({ after, head: this.#head, limit })
  }
}

// Waiters for the next event of some kind. All are woken together, also when the signal of one of them aborts: each
// must check what it waits for.

interface Wakeups {
  /** Resolves at the next `wake`, or when a signal of a waiter aborts. */
  wait(signal: AbortSignal): Promise<void>
  wake(): void
}

export function createWakeups(): Wakeups {
  let waiting: (() => void)[] = []
  /** Signals whose abort wakes. One listener each: adding one takes as long as there are others on the signal. */
  const watched = new WeakSet<AbortSignal>()

  function wait(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    if (!watched.has(signal)) {
      watched.add(signal)
      signal.addEventListener('abort', wake, { once: true })
    }
    return new Promise((resolve) => {
      waiting.push(resolve)
    })
  }

  function wake(): void {
    const woken = waiting
    waiting = []
    for (const resolve of woken) resolve()
  }

  return { wait, wake }
}
