// What a process is yet to react to. All processes of a node are given what one reading of the log brings: each keeps what it
// takes, so that none waits for another. One that falls too far behind lets the rest go by, and reads it again later by itself.

import { leastPosition, type Position, type StoredEvent } from '../domain/event.ts'
import { partitionOf } from '../domain/partition.ts'
import type { Checkpoint } from '../stores/contract/views.ts'

/** The most events that wait in memory for one process. */
const MOST_WAITING = 1_000

const latest = (positions: readonly (Position | null)[]): Position | null =>
  positions.reduce((most, one) => (most === null || (one !== null && one > most) ? one : most), null)

/** The position after which all of them are given what comes: where the foremost begins. What lies before they read by themselves. */
export function meet(inboxes: readonly Inbox[]): Position | null {
  const begin = latest(inboxes.map(({ begins }) => begins))
  for (const inbox of inboxes) inbox.beginAt(begin)
  return begin
}

export class Inbox {
  /** In log order; the first is the one to react to next. */
  readonly waiting: StoredEvent[] = []
  /** Whether events after `reached` went by while too many waited: they are to be read again. */
  missed = false
  /** The last event that was looked at; null: none yet. */
  reached: Checkpoint | null = null
  /** How many events were looked at since the checkpoints were saved last. */
  unsaved = 0
  #offered: Position | '' = ''
  #woken = () => {}
  readonly #takes: ReadonlySet<string>
  /** Partitions that are held -> what was reacted to before. */
  readonly #held: ReadonlyMap<number, Checkpoint | null>

  /** `checkpoints`: what was reacted to before, by partition; of others than those held nothing is taken. */
  constructor(takes: readonly string[], checkpoints: ReadonlyMap<number, Checkpoint>, held: ReadonlySet<number>) {
    this.#takes = new Set(takes)
    this.#held = new Map([...held].map((partition) => [partition, checkpoints.get(partition) ?? null]))
  }

  /** The position after which there may be something for it; null: from the beginning. */
  get begins(): Position | null {
    return leastPosition([...this.#held.values()].map((checkpoint) => checkpoint?.position ?? null))
  }

  /** Nothing is offered up to and with this position. */
  beginAt(position: Position | null): void {
    this.#offered = position ?? ''
    this.missed = (this.begins ?? '') < this.#offered
  }

  /** Events as the log has them, one batch after the other; those looked at before are passed over. */
  offer(events: readonly StoredEvent[]): void {
    this.#offered = events.at(-1)?.position ?? this.#offered
    if (!this.missed) this.take(events)
  }

  /** The same for one who reads again what went by. */
  take(events: readonly StoredEvent[]): void {
    const from = this.reached?.position ?? ''
    for (const event of events) {
      if (event.position <= from) continue
      if (this.#isDue(event)) {
        if (this.waiting.length === MOST_WAITING) break
        this.waiting.push(event)
      }
      this.reached = { position: event.position, eventId: event.id }
      this.unsaved++
    }
    this.missed = (this.reached?.position ?? '') < this.#offered
    this.#woken()
  }

  /** What was reacted to now, for every partition held; null where nothing was looked at. `last`: that event, where others wait. */
  checkpoints(last: StoredEvent | null): ReadonlyMap<number, Checkpoint> | null {
    const at = last === null ? this.reached : { position: last.position, eventId: last.id }
    return at === null ? null : new Map([...this.#held.keys()].map((partition) => [partition, at]))
  }

  /** Resolves when there may be more to do. For one caller at a time. */
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
    const checkpoint = this.#held.get(partition)
    return checkpoint !== undefined && position > (checkpoint?.position ?? '')
  }
}
