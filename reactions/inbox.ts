// The queue of events that a reaction has yet to handle. All reactions of a node share one log subscription; each
// keeps its own queue, so none blocks another. A reaction that lags too far drops events and later reads them from the
// log itself.

import { leastPosition, type Position, type StoredEvent } from '../domain/event.ts'
import { partitionOf } from '../domain/partition.ts'
import type { Checkpoint } from '../stores/contract/views.ts'

/** Maximum number of queued events per reaction. */
const MAX_WAITING_EVENTS = 1_000
/** Checkpoints are saved after this many events that need no handling. */
export const SAVE_EVERY = 10_000

const latest = (positions: readonly (Position | null)[]): Position | null =>
  positions.reduce((last, one) => (last === null || (one !== null && one > last) ? one : last), null)

/**
 * The position after which the shared subscription starts: that of the most advanced reaction. The others read earlier
 * events themselves.
 */
export function alignInboxes(inboxes: readonly Inbox[]): Position | null {
  const start = latest(inboxes.map(({ startsAfter }) => startsAfter))
  for (const inbox of inboxes) inbox.startAt(start)
  return start
}

export class Inbox {
  /** In log order; the first is handled next. */
  readonly waiting: StoredEvent[] = []
  /** True if events after `reached` were dropped because the queue was full; they must be read again. */
  missed = false
  /** The last event that was examined; null if none. */
  reached: Checkpoint | null = null
  /** Events examined since the checkpoints were last saved. */
  unsaved = 0
  #offered: Position | '' = ''
  #woken = () => {}
  readonly #takes: ReadonlySet<string>
  /** Owned partition -> checkpoint. */
  readonly #owned: ReadonlyMap<number, Checkpoint | null>

  /** `checkpoints`: by partition. Events of partitions that are not in it are ignored. */
  constructor(takes: readonly string[], checkpoints: ReadonlyMap<number, Checkpoint>, owned: ReadonlySet<number>) {
    this.#takes = new Set(takes)
    this.#owned = new Map([...owned].map((partition) => [partition, checkpoints.get(partition) ?? null]))
  }

  /** The position after which unhandled events may exist; null for the beginning of the log. */
  get startsAfter(): Position | null {
    return leastPosition([...this.#owned.values()].map((checkpoint) => checkpoint?.position ?? null))
  }

  /** Events up to and including this position are not offered. */
  startAt(position: Position | null): void {
    this.#offered = position ?? ''
    this.missed = (this.startsAfter ?? '') < this.#offered
  }

  /** Takes events in log order, batch by batch; skips events examined before. */
  offer(events: readonly StoredEvent[]): void {
    this.#offered = events.at(-1)?.position ?? this.#offered
    if (!this.missed) this.take(events)
  }

  /** The same for a reaction that reads dropped events from the log. */
  take(events: readonly StoredEvent[]): void {
    const from = this.reached?.position ?? ''
    let last: StoredEvent | null = null
    for (const event of events) {
      if (event.position <= from) continue
      if (this.#isDue(event)) {
        if (this.waiting.length === MAX_WAITING_EVENTS) break
        this.waiting.push(event)
      }
      last = event
      this.unsaved++
    }
    if (last !== null) this.reached = { position: last.position, eventId: last.id }
    this.missed = (this.reached?.position ?? '') < this.#offered
    if (this.#hasWork) this.#woken()
  }

  /** Whether the reaction has to do something: most events concern few reactions. */
  get #hasWork(): boolean {
    return this.waiting.length > 0 || this.missed || this.unsaved >= SAVE_EVERY
  }

  /**
   * Checkpoints for all owned partitions, at `last` or, if null, at the last examined event. Null if none was examined.
   */
  checkpoints(last: StoredEvent | null): ReadonlyMap<number, Checkpoint> | null {
    const at = last === null ? this.reached : { position: last.position, eventId: last.id }
    return at === null ? null : new Map([...this.#owned.keys()].map((partition) => [partition, at]))
  }

  /** Resolves when there are more events to handle, to read or to save. For one caller at a time. */
  more(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      this.#woken = () => {
        signal.removeEventListener('abort', this.#woken)
        this.#woken = () => {}
        resolve()
      }
      signal.addEventListener('abort', this.#woken)
    })
  }

  #isDue({ type, position, meta }: StoredEvent): boolean {
    if (!this.#takes.has(type)) return false
    const partition = partitionOf(meta.game)
    const checkpoint = this.#owned.get(partition)
    return checkpoint !== undefined && position > (checkpoint?.position ?? '')
  }
}
