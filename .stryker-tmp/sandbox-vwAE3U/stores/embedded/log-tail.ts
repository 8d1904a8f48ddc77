// The durable end of the embedded log: its position, its newest events in memory, and the subscribers that wait for
// more.

import type { Position, StoredEvent } from '../../domain/event.ts'
import { yieldToEventLoop } from '../../scheduling/yield-to-event-loop.ts'
import { atLeastOne, requirePlace } from './log-position.ts'
import type { LogReader } from './log-reader.ts'
import { createRecentEvents, type RecentEvent, type RecentEvents } from './recent-events.ts'
import { createWakeups } from './wakeups.ts'

export class LogTail {
  readonly #reader: LogReader
  readonly #recent: RecentEvents
  readonly #wakeups = createWakeups()
  #head: number
  #ended: Error | null = null

  constructor(reader: LogReader) {
    this.#reader = reader
    this.#head = reader.lastPlace()
    this.#recent = createRecentEvents(this.#head)
  }

  /** The place of the last durable event; 0 where there is none. */
  get head(): number {
    return this.#head
  }

  /** Adds events that are durable now, and wakes the subscribers. Their places follow the head without gaps. */
  push(events: readonly RecentEvent[]): void {
    this.#recent.push(events)
    this.#head += events.length
    this.#wakeups.wake()
  }

  /** Replaces rewritten events by their positions. */
  replace(events: readonly StoredEvent[]): void {
    this.#recent.replace(events)
  }

  /** Ends all subscriptions with this error; the first one counts. */
  end(error: Error): void {
    this.#ended ??= error
    this.#wakeups.wake()
  }

  /** At most `limit` durable events after a place. */
  after(place: number, limit: number): StoredEvent[] {
    return this.#recent.after(place, limit) ?? this.#fromFile(place, limit)
  }

  /** Yields all events after a position, at most `limit` at once, and then those to come. Throws what `end` was given. */
  async *subscribe(after: Position | null, limit: number, signal: AbortSignal): AsyncGenerator<StoredEvent[]> {
    let place = requirePlace(after)
    atLeastOne(limit)
    while (!signal.aborted) {
      if (this.#ended !== null) throw this.#ended
      const live = this.#recent.after(place, limit)
      const events = live ?? this.#fromFile(place, limit)
      if (events.length === 0) {
        await this.#wakeups.wait(signal)
        continue
      }
      // Places have no gaps, so this is the place of the last of them.
      place += events.length
      yield events
      // Promises alone never let the event loop turn: a long history would keep every request waiting.
      if (live === null) await yieldToEventLoop()
    }
  }

  #fromFile(after: number, limit: number): StoredEvent[] {
    return this.#reader.all({ after, head: this.#head, limit })
  }
}
