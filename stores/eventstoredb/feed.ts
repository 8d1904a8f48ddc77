// One open subscription. It takes events in at once and queues them in order until they are consumed, because the
// server drops slow readers. It makes the server wait only if the queue grows far too long.

import type { Position, StoredEvent } from '../../domain/event.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import type { Message } from './decode.ts'
import type { Answers } from './event-store-connection.ts'
import { NoAnswer } from './refusals.ts'

const MAX_BATCHES_PER_YIELD = 32

export interface Feed {
  /**
   * The next events, at most `limit`, when there are any; null when the signal aborts. Throws the error that broke the
   * feed.
   */
  next(limit: number): Promise<readonly StoredEvent[] | null>
  seen(): Seen
  /** Whether a caller of `next` is waiting. */
  isHungry(): boolean
  fail(error: Error): void
  close(): void
}

/** What has arrived: the number of messages, our last event, and the position up to which the server has searched. */
export interface Seen {
  readonly count: number
  readonly event: Position | null
  readonly upTo: Position | null
}

export interface FeedOptions {
  /** The last event delivered before; events up to it are dropped. */
  readonly after: Position | null
  /** Milliseconds within which the server must confirm the subscription. */
  readonly deadlineMs: number
  /** Queued events at which the server is paused. */
  readonly keptEvents: number
  /** Called when the subscription was confirmed, has failed or is closed, at least once. */
  opened(): void
  /** Called for each message. */
  heard(): void
  /** Called if the subscription was not confirmed in time. */
  silent(): void
}

export function createFeed(opening: Promise<Answers<Message>>, options: FeedOptions): Feed {
  const feed = new OpenFeed(opening, options)
  return {
    next: (limit) => feed.next(limit),
    seen: () => feed.seen(),
    isHungry: () => feed.isHungry(),
    fail: (error) => feed.fail(error),
    close: () => feed.close(),
  }
}

class OpenFeed {
  readonly #options: FeedOptions
  readonly #queue: ArrivedEvents
  readonly #confirming: NodeJS.Timeout
  readonly #seen: { -readonly [Key in keyof Seen]: Seen[Key] }
  #call: Answers<Message> | null = null
  #failure: Error | null = null
  #isClosed = false
  #wake: (() => void) | null = null

  constructor(opening: Promise<Answers<Message>>, options: FeedOptions) {
    this.#options = options
    this.#seen = { count: 0, event: options.after, upTo: null }
    this.#queue = new ArrivedEvents(options.keptEvents, {
      pause: () => this.#call?.pause(),
      resume: () => this.#call?.resume(),
    })
    this.#confirming = setTimeout(() => {
      this.fail(new NoAnswer('subscription', options.deadlineMs))
      options.silent()
    }, options.deadlineMs)
    opening.then(
      (call) => this.#opened(call),
      (error) => this.fail(error),
    )
  }

  seen(): Seen {
    return { ...this.#seen }
  }

  isHungry(): boolean {
    return this.#wake !== null && this.#queue.length === 0
  }

  fail(error: Error): void {
    this.#failure ??= error
    this.#options.opened()
    this.#rouse()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#confirming)
    this.#options.opened()
    // Do not cancel inside a message handler: the call would then never end.
    setImmediate(() => this.#call?.cancel())
    this.#rouse()
  }

  async next(limit: number): Promise<readonly StoredEvent[] | null> {
    while (this.#queue.length === 0 && !this.#isClosed) {
      if (this.#failure !== null) throw this.#failure
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    await this.#gather(limit)
    return this.#isClosed ? null : this.#queue.take(limit)
  }

  #opened(call: Answers<Message>): void {
    this.#call = call
    call.on('error', (error: Error) => this.fail(error))
    call.on('end', () => this.fail(new Error('EventStoreDB ended the subscription')))
    if (this.#isClosed) call.cancel()
    else call.on('data', (message) => this.#arrived(message))
  }

  #arrived(message: Message): void {
    const seen = this.#seen
    this.#options.heard()
    seen.count += 1
    if (message.kind === 'confirmed') {
      clearTimeout(this.#confirming)
      this.#options.opened()
    }
    if (message.kind === 'checkpoint') seen.upTo = message.position
    if (message.kind !== 'event') return
    const { event } = message
    if (event === null || (seen.event !== null && event.position <= seen.event)) return
    seen.event = event.position
    this.#queue.push({ event, bytes: message.bytes })
    this.#rouse()
  }

  /** Collects events that arrive in consecutive turns of the event loop into one batch. */
  async #gather(limit: number): Promise<void> {
    let before = -1
    for (
      let batches = 0;
      batches < MAX_BATCHES_PER_YIELD && this.#seen.count > before && this.#queue.length < limit;
      batches += 1
    ) {
      before = this.#seen.count
      await yieldToEventLoop()
    }
  }

  #rouse(): void {
    this.#wake?.()
    this.#wake = null
  }
}

// Queue of events that a subscription delivered and the reader has not consumed. A full queue pauses the server until
// it is half empty.

const MAX_BYTES = 16 * 1024 * 1024

interface ArrivedEvent {
  readonly event: StoredEvent
  readonly bytes: number
}

interface Flow {
  pause(): void
  resume(): void
}

class ArrivedEvents {
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
