// Queue of events that a subscription delivered and the reader has not consumed. A full queue pauses the server until
// it is half empty.

import type { StoredEvent } from '../../domain/event.ts'

const MAX_BYTES = 16 * 1024 * 1024

interface ArrivedEvent {
  readonly event: StoredEvent
  readonly bytes: number
}

interface Flow {
  pause(): void
  resume(): void
}

export class ArrivedEvents {
  readonly #maxEvents: number
  readonly #flow: Flow
  #queue: ArrivedEvent[] = []
  #bytes = 0
  #isPaused = false

  constructor(maxEvents: number, flow: Flow) {
    this.#maxEvents = maxEvents
    this.#flow = flow
  }

  get length(): number {
    return this.#queue.length
  }

  push(arrived: ArrivedEvent): void {
    this.#queue.push(arrived)
    this.#bytes += arrived.bytes
    if (this.#queue.length < this.#maxEvents && this.#bytes < MAX_BYTES) return
    this.#isPaused = true
    this.#flow.pause()
  }

  /** Removes the first events, at most `limit`. */
  take(limit: number): StoredEvent[] {
    const taken = this.#queue.length <= limit ? this.#queue : this.#queue.slice(0, limit)
    this.#queue = this.#queue.length <= limit ? [] : this.#queue.slice(limit)
    for (const one of taken) this.#bytes -= one.bytes
    if (this.#isPaused && this.#queue.length < this.#maxEvents / 2 && this.#bytes < MAX_BYTES / 2) {
      this.#isPaused = false
      this.#flow.resume()
    }
    return taken.map(({ event }) => event)
  }
}
